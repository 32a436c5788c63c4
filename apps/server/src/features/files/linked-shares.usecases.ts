import { fileErrors, RANDOM_SLUG_LENGTH } from '@dropleaf/contract'
import type { ObjectStat } from '@dropleaf/storage'
import type { AppContext } from '../../context.ts'
import { isUniqueViolation } from '../../db/database.ts'
import { AppError } from '../../lib/app-error.ts'
import { newId, randomText } from '../../lib/ids.ts'
import { inferMimeType } from '../../lib/mime.ts'
import { searchText } from '../../lib/search-text.ts'
import { toStoredLimit } from '../../lib/view-limits.ts'
import { type Actor, creatorOf, owns } from '../auth/actor.models.ts'
import { expiryFromHours } from './files.models.ts'
import { filesRepository } from './files.repository.ts'
import type { FileRow } from './files.table.ts'
import { sealContext, type ShareWishes } from './uploads.usecases.ts'

const SLUG_TRIES = 5

export interface LinkedShare {
  readonly configId: string
  readonly stat: ObjectStat
  readonly filename: string
  /** `null` asks for a random one. */
  readonly slug: string | null
  readonly useProxy: boolean
  readonly wishes: ShareWishes
}

async function rowOf(ctx: AppContext, actor: Actor, share: LinkedShare): Promise<Omit<FileRow, 'slug'>> {
  const { wishes, stat } = share
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
    remark: wishes.remark,
    search_text: searchText(wishes.remark, share.filename),
    password_hash: wishes.password === null ? null : await ctx.passwords.hash(wishes.password),
    password_sealed: wishes.password === null ? null : ctx.secrets.seal(wishes.password, sealContext(id)),
    expires_at_ms: expiryFromHours(wishes.expiresInHours, nowMs),
    max_views: toStoredLimit(wishes.maxViews),
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
  }
}

/** Why a share could not be written down: its object has one, or its suffix is taken. */
async function refusalOf(ctx: AppContext, actor: Actor, row: Omit<FileRow, 'slug'>): Promise<AppError> {
  const holder = await filesRepository(ctx.db).findByObject(row.storage_config_id, row.storage_key)
  if (!holder) return new AppError(fileErrors.slug_taken)
  const mayManage = holder.committed_at_ms !== null && owns(actor, holder.created_by)
  return new AppError(fileErrors.already_shared, {
    details: mayManage ? [{ path: 'slug', message: holder.slug }] : [],
  })
}

/**
 * Shares an object where it lies. The share follows it, and goes with it; the object stays when the share goes.
 * @throws {AppError} `file.already_shared`, `file.slug_taken`
 */
export async function shareObject(ctx: AppContext, actor: Actor, share: LinkedShare): Promise<FileRow> {
  const row = await rowOf(ctx, actor, share)
  for (let tries = 1; ; tries += 1) {
    const shared = { ...row, slug: share.slug ?? randomText(RANDOM_SLUG_LENGTH) }
    try {
      await ctx.database.transaction(async (trx) => {
        await filesRepository(trx).deleteTombstoneBySlug(shared.slug)
        await filesRepository(trx).insert(shared)
      })
      return shared
    } catch (error) {
      if (!isUniqueViolation(error)) throw error
      const refusal = await refusalOf(ctx, actor, row)
      const isSlug = refusal.spec.code === fileErrors.slug_taken.code
      if (!isSlug || share.slug !== null || tries >= SLUG_TRIES) throw refusal
    }
  }
}

/** The share of an object, if there is one that the caller may manage. */
export async function findShareOf(
  ctx: AppContext,
  actor: Actor,
  object: { configId: string; key: string },
): Promise<FileRow | null> {
  const row = await filesRepository(ctx.db).findByObject(object.configId, object.key)
  return row && row.committed_at_ms !== null && owns(actor, row.created_by) ? row : null
}
