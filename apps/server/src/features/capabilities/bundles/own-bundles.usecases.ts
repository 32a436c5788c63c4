import { authErrors, bundleErrors, type bundleRoutes, type ParsedOf } from '@dropleaf/contract'
import type { UpdateObject } from 'kysely'
import type { Needs, StorageNeeds } from '../../../context.ts'
import { withFreeSlug } from '../../../db/free-slug.ts'
import { withGeneration } from '../../../db/share-queries.ts'
import { AppError } from '../../../lib/app-error.ts'
import { toStoredLimit } from '../../../lib/view-limits.ts'
import type { Db, Schema } from '../../../schema.ts'
import { type Actor, opens, ownerFilter } from '../../foundation/identity/actor.models.ts'
import { isSeenByOwner } from '../../foundation/share-opening/share-opening.models.ts'
import { forgetDevices, openingChange } from '../../foundation/share-opening/share-opening.usecases.ts'
import { carryOutRemovalsSoon, planRemovals } from '../files/objects/removals.usecases.ts'
import { bundleObjectsRepository } from './bundle-objects.repository.ts'
import { bundleRevisionsRepository } from './bundle-revisions.repository.ts'
import { bundlePasswordContext, bundleSearchText } from './bundles.models.ts'
import { bundlesRepository } from './bundles.repository.ts'
import type { BundleRevisionRow, BundleRow } from './bundles.table.ts'
import { readableManifest, type StoredManifest } from './manifest.models.ts'

type UpdateInput = ParsedOf<typeof bundleRoutes.update, 'body'>

/** @throws {AppError} `auth.forbidden` without the permission for texts or files */
export function requireBundles(actor: Actor): void {
  if (!opens(actor, 'text') && !opens(actor, 'file')) throw new AppError(authErrors.forbidden)
}

export async function protect(ctx: Needs<'passwords' | 'secrets'>, id: string, password: string | null) {
  if (!password) return { password_hash: null, password_sealed: null }
  return {
    password_hash: await ctx.passwords.hash(password),
    password_sealed: ctx.secrets.seal(password, bundlePasswordContext(id)),
  }
}

/**
 * Finds a bundle that the caller manages, by id or link suffix. If its contents are deleted, finds it only if its owner
 * still sees it.
 * @throws {AppError} `auth.forbidden`; `bundle.not_found`, also if the caller does not manage the bundle
 */
async function getSeenBundle(ctx: Needs<'db'>, actor: Actor, idOrSlug: string): Promise<BundleRow> {
  requireBundles(actor)
  const repository = bundlesRepository(ctx.db)
  const row = (await repository.findById(idOrSlug)) ?? (await repository.findBySlug(idOrSlug))
  const { createdBy } = ownerFilter(actor)
  const isOwn = createdBy === undefined || row?.created_by === createdBy
  if (!row || !isSeenByOwner(row) || !isOwn) throw new AppError(bundleErrors.not_found)
  return row
}

/** Like {@link getSeenBundle}, but a bundle whose contents are deleted is not found. */
export async function getOwnBundle(ctx: Needs<'db'>, actor: Actor, idOrSlug: string): Promise<BundleRow> {
  const row = await getSeenBundle(ctx, actor, idOrSlug)
  if (row.purged_at_ms !== null) throw new AppError(bundleErrors.not_found)
  return row
}

/**
 * Returns a stored revision of a bundle. The manifest is `null` if it is sealed.
 * @throws {AppError} `bundle.revision_not_found`
 */
export async function getRevision(
  ctx: Needs<'db'>,
  { id }: Pick<BundleRow, 'id'>,
  revision: number,
): Promise<{ row: BundleRevisionRow; manifest: StoredManifest | null }> {
  const row = await bundleRevisionsRepository(ctx.db).find(id, revision)
  if (!row) throw new AppError(bundleErrors.revision_not_found)
  return { row, manifest: readableManifest(row.manifest) }
}

/**
 * Returns a bundle with its current manifest. The manifest of a sealed bundle is returned encrypted, as
 * `sealedManifest`. Both manifests are `null` for a draft, for a bundle whose contents are deleted, and for an imported
 * bundle whose revision was not in the backup.
 * @throws {AppError} as {@link getSeenBundle}
 */
export async function readOwnBundle(
  ctx: Needs<'db' | 'secrets'>,
  actor: Actor,
  idOrSlug: string,
): Promise<{
  row: BundleRow
  manifest: StoredManifest | null
  sealedManifest: string | null
  password: string | null
  usedNumbers: readonly number[]
}> {
  const row = await getSeenBundle(ctx, actor, idOrSlug)
  const sealed = row.password_sealed
  const current = await bundleRevisionsRepository(ctx.db).find(row.id, row.revision)
  return {
    row,
    manifest: current ? readableManifest(current.manifest) : null,
    sealedManifest: current && row.sealed !== null ? current.manifest : null,
    password: sealed === null ? null : ctx.secrets.open(sealed, bundlePasswordContext(row.id)),
    usedNumbers: await bundleObjectsRepository(ctx.db).usedNumbers(row.id),
  }
}

/** Returns a bundle and its stored revisions, newest first. @throws {AppError} as {@link getOwnBundle} */
export async function listBundleRevisions(ctx: Needs<'db'>, actor: Actor, idOrSlug: string) {
  const bundle = await getOwnBundle(ctx, actor, idOrSlug)
  return { bundle, revisions: await bundleRevisionsRepository(ctx.db).list(bundle.id) }
}

/** Returns the changed columns, without the search text and the link suffix. */
async function changeOf(ctx: Needs<'clock' | 'passwords' | 'secrets'>, row: BundleRow, input: UpdateInput) {
  const limit = input.max_views === undefined ? row.max_views : toStoredLimit(input.max_views)
  const isFirstLimit = row.max_views === null && limit !== null
  // Uses confirmation as the default, as for a new bundle, because a link preview would use a view.
  const opening = input.opening ?? (isFirstLimit ? ('ask' as const) : null)
  return {
    ...(input.remark === undefined ? {} : { remark: input.remark }),
    ...(input.expires_at === undefined ? {} : { expires_at_ms: input.expires_at }),
    ...(limit === row.max_views ? {} : { max_views: limit, views: 0 }),
    ...(input.password === undefined ? {} : await protect(ctx, row.id, input.password)),
    ...withGeneration(await openingChange(ctx, row, { opening, pin: input.pin })),
    updated_at_ms: ctx.clock.nowMs(),
  }
}

/**
 * Changes a bundle, and its search text if the remark changes. Call in a transaction.
 * @returns the changed row; `undefined` if the bundle is purged or does not exist
 */
async function change(
  trx: Db,
  id: string,
  columns: UpdateObject<Schema, 'bundles'>,
): Promise<BundleRow | undefined> {
  const row = await bundlesRepository(trx).update(id, columns)
  if (!row || columns.remark === undefined) return row
  const current = await bundleRevisionsRepository(trx).find(id, row.revision)
  const search_text = bundleSearchText(row.remark, current ? readableManifest(current.manifest) : null)
  return bundlesRepository(trx).update(id, { search_text })
}

/**
 * Changes the link and the settings of a bundle. Absent fields are unchanged. Changing the view limit resets the view
 * count. A bundle that gets its first view limit requires confirmation, unless the change says otherwise.
 * @throws {AppError} as {@link getOwnBundle}; `bundle.seal_fixed`, `bundle.slug_taken`, `share.pin_needs_ask`
 */
export async function updateBundle(
  ctx: Needs<'clock' | 'database' | 'db' | 'passwords' | 'secrets'>,
  actor: Actor,
  idOrSlug: string,
  input: UpdateInput,
): Promise<Pick<BundleRow, 'id' | 'slug'>> {
  const row = await getOwnBundle(ctx, actor, idOrSlug)
  if (row.sealed !== null && input.password !== undefined) throw new AppError(bundleErrors.seal_fixed)
  const changed = await changeOf(ctx, row, input)
  const isMoved = input.slug !== undefined && input.slug !== row.slug
  return withFreeSlug({
    wanted: input.slug === undefined ? row.slug : input.slug,
    taken: bundleErrors.slug_taken,
    save: (slug) =>
      ctx.database.transaction(async (trx) => {
        if (isMoved) await bundlesRepository(trx).deleteTombstoneBySlug(slug)
        const now = await change(trx, row.id, { ...changed, ...(isMoved ? { slug } : {}) })
        if (!now) throw new AppError(bundleErrors.not_found)
        await forgetDevices(trx, row.id, changed)
        return { id: row.id, slug: now.slug }
      }),
  })
}

/**
 * Deletes those of the given bundles that the caller manages, with their revisions, and schedules the deletion of their
 * objects.
 * @returns the number of deleted bundles, and the ids of the bundles that were not deleted
 * @throws {AppError} `auth.forbidden`
 */
export async function deleteBundles(
  ctx: StorageNeeds & Needs<'database' | 'log'>,
  actor: Actor,
  ids: readonly string[],
): Promise<{ deleted: number; failed: string[] }> {
  requireBundles(actor)
  const failed: string[] = []
  const { createdBy } = ownerFilter(actor)
  try {
    for (const id of new Set(ids)) {
      const isGone = await ctx.database.transaction(async (trx) => {
        const bundle = await bundlesRepository(trx).findById(id)
        const isOwn = createdBy === undefined || bundle?.created_by === createdBy
        if (!bundle || !isSeenByOwner(bundle) || !isOwn) return false
        if (!(await bundlesRepository(trx).delete(id))) return false
        await planRemovals(trx, await bundleObjectsRepository(trx).deleteAll(id), ctx.clock.nowMs())
        return true
      })
      if (!isGone) failed.push(id)
    }
  } finally {
    carryOutRemovalsSoon(ctx)
  }
  return { deleted: new Set(ids).size - failed.length, failed }
}
