import { fileErrors } from '@dropleaf/contract'
import type { ObjectStat } from '@dropleaf/storage'
import type { Needs } from '../../../context.ts'
import { withFreeSlug } from '../../../db/free-slug.ts'
import { AppError } from '../../../lib/app-error.ts'
import { newId } from '../../../lib/ids.ts'
import { inferMimeType } from '../../../lib/mime.ts'
import { searchText } from '../../../lib/search-text.ts'
import { toStoredLimit } from '../../../lib/view-limits.ts'
import { type Actor, creatorOf, owns } from '../../foundation/identity/actor.models.ts'
import { requireOpenShares } from '../../foundation/settings/settings.usecases.ts'
import { openingColumns } from '../../foundation/share-opening/share-opening.usecases.ts'
import { expiryFromHours } from './files.models.ts'
import { filesRepository } from './files.repository.ts'
import type { FileRow } from './files.table.ts'
import { sealContext, type ShareSettings } from './uploads/uploads.usecases.ts'

export interface LinkedShare {
  readonly configId: string
  readonly stat: ObjectStat
  readonly filename: string
  /** Requested link suffix; `null` requests a random suffix. */
  readonly slug: string | null
  readonly useProxy: boolean
  readonly settings: ShareSettings
}

async function rowOf(
  ctx: Needs<'clock' | 'passwords' | 'secrets'>,
  actor: Actor,
  share: LinkedShare,
): Promise<Omit<FileRow, 'slug'>> {
  const { settings, stat } = share
  const id = newId()
  const nowMs = ctx.clock.nowMs()
  return {
    id,
    filename: share.filename,
    storage_config_id: share.configId,
    storage_key: stat.key,
    mimetype: inferMimeType(share.filename),
    size_bytes: stat.sizeBytes,
    etag: stat.etag,
    sha256: null,
    remark: settings.remark,
    search_text: searchText(settings.remark, share.filename),
    password_hash: settings.password === null ? null : await ctx.passwords.hash(settings.password),
    password_sealed: settings.password === null ? null : ctx.secrets.seal(settings.password, sealContext(id)),
    expires_at_ms: expiryFromHours(settings.expiresInHours, nowMs),
    max_views: toStoredLimit(settings.maxViews),
    views: 0,
    use_proxy: Number(share.useProxy),
    purged_at_ms: null,
    created_by: creatorOf(actor),
    created_at_ms: nowMs,
    updated_at_ms: nowMs,
    committed_at_ms: nowMs,
    upload_kind: 'streamed',
    upload_expires_at_ms: null,
    takes_slug: null,
    receiving_until_ms: null,
    last_view_at_ms: null,
    owns_object: 0,
    ...(await openingColumns(ctx, settings)),
    grace_until_ms: null,
    generation: 0,
    bundle_id: null,
    object_number: null,
    part_size_bytes: null,
  }
}

/** Returns an error if the object already belongs to a share, a pending upload or a bundle, otherwise `undefined`. */
async function findShared(
  ctx: Needs<'db'>,
  actor: Actor,
  row: Omit<FileRow, 'slug'>,
): Promise<AppError | undefined> {
  const holder = await filesRepository(ctx.db).findByObject(row.storage_config_id, row.storage_key)
  if (!holder) return undefined
  const isShare = holder.committed_at_ms !== null && holder.bundle_id === null
  const mayManage = isShare && owns(actor, holder.created_by)
  return new AppError(fileErrors.already_shared, {
    details: mayManage ? [{ path: 'slug', message: holder.slug }] : [],
  })
}

/**
 * Shares a file of a mount. The share follows the file when the file is moved, and is deleted with it. Deleting the
 * share does not delete the file.
 * @throws {AppError} `share.must_be_sealed`, `file.already_shared`, `file.slug_taken`, `share.pin_needs_ask`
 */
export async function shareObject(
  ctx: Needs<'clock' | 'database' | 'db' | 'passwords' | 'secrets'>,
  actor: Actor,
  share: LinkedShare,
): Promise<FileRow> {
  await requireOpenShares(ctx)
  const row = await rowOf(ctx, actor, share)
  return withFreeSlug({
    wanted: share.slug,
    taken: fileErrors.slug_taken,
    findOther: () => findShared(ctx, actor, row),
    save: (slug) =>
      ctx.database.transaction(async (trx) => {
        await filesRepository(trx).deleteTombstoneBySlug(slug)
        await filesRepository(trx).insert({ ...row, slug })
        return { ...row, slug }
      }),
  })
}

/** Finds the share of an object if the caller is allowed to manage it. */
export async function findShareOf(
  ctx: Needs<'db'>,
  actor: Actor,
  object: { configId: string; key: string },
): Promise<FileRow | null> {
  const row = await filesRepository(ctx.db).findByObject(object.configId, object.key)
  const isShare = row !== undefined && row.committed_at_ms !== null && row.bundle_id === null
  return isShare && owns(actor, row.created_by) ? row : null
}
