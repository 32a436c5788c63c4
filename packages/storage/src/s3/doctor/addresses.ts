import { isIP } from 'node:net'

/** Whether the bucket can be part of the endpoint's host name. */
export function takesBucketInHost(endpointUrl: string): boolean {
  const { hostname } = new URL(endpointUrl)
  return isIP(hostname.replace(/^\[|\]$/g, '')) === 0
}

/**
 * Returns the endpoint without the bucket name if the endpoint contains this name by mistake, otherwise null. The name
 * can be at the start of the host or at the end of the path.
 */
export function endpointWithoutBucket(endpointUrl: string, bucket: string): string | null {
  const url = new URL(endpointUrl)
  const path = url.pathname.replace(/\/+$/, '')
  if (path === `/${bucket}` || path.endsWith(`/${bucket}`)) {
    url.pathname = path.slice(0, -bucket.length - 1)
  } else if (url.hostname.startsWith(`${bucket.toLowerCase()}.`)) {
    url.hostname = url.hostname.slice(bucket.length + 1)
  } else {
    return null
  }
  return url.toString().replace(/\/+$/, '')
}

export function bucketUrl(o: { endpointUrl: string; bucket: string; pathStyle: boolean }): string {
  const url = new URL(o.endpointUrl)
  const base = url.pathname.replace(/\/+$/, '')
  if (o.pathStyle || !takesBucketInHost(o.endpointUrl))
    url.pathname = `${base}/${encodeURIComponent(o.bucket)}`
  else url.hostname = `${o.bucket}.${url.hostname}`
  return url.toString()
}
