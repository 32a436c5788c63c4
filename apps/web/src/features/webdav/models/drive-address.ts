import { WEBDAV_PREFIX } from '@dropleaf/contract'

/** A folder of the drive, as a client reaches it. */
export interface DriveFolder {
  /** Scheme, host and port of the server. */
  readonly origin: string
  /** Virtual path without a slash at its end; `''` for the whole drive. */
  readonly path: string
}

/** Shells read the signs that are left over. */
const encodeSegment = (segment: string): string =>
  encodeURIComponent(segment).replace(
    /[!'()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  )

/** What a client is given, in signs that every one of them takes. */
export const addressOf = ({ origin, path }: DriveFolder): string =>
  `${origin}${WEBDAV_PREFIX}${path.split('/').map(encodeSegment).join('/')}/`

/** The same with names as people write them, for clients that encode them by themselves. */
export const plainAddressOf = ({ origin, path }: DriveFolder): string => `${origin}${WEBDAV_PREFIX}${path}/`

export const isSecure = (origin: string): boolean => origin.startsWith('https:')

/** Whether what is sent to a server could be read on the way. */
export function isReadableOnTheWay(origin: string): boolean {
  const { protocol, hostname } = new URL(origin)
  const isHere = hostname === 'localhost' || hostname.endsWith('.localhost') || hostname === '[::1]'
  return protocol === 'http:' && !isHere && !/^127(?:\.\d+){3}$/.test(hostname)
}
