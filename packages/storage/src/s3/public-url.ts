import type { StorageKey } from '../keys.ts'

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
  const path = [...(o.pathStyle ? [o.bucket] : []), ...key.split('/')].map(encodeURIComponent).join('/')
  const query = signedUrl === undefined ? '' : new URL(signedUrl).search
  return `${o.customHost.replace(/\/+$/, '')}/${path}${query}`
}
