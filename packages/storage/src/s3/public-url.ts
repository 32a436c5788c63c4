import type { StorageKey } from '../keys.ts'
import type { S3DriverOptions } from './client.ts'

/** Where a bucket is: of the options of a driver. */
type BucketAddress = Pick<S3DriverOptions, 'endpointUrl' | 'bucket' | 'pathStyle'>

const encodePath = (path: string): string => path.split('/').map(encodeURIComponent).join('/')

/** An object's address at the endpoint, without a signature: it opens nothing that is not public. */
export function objectUrl({ endpointUrl, bucket, pathStyle }: BucketAddress, key: StorageKey): string {
  const endpoint = endpointUrl.replace(/\/+$/, '')
  if (pathStyle) return `${endpoint}/${bucket}/${encodePath(key)}`
  return `${endpoint.replace('://', `://${bucket}.`)}/${encodePath(key)}`
}

interface PublicAddress {
  /** With scheme; null where the bucket has no public address. */
  customHost: string | null
  bucket: string
  pathStyle: boolean
}

/**
 * An object's address under the custom host, `<customHost>[/<bucket> with path style]/<key>`, or null without one.
 * @param signedUrl a link of the storage whose signed query goes along.
 */
export function publicUrl(o: PublicAddress, key: StorageKey, signedUrl?: string): string | null {
  if (o.customHost === null) return null
  const path = encodePath(o.pathStyle ? `${o.bucket}/${key}` : key)
  const query = signedUrl === undefined ? '' : new URL(signedUrl).search
  return `${o.customHost.replace(/\/+$/, '')}/${path}${query}`
}
