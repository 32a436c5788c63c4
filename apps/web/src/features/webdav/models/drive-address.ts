import { WEBDAV_PREFIX } from '@dropleaf/contract'

/** A folder of the drive. */
export interface DriveFolder {
  /** Scheme, host and port of the server. */
  readonly origin: string
  /** Virtual path without a trailing slash; `''` for the root. */
  readonly path: string
}

/** Encodes a path segment, including characters that shells interpret. */
const encodeSegment = (segment: string): string =>
  encodeURIComponent(segment).replace(
    /[!'()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  )

/** Returns the encoded URL, which every client accepts. */
export const addressOf = ({ origin, path }: DriveFolder): string =>
  `${origin}${WEBDAV_PREFIX}${path.split('/').map(encodeSegment).join('/')}/`

/** Returns the unencoded URL, for clients that encode URLs themselves. */
export const plainAddressOf = ({ origin, path }: DriveFolder): string => `${origin}${WEBDAV_PREFIX}${path}/`

export const isSecure = (origin: string): boolean => origin.startsWith('https:')

/** Whether others can read the traffic: the connection is unencrypted and not local. */
export function isReadableOnTheWay(origin: string): boolean {
  const { protocol, hostname } = new URL(origin)
  const isHere = hostname === 'localhost' || hostname.endsWith('.localhost') || hostname === '[::1]'
  return protocol === 'http:' && !isHere && !/^127(?:\.\d+){3}$/.test(hostname)
}
