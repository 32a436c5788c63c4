import { MIB, objectMaxBytes, systemRoutes } from '@dropleaf/contract'
import { queryOptions } from '@tanstack/react-query'
import { api } from '../../api/api-client.ts'

/** Maximum file size if the server does not return a limit, in MiB. */
export const DEFAULT_MAX_UPLOAD_MB = 100

async function readMaxUploadMb(signal?: AbortSignal): Promise<number> {
  const { data } = await api(systemRoutes.maxUploadSize, signal ? { signal } : {})
  return data.max_upload_size
}

/** Query for the largest file that the administrator allows, in MiB. */
export const maxUploadQuery = () =>
  queryOptions({
    queryKey: ['max-upload-size'],
    queryFn: ({ signal }) => readMaxUploadMb(signal),
  })

/**
 * Returns the maximum file size that the administrator allows, in bytes. If the request fails, returns infinity,
 * because the server checks the size too.
 */
export const readMaxUploadBytes = (): Promise<number> =>
  readMaxUploadMb().then(
    (megabytes) => megabytes * MIB,
    () => Number.POSITIVE_INFINITY,
  )

export interface SizeLimits {
  /** The limit that the administrator has set. */
  readonly maxUploadBytes: number
  /** Provider of the storage that receives the file; `null` if it is unknown. */
  readonly providerType: string | null
}

/** Why a file is too large. The settings or the storage set the limit. */
export interface SizeProblem {
  readonly kind: 'settings' | 'storage'
  readonly limitBytes: number
}

/** Returns the lower limit of the settings and the storage. */
export function lowestLimit({ maxUploadBytes, providerType }: SizeLimits): SizeProblem {
  const storageBytes = providerType === null ? Number.POSITIVE_INFINITY : objectMaxBytes(providerType)
  return storageBytes < maxUploadBytes
    ? { kind: 'storage', limitBytes: storageBytes }
    : { kind: 'settings', limitBytes: maxUploadBytes }
}

/** Returns why a file cannot be uploaded, or `null`. */
export function findSizeProblem(sizeBytes: number, limits: SizeLimits): SizeProblem | null {
  const lowest = lowestLimit(limits)
  return sizeBytes > lowest.limitBytes ? lowest : null
}
