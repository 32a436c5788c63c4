import { STATUS_CODES } from 'node:http'
import { LOCK_SCHEME } from './headers.models.ts'
import type { DavLockRow } from '../../foundation/object-locks/locks.repository.ts'
import { escapeText, writeName, type XmlName } from './xml.models.ts'

/** Supported RFC 4918 compliance classes, for the `DAV` header. */
export const DAV_CLASSES = '1, 2, 3'

export const XML_TYPE = 'application/xml; charset=utf-8'
export const XML_HEAD = '<?xml version="1.0" encoding="utf-8"?>\n'
export const MULTISTATUS_START = `${XML_HEAD}<D:multistatus xmlns:D="DAV:">`
export const MULTISTATUS_END = '</D:multistatus>\n'

export const statusLine = (status: number): string =>
  `<D:status>HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}</D:status>`

/**
 * Builds a `propstat` element. Returns an empty text if there are no properties.
 * @param condition violated condition of RFC 4918, section 16
 */
export function propstat(status: number, properties: readonly string[], condition?: string): string {
  if (properties.length === 0) return ''
  const error = condition === undefined ? '' : `<D:error>${condition}</D:error>`
  return `<D:propstat><D:prop>${properties.join('')}</D:prop>${statusLine(status)}${error}</D:propstat>`
}

/** Builds the response element for one resource. @param content its propstats, or its status. */
export const response = (href: string, content: string): string =>
  `<D:response><D:href>${escapeText(href)}</D:href>${content}</D:response>`

/** Builds the response element for a member on which an operation failed. */
export const failedResponse = (href: string, status: number, message: string): string =>
  response(href, `${statusLine(status)}<D:responsedescription>${escapeText(message)}</D:responsedescription>`)

/**
 * @param href URL of the locked resource, as the caller reaches it
 * @param o `isAnonymous`: whether to omit the owner and the token
 */
export function activeLock(
  lock: DavLockRow,
  href: string,
  { nowMs, isAnonymous = false }: { nowMs: number; isAnonymous?: boolean },
): string {
  const secondsLeft = Math.max(1, Math.ceil((lock.expires_at_ms - nowMs) / 1000))
  return [
    '<D:activelock><D:locktype><D:write/></D:locktype>',
    `<D:lockscope>${lock.is_exclusive === 1 ? '<D:exclusive/>' : '<D:shared/>'}</D:lockscope>`,
    `<D:depth>${lock.is_deep === 1 ? 'infinity' : '0'}</D:depth>`,
    isAnonymous ? '' : lock.owner_xml,
    `<D:timeout>Second-${secondsLeft}</D:timeout>`,
    isAnonymous ? '' : `<D:locktoken><D:href>${LOCK_SCHEME}${lock.token}</D:href></D:locktoken>`,
    `<D:lockroot><D:href>${escapeText(href)}</D:href></D:lockroot>`,
    '</D:activelock>',
  ].join('')
}

const LOCK_ENTRY = (scope: string) =>
  `<D:lockentry><D:lockscope><D:${scope}/></D:lockscope><D:locktype><D:write/></D:locktype></D:lockentry>`

export const SUPPORTED_LOCKS = `<D:supportedlock>${LOCK_ENTRY('exclusive')}${LOCK_ENTRY('shared')}</D:supportedlock>`

/** Builds an error body with a condition of RFC 4918, section 16. */
export const errorBody = (condition: string, message: string): string =>
  `${XML_HEAD}<D:error xmlns:D="DAV:">${condition}<D:message>${escapeText(message)}</D:message></D:error>\n`

export const writeNames = (names: readonly XmlName[]): string[] => names.map(writeName)
