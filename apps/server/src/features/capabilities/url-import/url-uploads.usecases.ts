import { fileErrors, type ParsedOf, type urlRoutes } from '@dropleaf/contract'
import { parseStorageKey, planParts, StorageError, type UploadRef } from '@dropleaf/storage'
import type { Needs, PlaceNeeds, StorageNeeds, UploadNeeds } from '../../../context.ts'
import { AppError } from '../../../lib/app-error.ts'
import { SharedRuns } from '../../../lib/concurrency.ts'
import { type Actor } from '../../foundation/identity/actor.models.ts'
import { issuerOf } from '../../foundation/link-issuers/link-issuers.usecases.ts'
import { requireOpenShares } from '../../foundation/settings/settings.usecases.ts'
import type { FileRow } from '../files/files.table.ts'
import {
  cancelUpload,
  describePending,
  getPendingUpload,
  type UploadName,
} from '../files/uploads/pending-uploads.usecases.ts'
import { commitNamed, commitUpload } from '../files/uploads/signed-uploads.usecases.ts'
import { requireSealedObject } from '../files/uploads/sealed-objects.usecases.ts'
import {
  type Reservation,
  reserveUpload,
  type ShareSettings,
  takesOwnSlug,
  shareSettingsOf,
} from '../files/uploads/uploads.usecases.ts'
import { driverOf, getConfig } from '../../foundation/storage-configs/storage-configs.usecases.ts'
import { inspectSource } from './sources.usecases.ts'
import { urlUploadsRepository } from './url-uploads.repository.ts'
import type { UrlUploadsTable } from './url-uploads.table.ts'

type PresignBody = ParsedOf<typeof urlRoutes.presign, 'body'>
type InitBody = ParsedOf<typeof urlRoutes.multipartInit, 'body'>
type CommitBody = ParsedOf<typeof urlRoutes.commit, 'body'>
type CompleteBody = ParsedOf<typeof urlRoutes.multipartComplete, 'body'>

/** Lifetime of an upload. The browser stores its uploads for the same time. */
export const LIFETIME_MS = 24 * 3_600_000
const PARTS_MAX = 10_000

interface Described {
  readonly filename: string
  readonly sizeBytes: number | null
  readonly allowsCors: boolean
}

/**
 * Describes the source of a share by the name and type in the request. Without them, inspects the source.
 * @throws {AppError} `share.must_be_sealed`; as `inspectSource`
 */
async function describe(
  ctx: Needs<'db' | 'fetcher'>,
  { url, filename, metadata }: PresignBody,
): Promise<Described> {
  // The reservation checks the policy too, but only after the source was inspected.
  await requireOpenShares(ctx)
  if (metadata?.filename && metadata.contentType)
    return { filename: filename ?? metadata.filename, sizeBytes: metadata.size ?? null, allowsCors: true }
  const info = await inspectSource(ctx, url)
  return { filename: filename ?? info.filename, sizeBytes: info.sizeBytes, allowsCors: info.allowsCors }
}

async function reserve(
  ctx: Needs<'clock' | 'database' | 'db' | 'log' | 'secrets' | 'storage'>,
  actor: Actor,
  { body, source }: { body: PresignBody; source: Described },
): Promise<Reservation> {
  const reservation = await reserveUpload(ctx, actor, {
    filename: source.filename,
    configId: body.s3_config_id,
    folder: body.path,
    slug: body.slug,
    sizeBytes: source.sizeBytes,
    replacesOwn: false,
    keepsName: false,
    useProxy: true,
    kind: 'signed',
    lifetimeMs: LIFETIME_MS,
  })
  await describePending(ctx, reservation.row.id, {
    remark: body.remark ?? `From ${new URL(body.url).hostname}`,
  })
  return reservation
}

/** Reserves a share for a URL that the client fetches. @throws {AppError} as `inspectSource`, `reserveUpload` */
export async function presignFetched(
  ctx: Needs<'clock' | 'database' | 'db' | 'fetcher' | 'log' | 'secrets' | 'storage'>,
  actor: Actor,
  body: PresignBody,
) {
  const source = await describe(ctx, body)
  const reservation = await reserve(ctx, actor, { body, source })
  const uploadUrl = await reservation.driver.links.put(reservation.key, {
    expiresInSeconds: reservation.config.signature_expires_in,
    contentType: reservation.row.mimetype,
    maxBytes: source.sizeBytes ?? reservation.maxBytes,
    issuer: issuerOf(actor, 'file'),
  })
  return { reservation, source, uploadUrl }
}

/**
 * Turns the upload into a share. The link suffix can still be changed. @throws {AppError} as `commitUpload`;
 * `file.slug_taken`
 */
export async function commitFetched(ctx: UploadNeeds, actor: Actor, body: CommitBody): Promise<FileRow> {
  const { slug, ...settings } = body
  if (slug) {
    const row = await getPendingUpload(ctx, actor, { fileId: body.file_id })
    if (slug !== row.slug || row.takes_slug !== null)
      await describePending(ctx, row.id, await suffixChange(ctx, { row, slug }))
  }
  const remark = body.remark ?? (await remarkOf(ctx, actor, { fileId: body.file_id }))
  return commitUpload(ctx, actor, { ...settings, remark })
}

/**
 * Returns the columns to change for another link suffix. The suffix can belong to a share of the caller that has
 * expired or is used up.
 */
async function suffixChange(
  ctx: Needs<'clock' | 'db'>,
  { row, slug }: { row: FileRow; slug: string },
): Promise<{ slug?: string; takes_slug: string | null }> {
  if (slug === row.slug) return { takes_slug: null }
  const takesOwn = await takesOwnSlug(ctx, row.created_by, { slug, replacesOwn: false })
  return takesOwn ? { takes_slug: slug } : { slug, takes_slug: null }
}

/** Returns the remark set at the start of the upload, or `null` if the upload is no longer pending. */
async function remarkOf(
  ctx: Needs<'database' | 'db'>,
  actor: Actor,
  name: UploadName,
): Promise<string | null> {
  try {
    return (await getPendingUpload(ctx, actor, name)).remark
  } catch {
    return null
  }
}

export const settingsSealContext = (fileId: string) => `url-upload:${fileId}`

export interface StartedParts {
  readonly reservation: Reservation
  readonly source: Described
  readonly uploadId: string
  readonly partSizeBytes: number
  readonly sizeBytes: number
  readonly urls: ReadonlyArray<{ partNumber: number; url: string }>
  readonly settings: ShareSettings
}

function partsFor(body: InitBody, sizeBytes: number): { partSizeBytes: number; count: number } {
  const plan = planParts(sizeBytes)
  const asked = body.part_size
  const partSizeBytes = asked !== null && asked >= plan.partSizeBytes ? asked : plan.partSizeBytes
  const count = Math.max(1, sizeBytes === 0 ? (body.part_count ?? 1) : Math.ceil(sizeBytes / partSizeBytes))
  return { partSizeBytes, count: Math.min(count, PARTS_MAX) }
}

/**
 * Starts the multipart upload of a reserved share or object of a bundle, and stores the settings of the share. @throws
 * {AppError} `file.parts_invalid`
 */
export async function createParts(
  ctx: Needs<'clock' | 'db' | 'secrets' | 'unfinished'>,
  { row, config, driver, key }: Reservation,
  settings: ShareSettings,
): Promise<UploadRef> {
  const { multipart } = driver
  if (!multipart) throw new AppError(fileErrors.parts_invalid, { params: { detail: config.provider_type } })
  return ctx.unfinished.whileBegun({ configId: config.id, key, driver }, async () => {
    const begun = await multipart.create(key, { contentType: row.mimetype })
    await urlUploadsRepository(ctx.db).insert({
      file_id: row.id,
      storage_config_id: config.id,
      storage_key: key,
      storage_upload_id: begun.uploadId,
      wishes_sealed: ctx.secrets.seal(JSON.stringify(settings), settingsSealContext(row.id)),
      created_at_ms: ctx.clock.nowMs(),
    })
    return begun
  })
}

/**
 * Reserves a share for a URL that the client fetches and uploads in parts.
 * @throws {AppError} as {@link presignFetched} and {@link createParts}; `share.pin_needs_ask`
 */
export async function beginParts(
  ctx: PlaceNeeds & Needs<'database' | 'fetcher' | 'log' | 'unfinished'>,
  actor: Actor,
  body: InitBody,
): Promise<StartedParts> {
  const found = await describe(ctx, body)
  const source = { ...found, sizeBytes: body.total_size ?? found.sizeBytes }
  const reservation = await reserve(ctx, actor, { body, source })
  const { row, config, driver } = reservation
  try {
    const settings = shareSettingsOf(body)
    const upload = await createParts(ctx, reservation, settings)
    const sizeBytes = source.sizeBytes ?? 0
    const { partSizeBytes, count } = partsFor(body, sizeBytes)
    const expiresInSeconds = config.signature_expires_in
    const issuer = issuerOf(actor, 'file')
    const urls = []
    for (let partNumber = 1; partNumber <= count; partNumber += 1) {
      // If the size is unknown, each part can have the full size, up to the upload limit in total.
      const restBytes = (source.sizeBytes ?? reservation.maxBytes) - (partNumber - 1) * partSizeBytes
      const maxBytes = Math.max(0, Math.min(partSizeBytes, restBytes))
      const url = await driver.links.part(upload, partNumber, { expiresInSeconds, maxBytes, issuer })
      urls.push({ partNumber, url })
    }
    return { reservation, source, uploadId: upload.uploadId, partSizeBytes, sizeBytes, urls, settings }
  } catch (error) {
    await cancelUpload(ctx, actor, { fileId: row.id })
    throw error
  }
}

/**
 * Finds the multipart upload of a pending share or object of a bundle.
 * @param ids without `uploadId`, the other ids alone identify the upload
 * @throws {AppError} as `getPendingUpload`; `file.not_found` without a multipart upload
 */
export async function getParts(
  ctx: Needs<'database' | 'db'>,
  actor: Actor,
  { uploadId, ...name }: UploadName & { uploadId?: string },
) {
  const row = await getPendingUpload(ctx, actor, name)
  const upload = await urlUploadsRepository(ctx.db).find(row.id)
  if (!upload || (uploadId !== undefined && upload.storage_upload_id !== uploadId))
    throw new AppError(fileErrors.not_found)
  return { row, upload }
}

export async function multipartOf(ctx: Needs<'db' | 'storage'>, configId: string) {
  const { multipart } = await driverOf(ctx, await getConfig(ctx, configId))
  if (!multipart) throw new Error('The storage takes no parts any more.')
  return multipart
}

export const refOf = (upload: { storage_key: string; storage_upload_id: string }): UploadRef => ({
  key: parseStorageKey(upload.storage_key),
  uploadId: upload.storage_upload_id,
})

const plainEtag = (etag: string) => etag.replace(/^W\//, '').replaceAll('"', '')

/** Joins the parts into the share. @throws {AppError} as {@link getParts} and {@link joinParts} */
export async function completeParts(ctx: UploadNeeds, actor: Actor, body: CompleteBody): Promise<FileRow> {
  const { row, upload } = await getParts(ctx, actor, { fileId: body.file_id, uploadId: body.upload_id })
  const parts = body.parts
    .map(({ partNumber, etag }) => ({ partNumber, etag: plainEtag(etag) }))
    .sort((a, b) => a.partNumber - b.partNumber)
  return joinParts(ctx, actor, { row, upload, parts, sizeBytes: null })
}

interface JoinOrder {
  readonly row: FileRow
  readonly upload: UrlUploadsTable
  /** Parts in ascending order, or `null` if the storage has already joined them. */
  readonly parts: ReadonlyArray<{ partNumber: number; etag: string }> | null
  /** Required total size, if known. */
  readonly sizeBytes: number | null
  /** Bundle of which the upload becomes an object. */
  readonly bundleId?: string | undefined
}

/**
 * Joins parts into their share. Concurrent calls return the same share.
 * @throws {AppError} `file.parts_invalid`; `bundle.not_sealed`, which deletes the upload; as `commitUpload`
 */
export const joinParts = (ctx: UploadNeeds, actor: Actor, order: JoinOrder): Promise<FileRow> =>
  joining.run(order.upload.file_id, () => joinOnce(ctx, actor, order))

/**
 * Running joins, keyed by share. Concurrent calls share a join, because a local disk would otherwise join the parts
 * once per call.
 */
const joining = new SharedRuns<FileRow>()

async function joinOnce(
  ctx: UploadNeeds,
  actor: Actor,
  { row, upload, parts, sizeBytes, bundleId }: JoinOrder,
): Promise<FileRow> {
  if (parts !== null) await joinStored(ctx, upload, parts)
  await requireSealedObject(ctx, row)
  const settings = JSON.parse(
    ctx.secrets.open(upload.wishes_sealed, settingsSealContext(upload.file_id)),
  ) as ShareSettings
  const name = { fileId: upload.file_id, bundleId }
  const done = await commitNamed(ctx, actor, name, {
    etag: null,
    size: sizeBytes,
    remark: settings.remark ?? (await remarkOf(ctx, actor, name)),
    password: settings.password,
    expires_in: settings.expiresInHours,
    max_views: settings.maxViews,
    // Settings that an earlier version stored contain neither of these fields.
    opening: settings.opening ?? null,
    pin: settings.pin ?? null,
  })
  await urlUploadsRepository(ctx.db).delete(upload.file_id)
  return done
}

async function joinStored(
  ctx: Needs<'db' | 'storage'>,
  upload: UrlUploadsTable,
  parts: ReadonlyArray<{ partNumber: number; etag: string }>,
): Promise<void> {
  const multipart = await multipartOf(ctx, upload.storage_config_id)
  try {
    await multipart.complete(refOf(upload), parts)
  } catch (error) {
    // The storage reports a missing upload if an earlier call joined the parts and its response was lost.
    const isJoined = error instanceof StorageError && error.code === 'storage.not_found'
    const isInvalid = error instanceof StorageError && error.code === 'storage.invalid_part'
    if (isInvalid)
      throw new AppError(fileErrors.parts_invalid, { params: { detail: error.message }, cause: error })
    if (!isJoined) throw error
  }
}

export async function abortParts(
  ctx: StorageNeeds & Needs<'database' | 'log'>,
  actor: Actor,
  ids: UploadName & { uploadId?: string },
): Promise<void> {
  const { row, upload } = await getParts(ctx, actor, ids)
  await (await multipartOf(ctx, upload.storage_config_id)).abort(refOf(upload))
  await urlUploadsRepository(ctx.db).delete(row.id)
  await cancelUpload(ctx, actor, ids)
}

export const isShareUpload = (ctx: Needs<'db'>, configId: string, uploadId: string): Promise<boolean> =>
  urlUploadsRepository(ctx.db).isAlive(configId, uploadId)

const SWEEP_BATCH = 100

/** Aborts multipart uploads whose share or object of a bundle has been committed or deleted. */
export async function sweepParts(ctx: Needs<'db' | 'log' | 'storage'>): Promise<void> {
  const repository = urlUploadsRepository(ctx.db)
  // A storage that does not respond must not delay the others.
  const failed = new Set<string>()
  for (let after: string | undefined = ''; after !== undefined;) {
    const page = await repository.findOrphans({ after, limit: SWEEP_BATCH })
    for (const upload of page.filter((one) => !failed.has(one.storage_config_id))) {
      try {
        await (await multipartOf(ctx, upload.storage_config_id)).abort(refOf(upload))
        await repository.delete(upload.file_id)
      } catch (error) {
        failed.add(upload.storage_config_id)
        ctx.log.warn({ err: error, key: upload.storage_key }, 'the parts of an upload could not be removed')
      }
    }
    after = page.at(-1)?.file_id
  }
}
