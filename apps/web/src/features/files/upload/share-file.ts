import { fileRoutes, storageConfigRoutes } from '@dropleaf/contract'
import { paths } from '../../../lib/paths.ts'
import { api } from '../../../domains/api/api-client.ts'
import { routeUrl } from '../../../domains/api/route-url.ts'
import { ApiError } from '../../../lib/api-error.ts'
import { serverAddress } from '../../../lib/server-address.ts'
import { findFileKind } from '../../../domains/preview/kinds/file-kind.ts'
import { uploadTransport } from './upload-transport.ts'

interface SharedFile {
  /** URL of the bytes for an image, of the page for any other file. */
  readonly address: string
  /** URL of the page. */
  readonly page: string
  readonly isImage: boolean
}

async function defaultStorageId(signal: AbortSignal): Promise<string> {
  const { data: storages } = await api(storageConfigRoutes.list, { signal })
  const storage = storages.find(({ is_default: isDefault }) => isDefault === 1) ?? storages[0]
  if (storage) return storage.id
  throw new ApiError({ kind: 'http', code: 'storage.none', message: 'There is no storage.' })
}

/** Shares a file in the default storage, without expiry. @throws {ApiError} */
export async function shareFile(
  file: File,
  { signal, onProgress }: { signal: AbortSignal; onProgress: (share: number) => void },
): Promise<SharedFile> {
  const options = {
    configId: await defaultStorageId(signal),
    folder: '',
    remark: '',
    slug: '',
    password: '',
    expiresInHours: 0,
    maxViews: 0,
    opening: 'direct',
    pin: '',
  } as const
  const reservation = await uploadTransport.reserve({ file, options, slug: '', signal })
  try {
    const etag = await uploadTransport.send({
      reservation,
      file,
      signal,
      onProgress: (sentBytes) => onProgress(file.size === 0 ? 1 : sentBytes / file.size),
    })
    const slug = await uploadTransport.commit({ reservation, file, options, etag, signal })
    const isImage = findFileKind({ mimetype: file.type, filename: file.name }) === 'image'
    const page = serverAddress() + paths.file(slug)
    const address = isImage
      ? new URL(routeUrl(fileRoutes.view.path, { params: { slug } }), serverAddress()).href
      : page
    return { address, page, isImage }
  } catch (error) {
    uploadTransport.discard(reservation.fileId).catch(() => undefined)
    throw error
  }
}
