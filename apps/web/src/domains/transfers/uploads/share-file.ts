import { fileRoutes, storageConfigRoutes } from '@dropleaf/contract'
import { ApiError } from '../../../lib/api-error.ts'
import { serverAddress } from '../../../lib/server-address.ts'
import { api } from '../../api/api-client.ts'
import { routeUrl } from '../../api/route-url.ts'
import { findFileKind } from '../../preview/kinds/file-kind.ts'
import { fileShareUrl } from './file-share-url.ts'
import type { UploadOptions } from './share-transports.ts'
import { addShares, isSettled } from './share-uploads.ts'
import { uploads } from './uploads.ts'

export interface SharedFile {
  /** URL of the bytes of an image, or of the page of any other file. */
  readonly address: string
  readonly page: string
  readonly isImage: boolean
}

export function sharedFileOf({ name, slug }: { name: string; slug: string }): SharedFile {
  const isImage = findFileKind({ mimetype: '', filename: name }) === 'image'
  const page = fileShareUrl(slug)
  const address = isImage
    ? new URL(routeUrl(fileRoutes.view.path, { params: { slug } }), serverAddress()).href
    : page
  return { address, page, isImage }
}

/**
 * Returns options in which only the storage is set, and the provider of that storage: the default storage, or the first
 * one if none is the default.
 * @throws {ApiError} `storage.none` if there is no storage, or the error of the request
 */
export async function plainPlace(
  signal?: AbortSignal,
): Promise<{ readonly options: UploadOptions; readonly providerType: string }> {
  const { data: storages } = await api(storageConfigRoutes.list, signal ? { signal } : {})
  const storage = storages.find(({ is_default: isDefault }) => isDefault === 1) ?? storages[0]
  if (!storage) throw new ApiError({ kind: 'http', code: 'storage.none', message: 'There is no storage.' })
  const options = {
    configId: storage.id,
    folder: '',
    remark: '',
    slug: '',
    password: '',
    expiresInHours: 0,
    maxViews: 0,
    opening: 'direct',
    pin: '',
  } as const
  return { options, providerType: storage.provider_type }
}

const cancelled = () =>
  new ApiError({ kind: 'cancelled', code: 'client.cancelled', message: 'The upload was cancelled.' })

/**
 * Shares a file in the default storage, without expiry.
 * @throws {ApiError} also if the user cancels the upload in the tray
 * @throws {UploadError} if the upload fails in this browser, for example because the file can no longer be read
 * @throws the reason of a signal that is aborted before the upload starts
 */
export async function shareFile(
  file: File,
  { signal, onProgress }: { signal: AbortSignal; onProgress: (share: number) => void },
): Promise<SharedFile> {
  const { options } = await plainPlace(signal)
  signal.throwIfAborted()
  const [entry] = addShares([{ file, handle: null, number: null }], options)
  const key = entry?.key ?? ''
  const cancel = () => uploads.cancel([key])
  signal.addEventListener('abort', cancel)
  return new Promise<SharedFile>((resolve, reject) => {
    const look = () => {
      const now = uploads.get(key)
      if (now && !isSettled(now)) {
        onProgress(now.sizeBytes === 0 ? 0 : now.sentBytes / now.sizeBytes)
        return
      }
      stop()
      signal.removeEventListener('abort', cancel)
      const slug = now?.result?.slug
      if (slug) {
        resolve(sharedFileOf({ name: file.name, slug }))
        return
      }
      uploads.forget([key])
      reject(now?.error?.cause ?? now?.error ?? cancelled())
    }
    const stop = uploads.subscribe(look)
    look()
  })
}
