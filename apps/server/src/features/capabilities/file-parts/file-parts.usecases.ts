import type { Readable } from 'node:stream'
import { fileErrors, type filePartRoutes, type ParsedOf } from '@dropleaf/contract'
import { type PartPlan, type PartStat, StorageError, type UploadRef } from '@dropleaf/storage'
import type { Needs, PlaceNeeds, UploadNeeds } from '../../../context.ts'
import { AppError } from '../../../lib/app-error.ts'
import { relayBody } from '../../../lib/bodies/relay-body.ts'
import { type Actor } from '../../foundation/identity/actor.models.ts'
import { issuerOf } from '../../foundation/link-issuers/link-issuers.usecases.ts'
import { usageOf } from '../../foundation/storage-usage/storage-usage.usecases.ts'
import type { FileRow } from '../files/files.table.ts'
import {
  cancelUpload,
  extendPending,
  findCommitted,
  type UploadName,
} from '../files/uploads/pending-uploads.usecases.ts'
import { planOf } from '../files/uploads/sealed-objects.usecases.ts'
import {
  placementOf,
  type ReserveInput,
  reserveUpload,
  type ShareSettings,
  shareSettingsOf,
} from '../files/uploads/uploads.usecases.ts'
import {
  driverOf,
  getConfig,
  requireUploadConfig,
} from '../../foundation/storage-configs/storage-configs.usecases.ts'
import {
  createParts,
  getParts,
  joinParts,
  LIFETIME_MS,
  multipartOf,
  refOf,
} from '../url-import/url-uploads.usecases.ts'

interface PartUrl {
  readonly partNumber: number
  readonly url: string
}

export interface Progress {
  readonly sizeBytes: number
  readonly plan: PartPlan
  readonly parts: readonly PartStat[]
  readonly urls: readonly PartUrl[]
  readonly isCompleted: boolean
}

const sizeOfPart = ({ partSizeBytes }: PartPlan, partNumber: number, sizeBytes: number) =>
  Math.min(partSizeBytes, sizeBytes - (partNumber - 1) * partSizeBytes)

/** Returns the parts that arrived completely. Incomplete parts have to be sent again. */
const wholeParts = (parts: readonly PartStat[], row: FileRow): PartStat[] => {
  const plan = planOf(row)
  return parts.filter((part) => part.sizeBytes === sizeOfPart(plan, part.partNumber, row.size_bytes))
}

async function signParts(
  ctx: Needs<'db' | 'storage'>,
  actor: Actor,
  { row, upload, arrived }: { row: FileRow; upload: UploadRef; arrived: ReadonlySet<number> },
): Promise<PartUrl[]> {
  const { size_bytes: sizeBytes } = row
  const config = await getConfig(ctx, row.storage_config_id)
  const { links } = await driverOf(ctx, config)
  const plan = planOf(row)
  const expiresInSeconds = config.signature_expires_in
  const issuer = issuerOf(actor, 'file')
  const urls = []
  for (let partNumber = 1; partNumber <= plan.partCount; partNumber += 1) {
    if (arrived.has(partNumber)) continue
    const maxBytes = sizeOfPart(plan, partNumber, sizeBytes)
    urls.push({
      partNumber,
      url: await links.part(upload, partNumber, { expiresInSeconds, maxBytes, issuer }),
    })
  }
  return urls
}

/** An upload in parts, of a share or of a bundle's object. */
export interface PartsOrder extends Omit<ReserveInput, 'kind' | 'lifetimeMs' | 'sizeBytes'> {
  readonly sizeBytes: number
  readonly settings: ShareSettings
}

/**
 * Reserves a share whose file is uploaded in parts. @throws {AppError} as {@link reserveParts}; `share.pin_needs_ask`
 */
export const beginFileParts = (
  ctx: PlaceNeeds & Needs<'database' | 'log' | 'unfinished'>,
  actor: Actor,
  body: ParsedOf<typeof filePartRoutes.init, 'body'>,
) =>
  reserveParts(ctx, actor, {
    ...placementOf(body),
    filename: body.filename,
    sizeBytes: body.size,
    settings: shareSettingsOf(body),
  })

/**
 * Reserves an upload in parts. @throws {AppError} as `reserveUpload`; `file.parts_invalid`
 */
export async function reserveParts(
  ctx: PlaceNeeds & Needs<'database' | 'log' | 'unfinished'>,
  actor: Actor,
  { settings, ...order }: PartsOrder,
) {
  const { sizeBytes } = order
  const reservation = await reserveUpload(ctx, actor, { ...order, kind: 'signed', lifetimeMs: LIFETIME_MS })
  const { row, slug } = reservation
  try {
    const upload = await createParts(ctx, reservation, settings)
    const urls = await signParts(ctx, actor, { row, upload, arrived: new Set() })
    return { row, slug, sizeBytes, plan: planOf(row), urls }
  } catch (error) {
    await cancelUpload(ctx, actor, { fileId: row.id, bundleId: order.bundle?.id })
    throw error
  }
}

/** Lists the received parts in ascending order. @returns `null` if the upload no longer exists in the storage */
async function listParts(
  ctx: Needs<'db' | 'storage'>,
  configId: string,
  upload: UploadRef,
): Promise<PartStat[] | null> {
  const multipart = await multipartOf(ctx, configId)
  const parts: PartStat[] = []
  let cursor: string | undefined
  try {
    do {
      const page = await multipart.listParts(upload, { cursor })
      parts.push(...page.parts)
      cursor = page.nextCursor ?? undefined
    } while (cursor !== undefined)
    return parts
  } catch (error) {
    if (error instanceof StorageError && error.code === 'storage.not_found') return null
    throw error
  }
}

const finished = (row: FileRow): Progress => ({
  sizeBytes: row.size_bytes,
  plan: planOf(row),
  parts: [],
  urls: [],
  isCompleted: true,
})

/**
 * Finds a pending upload and extends its lifetime.
 * @throws {AppError} as `getParts`; `file.upload_expired`
 */
async function getGoing(ctx: Needs<'clock' | 'database' | 'db'>, actor: Actor, name: UploadName) {
  const found = await getParts(ctx, actor, name)
  const nowMs = ctx.clock.nowMs()
  const { upload_expires_at_ms: endsAtMs } = found.row
  if (endsAtMs !== null && endsAtMs <= nowMs) throw new AppError(fileErrors.upload_expired)
  // Each call extends the lifetime, because uploading a large file over a slow connection can take days.
  await extendPending(ctx, name.fileId, nowMs + LIFETIME_MS)
  return found
}

/**
 * Receives one part through the server. Sending a part again replaces it.
 * @param input `requireMay` is called after the last byte.
 * @throws {AppError} as `getParts`; `file.upload_expired`; `file.parts_invalid` if the number or the size is wrong
 */
export async function receiveFilePart(
  ctx: Needs<'clock' | 'database' | 'db' | 'storage'>,
  actor: Actor,
  input: UploadName & {
    partNumber: number
    source: Readable
    sizeBytes: number | undefined
    requireMay: () => Promise<void>
  },
): Promise<string> {
  const { fileId, bundleId, partNumber, source, sizeBytes, requireMay } = input
  const { row, upload } = await getGoing(ctx, actor, { fileId, bundleId })
  const plan = planOf(row)
  const invalid = (detail: string, cause?: unknown) =>
    new AppError(fileErrors.parts_invalid, { params: { detail }, cause })
  if (partNumber > plan.partCount) throw invalid(`${partNumber}/${plan.partCount}`)
  const expected = sizeOfPart(plan, partNumber, row.size_bytes)
  if (sizeBytes !== undefined && sizeBytes !== expected) throw invalid(`${sizeBytes}/${expected}`)
  const multipart = await multipartOf(ctx, upload.storage_config_id)
  const body = relayBody(source, { beforeEnd: requireMay })
  try {
    const limits = { sizeBytes: expected, maxBytes: expected }
    return (await multipart.uploadPart(refOf(upload), partNumber, body, limits)).etag
  } catch (error) {
    if (!(error instanceof StorageError)) throw error
    if (error.code === 'storage.too_large') throw invalid(`> ${expected}`, error)
    throw error.code === 'storage.not_found' ? new AppError(fileErrors.not_found, { cause: error }) : error
  }
}

/**
 * Returns the free capacity of a storage in bytes, or `null` if its capacity is unlimited.
 * @throws {AppError} as `requireUploadConfig`
 */
export async function roomOfStorage(
  ctx: Needs<'clock' | 'database' | 'db'>,
  actor: Actor,
  configId: string | null,
): Promise<number | null> {
  const config = await requireUploadConfig(ctx, actor, configId)
  const capacity = config.total_storage_bytes
  return capacity === null ? null : Math.max(0, capacity - (await usageOf(ctx, config)))
}

/**
 * Returns the progress of an upload, with new URLs for the missing parts.
 * @throws {AppError} as `getParts` and `joinParts`; `file.upload_expired`
 */
export async function lookAtFileParts(ctx: UploadNeeds, actor: Actor, name: UploadName): Promise<Progress> {
  const committed = await findCommitted(ctx, actor, name)
  if (committed) return finished(committed)
  const { row, upload } = await getGoing(ctx, actor, name)
  const { bundleId } = name
  const ref = refOf(upload)
  const parts = await listParts(ctx, upload.storage_config_id, ref)
  // If the storage no longer has the multipart upload, an earlier call joined the parts, but was interrupted before the
  // commit.
  if (parts === null)
    return finished(
      await joinParts(ctx, actor, { row, upload, parts: null, sizeBytes: row.size_bytes, bundleId }),
    )
  const plan = planOf(row)
  const whole = wholeParts(parts, row)
  const urls = await signParts(ctx, actor, {
    row,
    upload: ref,
    arrived: new Set(whole.map(({ partNumber }) => partNumber)),
  })
  return { sizeBytes: row.size_bytes, plan, parts: whole, urls, isCompleted: false }
}

/**
 * Joins the received parts of a share or of a bundle's object. Repeated calls return the same row.
 * @throws {AppError} as `getParts` and `joinParts`; `file.parts_invalid` if parts are missing
 */
export async function completeFileParts(ctx: UploadNeeds, actor: Actor, name: UploadName): Promise<FileRow> {
  const committed = await findCommitted(ctx, actor, name)
  if (committed) return committed
  const { row, upload } = await getParts(ctx, actor, name)
  const parts = await listParts(ctx, upload.storage_config_id, refOf(upload))
  const { partCount } = planOf(row)
  const whole = parts && wholeParts(parts, row)
  // Checks the number of parts before the parts are joined, because missing parts cannot be added afterwards.
  if (whole && whole.length !== partCount) {
    const detail = `${whole.length}/${partCount}`
    throw new AppError(fileErrors.parts_invalid, { params: { detail } })
  }
  return joinParts(ctx, actor, {
    row,
    upload,
    parts: whole,
    sizeBytes: row.size_bytes,
    bundleId: name.bundleId,
  })
}
