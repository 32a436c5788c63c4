import { extensionFor, inferMimeType } from '../../../lib/mime.ts'
import { decodeSegment, nameInDisposition } from '../../../lib/sent-names.ts'

const OCTET_STREAM = 'application/octet-stream'

/** Returns the media type of a header without parameters, or `null` if it is missing, invalid or generic. */
export function plainType(header: string | undefined): string | null {
  const type = header?.split(';')[0]?.trim().toLowerCase() ?? ''
  return /^[\w.+-]+\/[\w.+-]+$/.test(type) && type !== OCTET_STREAM ? type : null
}

function nameInHeader(header: string | undefined): string | null {
  return header === undefined ? null : nameInDisposition(header, { isPercentEncoded: true })
}

function nameInPath(url: URL): string | null {
  const segment = url.pathname.split('/').findLast((text) => text !== '')
  return segment === undefined ? null : decodeSegment(segment)
}

const baseName = (text: string) => text.replace(/^.*[\\/]/, '').trim()

/**
 * Returns the file name of a source: from the headers, otherwise from the path, otherwise from the host. A missing
 * extension is derived from the media type.
 */
export function nameOfSource(
  url: URL,
  { disposition, type }: { disposition: string | undefined; type: string | null },
): string {
  const name = baseName(nameInHeader(disposition) ?? '') || baseName(nameInPath(url) ?? '') || url.hostname
  const hasExtension = /\.[^.\s]{1,10}$/.test(name) && (name !== url.hostname || type === null)
  const extension = type === null || hasExtension ? null : extensionFor(type)
  return extension === null ? name : `${name}.${extension}`
}

/** Returns the media type to store: derived from the name, otherwise from the header. */
export function typeOfSource(name: string, type: string | null): string {
  const byName = inferMimeType(name)
  return byName === OCTET_STREAM ? (type ?? OCTET_STREAM) : byName
}
