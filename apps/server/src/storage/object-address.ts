import { LOCAL_DISK_PROVIDER } from '@dropleaf/contract'
import { objectUrl, parseForeignKey } from '@dropleaf/storage'
import type { DriverSource } from './drivers.ts'

const encodeKey = (key: string) => key.split('/').map(encodeURIComponent).join('/')

/** An object's address without a signature, at its bucket or at our own local disk; it opens nothing that is not public. */
export function objectAddress(
  origin: string,
  { config, key }: { config: DriverSource; key: string },
): string {
  if (config.provider_type === LOCAL_DISK_PROVIDER)
    return `${origin}/api/storage/${config.id}/${encodeKey(key)}`
  const bucket = config.bucket_name
  return objectUrl(
    { endpointUrl: config.endpoint_url, bucket, pathStyle: config.path_style === 1 },
    parseForeignKey(key),
  )
}
