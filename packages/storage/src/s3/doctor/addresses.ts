import { isIP } from 'node:net'

/** Whether the bucket can be a part of the host's name there. */
export function takesBucketInHost(endpointUrl: string): boolean {
  const { hostname } = new URL(endpointUrl)
  return isIP(hostname.replace(/^\[|\]$/g, '')) === 0
}

/** The endpoint without the bucket that it names by mistake, at the front of its host or at the end of its path; or null. */
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

/** Where the bucket is, as the style says. */
export function bucketUrl(o: { endpointUrl: string; bucket: string; pathStyle: boolean }): string {
  const url = new URL(o.endpointUrl)
  const base = url.pathname.replace(/\/+$/, '')
  if (o.pathStyle || !takesBucketInHost(o.endpointUrl))
    url.pathname = `${base}/${encodeURIComponent(o.bucket)}`
  else url.hostname = `${o.bucket}.${url.hostname}`
  return url.toString()
}
