import {
  findSlugProblem,
  type ParsedOf,
  pasteErrors,
  type pasteRoutes,
  type PasteSort,
  requestErrors,
  TOMBSTONE_SECONDS,
} from '@dropleaf/contract'
import type { Needs } from '../../../context.ts'
import { withFreeSlug } from '../../../db/free-slug.ts'
import type { ShareQuery } from '../../../db/share-queries.ts'
import { AppError } from '../../../lib/app-error.ts'
import { newId } from '../../../lib/ids.ts'
import { pasteSearchText } from '../../../lib/search-text.ts'
import { toStoredLimit } from '../../../lib/view-limits.ts'
import { type Actor, creatorOf, ownerFilter } from '../../foundation/identity/actor.models.ts'
import { requireOpenShares } from '../../foundation/settings/settings.usecases.ts'
import {
  forgetDevices,
  openingChange,
  openingColumns,
} from '../../foundation/share-opening/share-opening.usecases.ts'
import { nextVersionMs, replacePaste } from './paste-changes.usecases.ts'
import { findFinalEnd } from './pastes.models.ts'
import { pastesRepository } from './pastes.repository.ts'
import type { PasteRow } from './pastes.table.ts'

type CreateInput = ParsedOf<typeof pasteRoutes.create, 'body'>
type UpdateInput = ParsedOf<typeof pasteRoutes.adminUpdate, 'body'>

/** Maximum number of attempts if a share changes concurrently. */
const TRIES = 5
const SWEEP_BATCH_ROWS = 500

export const pastePasswordContext = (id: string): string => `paste-password:${id}`

/** Returns a hash to verify the password, and an encrypted copy for the owner. Both are `null` without a password. */
export async function protect(ctx: Needs<'passwords' | 'secrets'>, id: string, password: string | null) {
  if (password === null) return { password_hash: null, password_sealed: null }
  return {
    password_hash: await ctx.passwords.hash(password),
    password_sealed: ctx.secrets.seal(password, pastePasswordContext(id)),
  }
}

/** Disk space needed per byte of text: for the text, its search text, its revision, and the database's log. */
const ROOM_FACTOR = 4

export const roomFor = (content: string): number => Buffer.byteLength(content) * ROOM_FACTOR

/**
 * Shares a text.
 * @param input `id` identifies repeated requests. If a share with this id exists, an earlier request has created it,
 * and that share is returned.
 * @throws {AppError} `share.must_be_sealed`; `paste.slug_taken`, also for concurrent requests with the same suffix;
 * `share.pin_needs_ask`
 * @throws {StorageError} `storage.full` if the disk of the database is almost full
 */
export async function createPaste(
  ctx: Needs<'clock' | 'database' | 'db' | 'passwords' | 'room' | 'secrets'>,
  actor: Actor,
  input: CreateInput & { readonly id: string | null },
): Promise<PasteRow> {
  const findMade = async () => (input.id === null ? undefined : pastesRepository(ctx.db).findById(input.id))
  const made = await findMade()
  if (made) return made
  await requireOpenShares(ctx)
  await ctx.room.take(roomFor(input.content))
  const id = input.id ?? newId()
  const nowMs = ctx.clock.nowMs()
  const row: Omit<PasteRow, 'slug'> = {
    id,
    content: input.content,
    content_type: input.content_type,
    remark: input.remark,
    ...(await openingColumns(ctx, input)),
    ...(await protect(ctx, id, input.password)),
    grace_until_ms: null,
    expires_at_ms: input.expiresAt,
    max_views: toStoredLimit(input.maxViews),
    views: 0,
    purged_at_ms: null,
    created_by: creatorOf(actor),
    created_at_ms: nowMs,
    updated_at_ms: nowMs,
    search_text: pasteSearchText(input.remark, input.content),
  }
  try {
    return await withFreeSlug({
      wanted: input.slug,
      taken: pasteErrors.slug_taken,
      async save(slug) {
        await saveNew(ctx, { ...row, slug }, input.slug !== null)
        return { ...row, slug }
      },
    })
  } catch (error) {
    // Looks for the share again, because a concurrent request with the same id may have created it in the meantime.
    const madeMeanwhile = await findMade()
    if (madeMeanwhile) return madeMeanwhile
    throw error
  }
}

/** Inserts the row. A link suffix chosen by the user can replace an expired or used-up share. */
async function saveNew(ctx: Needs<'database' | 'db'>, row: PasteRow, isChosen: boolean): Promise<void> {
  if (!isChosen) {
    await pastesRepository(ctx.db).insert(row)
    return
  }
  await ctx.database.transaction(async (trx) => {
    await pastesRepository(trx).deleteOverBySlug(row.slug, row.created_at_ms)
    await pastesRepository(trx).insert(row)
  })
}

/**
 * Finds a share that the caller manages, by id or link suffix, without using a view.
 * @returns the row, and the plain password if there is one
 * @throws {AppError} `paste.not_found`, also if the caller does not manage the share
 */
export async function getOwnPaste(
  ctx: Needs<'db' | 'secrets'>,
  actor: Actor,
  idOrSlug: string,
): Promise<{ row: PasteRow; password: string | null }> {
  const row = await pastesRepository(ctx.db).findForOwner(idOrSlug, ownerFilter(actor))
  if (!row) throw new AppError(pasteErrors.not_found)
  return {
    row,
    password:
      row.password_sealed === null
        ? null
        : ctx.secrets.open(row.password_sealed, pastePasswordContext(row.id)),
  }
}

function requireSlug(text: string): string {
  const problem = findSlugProblem(text)
  if (problem) {
    throw new AppError(requestErrors.invalid, {
      params: { detail: `newSlug: ${problem}` },
      details: [{ path: 'body.newSlug', message: `slug problem: ${problem}` }],
    })
  }
  return text
}

async function passwordChange(ctx: Needs<'passwords' | 'secrets'>, id: string, input: UpdateInput) {
  if (input.password !== null) return protect(ctx, id, input.password)
  return input.clearPassword ? protect(ctx, id, null) : {}
}

async function changeOf(
  ctx: Needs<'passwords' | 'secrets'>,
  row: PasteRow,
  input: UpdateInput,
  nowMs: number,
) {
  return {
    content: input.content,
    ...(input.content_type === undefined ? {} : { content_type: input.content_type }),
    remark: input.remark,
    expires_at_ms: input.expiresAt,
    max_views: toStoredLimit(input.maxViews),
    ...(await passwordChange(ctx, row.id, input)),
    ...(await openingChange(ctx, row, input)),
    updated_at_ms: nextVersionMs(row, nowMs),
    search_text: pasteSearchText(input.remark, input.content),
  }
}

interface UpdatedPaste {
  readonly id: string
  readonly slug: string
  readonly updatedAtMs: number
}

/**
 * Replaces a share. If the text or its type changes, the previous version becomes a revision. An absent remark, expiry
 * or view limit is cleared.
 * The password is unchanged unless it is set or cleared. An absent `newSlug` keeps the link suffix. A blank `newSlug`
 * requests a random link suffix.
 * @throws {AppError} `paste.not_found`, `paste.expired`, `paste.used_up`, `paste.slug_taken`, `request.invalid`;
 * `share.must_be_sealed` for other contents; `paste.changed` if the share is not the expected version;
 * `share.pin_needs_ask`
 * @throws {StorageError} `storage.full` if the disk of the database is almost full
 */
export async function updatePaste(
  ctx: Needs<'clock' | 'database' | 'db' | 'passwords' | 'room' | 'secrets'>,
  actor: Actor,
  idOrSlug: string,
  input: UpdateInput,
): Promise<UpdatedPaste> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await updateOnce(ctx, actor, idOrSlug, input)
    } catch (error) {
      const isOvertaken = error instanceof AppError && error.spec === pasteErrors.changed
      // If the request has no expected version, retries with the current version.
      if (!isOvertaken || input.expectedUpdatedAt !== null || tries >= TRIES) throw error
    }
  }
}

async function updateOnce(
  ctx: Needs<'clock' | 'database' | 'db' | 'passwords' | 'room' | 'secrets'>,
  actor: Actor,
  idOrSlug: string,
  input: UpdateInput,
): Promise<UpdatedPaste> {
  const { row } = await getOwnPaste(ctx, actor, idOrSlug)
  const nowMs = ctx.clock.nowMs()
  const end = findFinalEnd(row, nowMs)
  if (end) throw new AppError(end)
  if (input.expectedUpdatedAt !== null && input.expectedUpdatedAt !== row.updated_at_ms)
    throw new AppError(pasteErrors.changed)
  if (input.content !== row.content) await requireOpenShares(ctx)
  await ctx.room.take(roomFor(input.content))
  const change = await changeOf(ctx, row, input, nowMs)
  const wanted = input.newSlug?.trim()
  if (input.newSlug === undefined || wanted === row.slug) {
    await ctx.database.transaction(async (trx) => {
      await replacePaste(trx, { row, change, nowMs })
      await forgetDevices(trx, row.id, change)
    })
    return { id: row.id, slug: row.slug, updatedAtMs: change.updated_at_ms }
  }
  return withFreeSlug({
    wanted: wanted ? requireSlug(wanted) : null,
    taken: pasteErrors.slug_taken,
    save: (slug) =>
      ctx.database.transaction(async (trx) => {
        await pastesRepository(trx).deleteOverBySlug(slug, nowMs)
        await replacePaste(trx, { row, change: { ...change, slug }, nowMs })
        await forgetDevices(trx, row.id, change)
        return { id: row.id, slug, updatedAtMs: change.updated_at_ms }
      }),
  })
}

/** @throws {AppError} `paste.not_found` */
export async function deletePaste(ctx: Needs<'db'>, actor: Actor, idOrSlug: string): Promise<void> {
  if ((await deletePastes(ctx, actor, [idOrSlug])) === 0) throw new AppError(pasteErrors.not_found)
}

/** Deletes shares that the caller manages, by id or link suffix. @returns the number of deleted shares */
export const deletePastes = (
  ctx: Needs<'db'>,
  actor: Actor,
  idsOrSlugs: readonly string[],
): Promise<number> => pastesRepository(ctx.db).delete(idsOrSlugs, ownerFilter(actor))

export interface PasteListQuery {
  readonly query: ShareQuery
  readonly sort: PasteSort | null
  readonly order: 'asc' | 'desc' | null
  readonly limit: number
  readonly offset: number
  /** Number of characters of each content to return. */
  readonly previewCharacters: number
}

/** Lists a page of matching shares with their total, newest first by default. */
export async function listPastes(
  ctx: Needs<'clock' | 'db'>,
  { query: wanted, sort, order, ...page }: PasteListQuery,
) {
  const repository = pastesRepository(ctx.db)
  const nowMs = ctx.clock.nowMs()
  const query = { ...wanted, hasOpened: true }
  const listing = { query, nowMs, sort: sort ?? 'created', order: order ?? 'desc', ...page } as const
  const [rows, total] = await Promise.all([repository.list(listing), repository.count(query, nowMs)])
  return { rows, total }
}

/** A row of a list, with truncated content and without secrets. */
export type ListedPaste = Awaited<ReturnType<typeof listPastes>>['rows'][number]

async function repeatWhileFull(turn: () => Promise<number>, signal?: AbortSignal): Promise<number> {
  let total = 0
  for (;;) {
    const done = await turn()
    total += done
    if (done < SWEEP_BATCH_ROWS || signal?.aborted) return total
  }
}

/**
 * Purges all expired or used-up shares that no device is allowed to reopen, of one creator or of all. @returns the
 * number of purged shares
 */
export const purgeOverPastes = (
  ctx: Needs<'clock' | 'db'>,
  { createdBy, signal }: { createdBy?: string | undefined; signal?: AbortSignal } = {},
): Promise<number> =>
  repeatWhileFull(
    () => pastesRepository(ctx.db).purgeOver(ctx.clock.nowMs(), { limit: SWEEP_BATCH_ROWS, createdBy }),
    signal,
  )

/** Purges expired and used-up shares, and deletes old tombstones. */
export async function sweepPastes(ctx: Needs<'clock' | 'db'>, signal: AbortSignal): Promise<void> {
  await purgeOverPastes(ctx, { signal })
  const beforeMs = ctx.clock.nowMs() - TOMBSTONE_SECONDS * 1000
  await repeatWhileFull(() => pastesRepository(ctx.db).deleteTombstones(beforeMs, SWEEP_BATCH_ROWS), signal)
}

/** Returns the number of shares that are not purged, and the number of shares created per day since `sinceMs`. */
export async function pasteFigures(ctx: Needs<'db'>, sinceMs: number) {
  const repository = pastesRepository(ctx.db)
  const [total, createdByDay] = await Promise.all([repository.count(), repository.createdByDay(sinceMs)])
  return { total, createdByDay }
}
