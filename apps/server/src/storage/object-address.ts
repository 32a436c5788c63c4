import { LOCAL_DISK_PROVIDER } from '@dropleaf/contract'
import { objectUrl, parseForeignKey } from '@dropleaf/storage'
import type { DriverSource } from './drivers.ts'

const encodeKey = (key: string) => key.split('/').map(encodeURIComponent).join('/')

/** Returns the unsigned URL of an object, in its bucket or on our local disk. The URL only works for public objects. */
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
