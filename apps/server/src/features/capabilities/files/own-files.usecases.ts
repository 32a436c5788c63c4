import { fileErrors, type ParsedOf, type fileRoutes, type FileSort } from '@dropleaf/contract'
import type { Needs, StorageNeeds } from '../../../context.ts'
import { withFreeSlug } from '../../../db/free-slug.ts'
import { withGeneration } from '../../../db/share-queries.ts'
import { AppError } from '../../../lib/app-error.ts'
import { searchText } from '../../../lib/search-text.ts'
import { toStoredLimit } from '../../../lib/view-limits.ts'
import { type Actor, ownerFilter } from '../../foundation/identity/actor.models.ts'
import { isSeenByOwner } from '../../foundation/share-opening/share-opening.models.ts'
import { forgetDevices, openingChange } from '../../foundation/share-opening/share-opening.usecases.ts'
import { type FileQuery, fileListsRepository } from './file-lists.repository.ts'
import { filesRepository } from './files.repository.ts'
import type { FileRow } from './files.table.ts'
import { carryOutRemovalsSoon, planRemoval } from './objects/removals.usecases.ts'
import { sealContext } from './uploads/uploads.usecases.ts'

export interface FileListQuery {
  readonly query: FileQuery
  readonly sort: FileSort | null
  readonly order: 'asc' | 'desc' | null
  readonly limit: number
  readonly offset: number
}

/** Lists a page of matching shares with their total, newest first by default. */
export async function listFiles(
  ctx: Needs<'clock' | 'db'>,
  { query: wanted, sort, order, ...page }: FileListQuery,
) {
  const repository = fileListsRepository(ctx.db)
  const nowMs = ctx.clock.nowMs()
  const query = { ...wanted, hasOpened: true }
  const listing = { query, nowMs, sort: sort ?? 'created', order: order ?? 'desc', ...page } as const
  const [rows, total] = await Promise.all([repository.list(listing), repository.count(query, nowMs)])
  return { rows, total }
}

/**
 * Finds a share that the caller manages, by id or link suffix. @throws {AppError} `file.not_found`, also if the caller
 * does not manage the share
 */
export async function getOwnFile(ctx: Needs<'db'>, actor: Actor, id: string): Promise<FileRow> {
  const repository = filesRepository(ctx.db)
  // Searches by id first, because a link suffix that looks like the id must not hide the share.
  const row = (await repository.findById(id)) ?? (await repository.findBySlug(id))
  const filter = ownerFilter(actor)
  const isOwn = filter.createdBy === undefined || row?.created_by === filter.createdBy
  if (!row || row.committed_at_ms === null || !isSeenByOwner(row) || !isOwn)
    throw new AppError(fileErrors.not_found)
  return row
}

export const plainPasswordOf = (ctx: Needs<'secrets'>, row: FileRow): string | null =>
  row.password_sealed === null ? null : ctx.secrets.open(row.password_sealed, sealContext(row.id))

type UpdateInput = ParsedOf<typeof fileRoutes.adminUpdate, 'body'>

async function changeOf(ctx: Needs<'clock' | 'passwords' | 'secrets'>, row: FileRow, input: UpdateInput) {
  const password = input.password
  const limit = input.max_views === undefined ? row.max_views : toStoredLimit(input.max_views)
  return {
    ...(input.remark === undefined
      ? {}
      : { remark: input.remark, search_text: searchText(input.remark, row.filename) }),
    ...(input.expires_at === undefined ? {} : { expires_at_ms: input.expires_at }),
    ...(input.use_proxy === undefined ? {} : { use_proxy: Number(input.use_proxy) }),
    ...(limit === row.max_views ? {} : { max_views: limit, views: 0 }),
    ...(password === undefined
      ? {}
      : {
          password_hash: password ? await ctx.passwords.hash(password) : null,
          password_sealed: password ? ctx.secrets.seal(password, sealContext(row.id)) : null,
        }),
    ...withGeneration(await openingChange(ctx, row, input)),
    updated_at_ms: ctx.clock.nowMs(),
  }
}

/**
 * Changes a share. Absent fields are unchanged. Changing the view limit resets the view count.
 * @throws {AppError} `file.not_found`, `file.slug_taken`, `share.pin_needs_ask`
 */
export async function updateFile(
  ctx: Needs<'clock' | 'database' | 'db' | 'passwords' | 'secrets'>,
  actor: Actor,
  id: string,
  input: UpdateInput,
): Promise<void> {
  const row = await getOwnFile(ctx, actor, id)
  const change = await changeOf(ctx, row, input)
  await withFreeSlug({
    wanted: input.slug === undefined ? row.slug : input.slug,
    taken: fileErrors.slug_taken,
    save: (slug) =>
      ctx.database.transaction(async (trx) => {
        if (slug !== row.slug) await filesRepository(trx).deleteTombstoneBySlug(slug)
        const isThere = await filesRepository(trx).updateShare(row.id, { ...change, slug })
        if (!isThere) throw new AppError(fileErrors.not_found)
        await forgetDevices(trx, row.id, change)
      }),
  })
}

/**
 * Deletes shares and pending uploads, and schedules the deletion of their objects.
 * @param filter with `createdBy`, deletes only shares of this creator
 * @returns the number of deleted shares, and the ids of the shares that were not deleted
 */
export async function deleteFiles(
  ctx: StorageNeeds & Needs<'database' | 'log'>,
  filter: { readonly createdBy?: string | undefined },
  ids: readonly string[],
): Promise<{ deleted: number; failed: string[] }> {
  const failed: string[] = []
  try {
    for (const id of new Set(ids)) {
      const isGone = await ctx.database.transaction(async (trx) => {
        const object = await filesRepository(trx).deleteKept(id, filter.createdBy)
        if (object) await planRemoval(trx, object, ctx.clock.nowMs())
        return object !== undefined || (await filesRepository(trx).deleteOpened(id, filter.createdBy))
      })
      if (!isGone) failed.push(id)
    }
  } finally {
    carryOutRemovalsSoon(ctx)
  }
  return { deleted: new Set(ids).size - failed.length, failed }
}

/**
 * Returns statistics for the dashboard: shares and stored objects of each storage, and the number of shares created per
 * day since `sinceMs`.
 */
export async function fileFigures(ctx: Needs<'db'>, sinceMs: number) {
  const repository = fileListsRepository(ctx.db)
  const [usage, recent] = await Promise.all([repository.usageByConfig(), repository.createdByDay(sinceMs)])
  const byConfig = new Map(
    usage.map((row) => [
      row.storage_config_id,
      { files: Number(row.files), ownFiles: Number(row.own_files), ownBytes: Number(row.own_bytes) },
    ]),
  )
  return { byConfig, createdByDay: recent }
}
