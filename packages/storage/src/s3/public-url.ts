import type { StorageKey } from '../keys.ts'
import type { S3DriverOptions } from './client.ts'

type BucketAddress = Pick<S3DriverOptions, 'endpointUrl' | 'bucket' | 'pathStyle'>

const encodePath = (path: string): string => path.split('/').map(encodeURIComponent).join('/')

/** Returns an object's unsigned URL at the endpoint, which works only for public objects. */
export function objectUrl({ endpointUrl, bucket, pathStyle }: BucketAddress, key: StorageKey): string {
  const endpoint = endpointUrl.replace(/\/+$/, '')
  if (pathStyle) return `${endpoint}/${bucket}/${encodePath(key)}`
  return `${endpoint.replace('://', `://${bucket}.`)}/${encodePath(key)}`
}

interface PublicAddress {
  /** URL with scheme; null if the bucket has no public URL. */
  customHost: string | null
  bucket: string
  pathStyle: boolean
}

/**
 * Returns an object's URL under the custom host, `<customHost>[/<bucket> with path style]/<key>`; null without a custom
 * host.
 * @param signedUrl a link of the storage whose signed query is appended
 */
export function publicUrl(o: PublicAddress, key: StorageKey, signedUrl?: string): string | null {
  if (o.customHost === null) return null
  const path = encodePath(o.pathStyle ? `${o.bucket}/${key}` : key)
  const query = signedUrl === undefined ? '' : new URL(signedUrl).search
  return `${o.customHost.replace(/\/+$/, '')}/${path}${query}`
}
