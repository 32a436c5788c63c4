import { WEBDAV_PREFIX, webdavErrors } from '@dropleaf/contract'
import type { Config } from '../../../config/config.ts'
import { withoutBasePath } from '../../../lib/urls.ts'
import { AppError } from '../../../lib/app-error.ts'

/** Returns the root path of the drive, as clients see it. */
export const driveRootOf = ({ basePath }: Pick<Config, 'basePath'>): string => basePath + WEBDAV_PREFIX

/** Matches path segments that need no escaping. Most names match. */
const PLAIN = /^[\w.~-]*$/

const encodeSegment = (segment: string): string =>
  PLAIN.test(segment) ? segment : encodeURIComponent(segment)

/**
 * Builds the `DAV:href` of a path: an absolute path with escaped segments.
 * @param root see {@link driveRootOf}
 * @param path virtual path; the path of a folder can end in a slash.
 * @param isFolder whether to end the result in a slash.
 */
export function hrefOf(root: string, path: string, { isFolder }: { isFolder: boolean }): string {
  const encoded = path.split('/').map(encodeSegment).join('/').replace(/\/+$/, '')
  return `${root}${encoded}${isFolder ? '/' : ''}`
}

/** Builds the `href` of an entry in a folder. The folder's `href` ends in a slash. */
export const hrefIn = (folderHref: string, name: string, isFolder: boolean): string =>
  `${folderHref}${encodeSegment(name)}${isFolder ? '/' : ''}`

const isOnDrive = (address: string): boolean =>
  address === WEBDAV_PREFIX || address.startsWith(`${WEBDAV_PREFIX}/`)

/**
 * Returns the virtual path of a URL without normalizing it; `requireAccess` rejects `..` and hidden characters.
 * @param address path of a URL, without query.
 * @returns `null` for a URL outside the drive, or a URL with invalid escapes.
 */
export function pathOfAddress(address: string): string | null {
  if (!isOnDrive(address)) return null
  const rest = address.slice(WEBDAV_PREFIX.length).replace(/\/{2,}/g, '/')
  try {
    return decodeURIComponent(rest === '' ? '/' : rest)
  } catch {
    return null
  }
}

/**
 * Returns the path of a URL in a `Destination` or `If` header. Ignores the host and scheme, because proxies rewrite
 * them.
 * @throws {AppError} `webdav.header_invalid`, `webdav.target_elsewhere`
 */
export function pathOfUrl(url: string, { header, basePath }: { header: string; basePath: string }): string {
  const whole = /^(?:[a-z][a-z0-9+.-]*:\/\/[^/?#]*)?(\/[^?#]*)?(?:[?#].*)?$/i.exec(url.trim())?.[1]
  if (whole === undefined) throw new AppError(webdavErrors.header_invalid, { params: { header } })
  const path = withoutBasePath(whole, basePath)
  if (!isOnDrive(path)) throw new AppError(webdavErrors.target_elsewhere)
  const found = pathOfAddress(path)
  if (found === null) throw new AppError(webdavErrors.header_invalid, { params: { header } })
  return found
}
