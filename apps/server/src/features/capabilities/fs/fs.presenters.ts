import type { FsProperties } from '@dropleaf/contract'
import type { Needs } from '../../../context.ts'
import { absoluteUrl } from '../../../lib/urls.ts'
import { toInstant, toInstantOrNull } from '../../../lib/clock.ts'
import { inferMimeType } from '../../../lib/mime.ts'
import type { VirtualPath } from '../../../lib/paths.ts'
import { objectAddress } from '../../../storage/object-address.ts'
import { nameOf } from '../../../lib/object-names.ts'
import type { Actor } from '../../foundation/identity/actor.models.ts'
import type { FileRow } from '../files/files.table.ts'
import { type PartUrl, planOf } from './uploads/multipart.usecases.ts'
import type { Properties } from './files/properties.usecases.ts'
import { type Entry, signedPair } from './files/reading.usecases.ts'
import type { Finished, Session } from './uploads/upload-sessions.usecases.ts'
import type { FsUploadRow } from './uploads/uploads.table.ts'
import type { WrittenFile } from './files/writing.usecases.ts'

const FOLDER_TYPE = 'application/x-directory'

const folderPath = (path: VirtualPath) => (path === '/' ? path : `${path}/`)

export async function presentEntry(
  ctx: Needs<'caches' | 'clock'>,
  { actor, entry, origin }: { actor: Actor; entry: Entry; origin: string },
) {
  if (entry.kind === 'virtual') {
    return {
      path: folderPath(entry.path),
      name: nameOf(entry.path),
      isDirectory: true,
      isVirtual: true,
      size: 0,
      modified: null,
      contentType: FOLDER_TYPE,
      mount_id: null,
      storage_type: null,
    }
  }
  const { place } = entry
  const mount = { mount_id: place.mount.id, storage_type: place.mount.storage_type, isVirtual: false }
  const name = nameOf(place.path)
  if (entry.kind === 'folder') {
    const modified = toInstantOrNull(entry.modifiedAtMs)
    const path = folderPath(place.path)
    return { path, name, isDirectory: true, size: 0, modified, contentType: FOLDER_TYPE, ...mount }
  }
  const { stat } = entry
  const links = await signedPair(ctx, actor, { place, stat })
  return {
    path: place.path as string,
    name,
    isDirectory: false,
    size: stat.sizeBytes,
    modified: toInstant(stat.modifiedAtMs),
    contentType: inferMimeType(name),
    etag: stat.etag,
    ...mount,
    preview_url: absoluteUrl(origin, links.preview),
    download_url: absoluteUrl(origin, links.download),
  }
}

export function presentProperties(
  { entry, files, folders, bytes, isComplete }: Properties,
  share: FileRow | null,
): FsProperties {
  const place = entry.kind === 'virtual' ? null : entry.place
  const path = place ? place.path : (entry as { path: VirtualPath }).path
  const stat = entry.kind === 'file' ? entry.stat : null
  const modifiedAtMs = entry.kind === 'folder' ? entry.modifiedAtMs : (stat?.modifiedAtMs ?? null)
  return {
    path: stat ? path : folderPath(path),
    name: nameOf(path),
    isDirectory: stat === null,
    isVirtual: place === null,
    size: bytes,
    files,
    folders,
    complete: isComplete,
    modified: toInstantOrNull(modifiedAtMs),
    contentType: stat ? inferMimeType(nameOf(path)) : null,
    etag: stat?.etag ?? null,
    mount: place && { id: place.mount.id, name: place.mount.name, path: place.mount.mount_path },
    share: share && { id: share.id, slug: share.slug },
  }
}

/** Returns a stable ID of an object, for clients that expect an ID. */
const objectId = (ctx: Needs<'secrets'>, object: { configId: string; key: string }): string =>
  ctx.secrets.fingerprint(`object:${object.configId}:${object.key}`).slice(0, 32)

export function presentFinished({ row, place, sizeBytes, etag }: Finished, origin: string) {
  const s3Url = objectAddress(origin, { config: place.config, key: row.storage_key })
  return {
    success: true as const,
    fileId: row.id,
    fileName: nameOf(row.path),
    size: sizeBytes,
    contentType: row.content_type,
    s3Path: row.storage_key,
    s3Url,
    etag,
    slug: null,
    path: row.path,
    location: s3Url,
    message: 'OK',
  }
}

export const presentUrls = (urls: readonly PartUrl[], origin: string) =>
  urls.map(({ partNumber, url }) => ({ partNumber, url: absoluteUrl(origin, url) }))

export function presentMultipart(
  { session, urls }: { session: Session; urls: readonly PartUrl[] },
  origin: string,
) {
  const { row, place } = session
  const { partSizeBytes, partCount } = planOf(session)
  return {
    uploadId: row.id,
    fileId: row.id,
    bucket: place.config.bucket_name,
    key: row.storage_key,
    partSize: partSizeBytes,
    partCount,
    presignedUrls: presentUrls(urls, origin),
    mount_id: row.mount_id,
    path: row.path,
    storage_type: place.mount.storage_type,
  }
}

export function presentPresigned({ session, url }: { session: Session; url: string }, origin: string) {
  const { row, place } = session
  return {
    presignedUrl: absoluteUrl(origin, url),
    fileId: row.id,
    s3Path: row.storage_key,
    s3Url: objectAddress(origin, { config: place.config, key: row.storage_key }),
    mountId: row.mount_id,
    s3ConfigId: row.storage_config_id,
    targetPath: row.path,
    contentType: row.content_type,
  }
}

export const presentUpload = (row: FsUploadRow) => ({
  uploadId: row.id,
  path: row.path,
  fileName: nameOf(row.path),
  fileSize: row.size_bytes,
  partSize: row.part_size_bytes,
  partCount: row.part_count,
  mount_id: row.mount_id,
  createdAt: toInstant(row.created_at_ms),
  expiresAt: toInstant(row.expires_at_ms),
})

export function presentStored(ctx: Needs<'secrets'>, file: WrittenFile, origin: string) {
  const { config } = file.place
  return {
    success: true as const,
    fileId: objectId(ctx, { configId: config.id, key: file.key }),
    fileName: nameOf(file.key),
    size: file.stat.sizeBytes,
    contentType: file.contentType,
    s3Path: file.key as string,
    s3Url: objectAddress(origin, { config, key: file.key }),
    etag: file.stat.etag,
    slug: null,
    ...(file.sha256 !== null && { sha256: file.sha256 }),
    path: file.place.path as string,
    message: 'OK',
  }
}
