import type { AppContext } from '../../context.ts'
import { absoluteUrl, storageAddress } from '../../http/urls.ts'
import { toInstant, toInstantOrNull } from '../../lib/clock.ts'
import { inferMimeType } from '../../lib/mime.ts'
import type { VirtualPath } from '../../lib/paths.ts'
import { type Entry, signedPair } from './reading.usecases.ts'
import type { WrittenFile } from './writing.usecases.ts'

const FOLDER_TYPE = 'application/x-directory'

export const lastSegment = (path: string): string => path.slice(path.lastIndexOf('/') + 1)

/** Folders are written with a slash at the end. */
const folderPath = (path: VirtualPath) => (path === '/' ? path : `${path}/`)

/** What lies at a path, for `get`. */
export async function presentEntry(ctx: AppContext, entry: Entry, origin: string) {
  if (entry.kind === 'virtual') {
    return {
      path: folderPath(entry.path),
      name: lastSegment(entry.path),
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
  const name = lastSegment(place.path)
  if (entry.kind === 'folder') {
    const modified = toInstantOrNull(entry.modifiedAtMs)
    const path = folderPath(place.path)
    return { path, name, isDirectory: true, size: 0, modified, contentType: FOLDER_TYPE, ...mount }
  }
  const { stat } = entry
  const links = await signedPair(ctx, { place, stat })
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

/** A lasting name of an object, for clients that want an id of what they stored. */
export const objectId = (ctx: AppContext, object: { configId: string; key: string }): string =>
  ctx.secrets.fingerprint(`object:${object.configId}:${object.key}`).slice(0, 32)

export function presentStored(ctx: AppContext, file: WrittenFile, origin: string) {
  const object = { configId: file.place.config.id, key: file.key }
  return {
    success: true as const,
    fileId: objectId(ctx, object),
    fileName: lastSegment(file.key),
    size: file.stat.sizeBytes,
    contentType: file.contentType,
    s3Path: file.key as string,
    s3Url: storageAddress(origin, object),
    etag: file.stat.etag,
    slug: null,
    sha256: file.sha256,
    path: file.place.path as string,
    message: 'OK',
  }
}
