import {
  authErrors,
  BUNDLE_UNNAMED_SECONDS,
  bundleErrors,
  fileErrors,
  type Opening,
  type UploadOptions,
} from '@dropleaf/contract'
import { parseStorageKey, type StorageDriver, type StorageKey } from '@dropleaf/storage'
import type { Needs, UploadNeeds } from '../../../../context.ts'
import { isUniqueViolation } from '../../../../db/database.ts'
import { withFreeSlug } from '../../../../db/free-slug.ts'
import { AppError } from '../../../../lib/app-error.ts'
import { newId } from '../../../../lib/ids.ts'
import { inferMimeType } from '../../../../lib/mime.ts'
import { searchText } from '../../../../lib/search-text.ts'
import { toStoredLimit } from '../../../../lib/view-limits.ts'
import { type Actor, creatorOf, owns } from '../../../foundation/identity/actor.models.ts'
import { requireOpenShares } from '../../../foundation/settings/settings.usecases.ts'
import { uploadFolderFor } from '../../../foundation/mounts/mounts.usecases.ts'
import {
  requireRoom,
  type RoomClaim,
  takeRoom,
} from '../../../foundation/storage-usage/storage-usage.usecases.ts'
import type { Db } from '../../../../schema.ts'
import type { StorageConfigRow } from '../../../foundation/storage-configs/storage-configs.table.ts'
import {
  driverOf,
  requireUploadConfig,
} from '../../../foundation/storage-configs/storage-configs.usecases.ts'
import { openingOf } from '../../../foundation/share-opening/share-opening.models.ts'
import { openingColumns } from '../../../foundation/share-opening/share-opening.usecases.ts'
import {
  expiryFromHours,
  findEnd,
  isHeldForDevices,
  requireFilename,
  requireFolder,
} from '../files.models.ts'
import { objectKeyFor, SHARES_FOLDER } from '../../../foundation/share-objects/share-keys.models.ts'
import { filesRepository } from '../files.repository.ts'
import type { FileRow } from '../files.table.ts'
import { carryOutRemovalsSoon, planRemoval } from '../objects/removals.usecases.ts'
import { besideOwn, requireFreeKey } from './free-keys.usecases.ts'
import { isOwnObject } from './same-name.usecases.ts'

export const sealContext = (id: string): string => `file-password:${id}`

export interface ShareSettings {
  readonly remark: string | null
  readonly password: string | null
  readonly expiresInHours: number | null
  readonly maxViews: number | null
  readonly opening: Opening | null
  readonly pin: string | null
}

export interface Reservation {
  readonly row: FileRow
  readonly config: StorageConfigRow
  readonly driver: StorageDriver
  readonly key: StorageKey
  readonly slug: string
  /** Whether the key is the user's file name, and therefore predictable. */
  readonly isNamed: boolean
  /** Key of an existing object of the same creator that the upload also replaces, or `null`. */
  readonly replaces: StorageKey | null
  readonly maxBytes: number
}

export interface ReserveInput {
  readonly filename: string
  readonly configId: string | null
  readonly folder: string | null
  readonly slug: string | null
  readonly sizeBytes: number | null
  readonly replacesOwn: boolean
  readonly keepsName: boolean
  readonly useProxy: boolean
  readonly kind: FileRow['upload_kind']
  /** Time until the upload is considered abandoned. */
  readonly lifetimeMs: number
  /** Bundle and number of the object that the upload becomes; absent if the upload becomes a share. */
  readonly bundle?: { readonly id: string; readonly number: number }
  /** Size of the parts of an object of a sealed bundle; absent for other uploads. */
  readonly partSizeBytes?: number
}

/** Returns the parent folders of an object key. @throws {AppError} `auth.path_forbidden`, `file.path_invalid` */
async function foldersFor(
  ctx: Needs<'db'>,
  actor: Actor,
  config: StorageConfigRow,
  folder: string | null,
): Promise<string[]> {
  const base =
    actor.kind === 'admin'
      ? ''
      : await uploadFolderFor(ctx, { configId: config.id, basicPath: actor.basicPath })
  if (base === null) throw new AppError(authErrors.path_forbidden)
  return [base, config.default_folder, SHARES_FOLDER, requireFolder(folder)]
}

/**
 * Checks that the caller is still allowed to complete an upload in its folder. The permissions and the base path of an
 * API key may have changed.
 * @throws {AppError} `auth.forbidden` if the upload belongs to another creator; `auth.storage_forbidden`,
 * `auth.path_forbidden`
 */
export async function requireOwnPlace(
  ctx: Needs<'database' | 'db'>,
  actor: Actor,
  row: FileRow,
): Promise<void> {
  if (!owns(actor, row.created_by)) throw new AppError(authErrors.forbidden)
  if (actor.kind === 'admin') return
  const config = await requireUploadConfig(ctx, actor, row.storage_config_id)
  const base = await uploadFolderFor(ctx, { configId: config.id, basicPath: actor.basicPath })
  const start = base?.replace(/^\/+|\/+$/g, '')
  const isThere = start === '' || (start !== undefined && row.storage_key.startsWith(`${start}/`))
  if (!isThere) throw new AppError(authErrors.path_forbidden)
}

/**
 * Whether the requested link suffix belongs to a file of the same creator, which the upload then replaces.
 * @throws {AppError} `file.slug_taken`; `auth.forbidden` if the file to replace belongs to another creator
 */
export async function takesOwnSlug(
  ctx: Needs<'clock' | 'db'>,
  creator: string | null,
  { slug, replacesOwn }: { slug: string | null; replacesOwn: boolean },
): Promise<boolean> {
  if (slug === null) return false
  const holder = await filesRepository(ctx.db).findBySlug(slug)
  if (!holder || holder.purged_at_ms !== null) return false
  const nowMs = ctx.clock.nowMs()
  const isInUse = findEnd(holder, nowMs) === null || isHeldForDevices(holder, nowMs)
  if (isInUse && !replacesOwn) throw new AppError(fileErrors.slug_taken)
  if (holder.created_by !== creator)
    throw new AppError(replacesOwn ? authErrors.forbidden : fileErrors.slug_taken)
  return true
}

/**
 * Finds the error for a unique violation of a column other than the link suffix. A different suffix would not resolve
 * such a violation.
 */
async function findConflict(
  ctx: Needs<'db'>,
  { bundle_id, object_number, storage_config_id, storage_key }: Omit<FileRow, 'slug'>,
  cause: unknown,
): Promise<AppError | undefined> {
  const repository = filesRepository(ctx.db)
  if (bundle_id !== null && (await repository.findOfBundle(bundle_id, object_number ?? 0)))
    return new AppError(bundleErrors.object_exists, { cause })
  const holder = await repository.findByObject(storage_config_id, storage_key)
  return holder && new AppError(fileErrors.path_taken, { cause })
}

/** Returns the claim of an upload for its space. Space that the upload has already reserved is not counted twice. */
export const claimOf = (
  { id, part_size_bytes }: Pick<FileRow, 'id' | 'part_size_bytes'>,
  { config, sizeBytes }: Pick<RoomClaim, 'config' | 'sizeBytes'>,
): RoomClaim => ({ config, sizeBytes, except: { fileId: id }, isSealed: part_size_bytes !== null })

/** Inserts the row of an upload and reserves its space, so that two concurrent uploads cannot use the same space. */
async function insertPending(
  ctx: Needs<'clock' | 'database' | 'db'>,
  row: Omit<FileRow, 'slug'>,
  { slug, config }: { slug: string | null; config: StorageConfigRow },
): Promise<FileRow> {
  const claim = claimOf(row, { config, sizeBytes: row.size_bytes })
  return withFreeSlug({
    wanted: slug,
    taken: fileErrors.slug_taken,
    findOther: (cause) => findConflict(ctx, row, cause),
    async save(free) {
      const candidate = { ...row, slug: free }
      if (slug === null && claim.config.total_storage_bytes === null)
        await filesRepository(ctx.db).insert(candidate)
      else
        await takeRoom(ctx, claim, async (trx) => {
          await filesRepository(trx).deleteTombstoneBySlug(free)
          await filesRepository(trx).insert(candidate)
        })
      return candidate
    },
  })
}

/**
 * Reserves a share with its link suffix and object key. The share is listed and served after its commit.
 * @throws {AppError} in this order: `share.must_be_sealed`, `file.name_invalid`, as `requireUploadConfig`,
 * `file.too_large`, `file.storage_full`, `file.slug_taken`, `auth.forbidden` (replacing the file of another creator),
 * `auth.path_forbidden`, `file.path_invalid`, as `requireFreeKey`, `file.path_taken`, `bundle.object_exists`
 */
export async function reserveUpload(
  ctx: Needs<'clock' | 'database' | 'db' | 'log' | 'secrets' | 'storage'>,
  actor: Actor,
  input: ReserveInput,
): Promise<Reservation> {
  if (!input.bundle) await requireOpenShares(ctx)
  const filename = requireFilename(input.filename)
  const config = await requireUploadConfig(ctx, actor, input.configId)
  const id = newId()
  const room = await requireRoom(ctx, {
    config,
    sizeBytes: input.sizeBytes ?? 0,
    isSealed: input.partSizeBytes !== undefined,
  })
  const takesOwn = await takesOwnSlug(ctx, creatorOf(actor), input)
  const folders = await foldersFor(ctx, actor, config, input.folder)
  const maker = { configId: config.id, sign: (text: string) => ctx.secrets.sign(text) }
  const firstKey = objectKeyFor({ maker, folders, filename, keepsName: input.keepsName })
  const isReplacing =
    input.keepsName &&
    !takesOwn &&
    (await isOwnObject(ctx, creatorOf(actor), { configId: config.id, key: firstKey }))
  const isBeside = isReplacing || (takesOwn && input.keepsName)
  const key = parseStorageKey(isBeside ? await besideOwn(ctx, config.id, firstKey) : firstKey)
  const driver = await driverOf(ctx, config)
  if (input.keepsName) await requireFreeKey(ctx, { configId: config.id, driver, key })
  const nowMs = ctx.clock.nowMs()
  const row = await insertPending(
    ctx,
    {
      id,
      filename,
      search_text: searchText(null, filename),
      storage_config_id: config.id,
      storage_key: key,
      mimetype: inferMimeType(filename),
      size_bytes: input.sizeBytes ?? 0,
      etag: null,
      sha256: null,
      remark: null,
      password_hash: null,
      password_sealed: null,
      expires_at_ms: null,
      max_views: null,
      views: 0,
      use_proxy: Number(input.useProxy),
      purged_at_ms: null,
      created_by: creatorOf(actor),
      created_at_ms: nowMs,
      updated_at_ms: nowMs,
      committed_at_ms: null,
      upload_kind: input.kind,
      upload_expires_at_ms: nowMs + input.lifetimeMs,
      takes_slug: takesOwn ? input.slug : null,
      receiving_until_ms: null,
      last_view_at_ms: null,
      owns_object: 1,
      opening: 'direct',
      pin_hash: null,
      grace_until_ms: null,
      generation: 0,
      bundle_id: input.bundle?.id ?? null,
      object_number: input.bundle?.number ?? null,
      part_size_bytes: input.partSizeBytes ?? null,
    },
    { slug: takesOwn ? null : input.slug, config },
  )
  return {
    row,
    config,
    driver,
    key,
    slug: takesOwn && input.slug !== null ? input.slug : row.slug,
    isNamed: input.keepsName,
    replaces: isReplacing ? parseStorageKey(firstKey) : null,
    maxBytes: room,
  }
}

export interface StoredBytes {
  readonly sizeBytes: number
  readonly etag: string
  readonly sha256: string | null
}

/** Rolls back a commit, because the upload was committed or deleted, or is receiving bytes again. */
class NotCommittedError extends Error {
  override readonly name = 'NotCommittedError'
}

/**
 * Returns the share if a concurrent call has committed the upload. Otherwise throws an error that explains why the
 * commit had no effect.
 */
async function findOtherCommit(ctx: Needs<'db'>, { id, bundle_id }: FileRow): Promise<FileRow> {
  const row = await filesRepository(ctx.db).findUpload({ fileId: id, bundleId: bundle_id ?? undefined })
  if (!row) throw new AppError(fileErrors.not_found)
  if (row.committed_at_ms === null) throw new AppError(fileErrors.not_uploaded)
  return row
}

/** Deletes the share whose link suffix the upload takes over. @throws {AppError} `file.slug_taken` */
async function dropReplaced(
  trx: Db,
  { takes_slug: slug, created_by }: FileRow,
  nowMs: number,
): Promise<void> {
  const repository = filesRepository(trx)
  const replaced = slug === null ? undefined : await repository.findBySlug(slug)
  // Refuses the suffix if a share of another creator took it after the first check.
  if (replaced && replaced.created_by !== created_by) throw new AppError(fileErrors.slug_taken)
  if (!replaced) return
  const object = await repository.delete(replaced.id)
  if (object && replaced.purged_at_ms === null) await planRemoval(trx, object, nowMs)
}

/**
 * Turns an upload whose bytes are stored into a share or an object of a bundle. Concurrent calls return the same row.
 * @throws {AppError} `share.must_be_sealed`, `share.pin_needs_ask`; `file.not_found` if it was aborted in the meantime;
 * `file.not_uploaded` if bytes are arriving again; `file.slug_taken` if another share has the suffix of the replaced
 * file
 */
export async function finishUpload(
  ctx: UploadNeeds,
  row: FileRow,
  { bytes, settings }: { bytes: StoredBytes; settings: ShareSettings },
): Promise<FileRow> {
  // Checks the policy again, because it may have changed since the upload began.
  if (row.bundle_id === null) await requireOpenShares(ctx)
  const nowMs = ctx.clock.nowMs()
  const change = {
    size_bytes: bytes.sizeBytes,
    etag: bytes.etag,
    sha256: bytes.sha256,
    remark: settings.remark,
    search_text: searchText(settings.remark, row.filename),
    password_hash: settings.password === null ? null : await ctx.passwords.hash(settings.password),
    password_sealed:
      settings.password === null ? null : ctx.secrets.seal(settings.password, sealContext(row.id)),
    expires_at_ms: expiryFromHours(settings.expiresInHours, nowMs),
    max_views: toStoredLimit(settings.maxViews),
    committed_at_ms: nowMs,
    // The sweep deletes an object of a bundle after this time, unless a revision uses the object.
    upload_expires_at_ms: row.bundle_id === null ? null : nowMs + BUNDLE_UNNAMED_SECONDS * 1000,
    use_proxy: row.use_proxy,
    updated_at_ms: nowMs,
    ...(await openingColumns(ctx, settings)),
  }
  try {
    const where = { etag: row.etag, nowMs }
    const taking = row.takes_slug === null ? null : { slug: row.takes_slug, takes_slug: null }
    const isCommitted =
      taking === null
        ? await filesRepository(ctx.db).commit(row.id, change, where)
        : await ctx.database.transaction(async (trx) => {
            await dropReplaced(trx, row, nowMs)
            // If the commit fails, rolls back the deletion of the replaced share.
            if (!(await filesRepository(trx).commit(row.id, { ...change, ...taking }, where)))
              throw new NotCommittedError()
            return true
          })
    if (!isCommitted) return await findOtherCommit(ctx, row)
    return { ...row, ...change, ...taking }
  } catch (error) {
    if (error instanceof NotCommittedError) return await findOtherCommit(ctx, row)
    throw isUniqueViolation(error) ? new AppError(fileErrors.slug_taken, { cause: error }) : error
  } finally {
    if (row.takes_slug !== null) carryOutRemovalsSoon(ctx)
  }
}

export const isYes = (value: unknown): boolean => value === true || value === 'true' || value === '1'

/** Returns the share settings of an upload. @throws {AppError} `share.pin_needs_ask` */
export function shareSettingsOf(
  options: Pick<UploadOptions, 'remark' | 'password' | 'expires_in' | 'max_views' | 'opening' | 'pin'>,
): ShareSettings {
  // Validates the opening settings, so that an error is thrown before the first byte is received.
  openingOf(options)
  return {
    remark: options.remark,
    password: options.password,
    expiresInHours: options.expires_in,
    maxViews: options.max_views,
    opening: options.opening,
    pin: options.pin,
  }
}

export function placementOf(options: UploadOptions) {
  const proxy = options.use_proxy
  return {
    configId: options.s3_config_id,
    folder: options.path,
    slug: options.slug,
    replacesOwn: isYes(options.override),
    keepsName: isYes(options.original_filename),
    useProxy: !(proxy === '0' || proxy === 0 || proxy === false || proxy === 'false'),
  }
}
