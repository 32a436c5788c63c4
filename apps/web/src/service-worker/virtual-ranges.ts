import type { VirtualFacts } from '../domains/sealed/media/virtual-messages.ts'

export interface ByteRange {
  readonly first: number
  /** Position after the last byte. */
  readonly end: number
}

/** Reads a `Range` header with one range. Returns `null`, which means the whole file, for any other header. */
export function parseRange(header: string | null, sizeBytes: number): ByteRange | 'unsatisfiable' | null {
  const match = /^bytes=(\d*)-(\d*)$/.exec(header ?? '')
  if (!match || (match[1] === '' && match[2] === '')) return null
  const [, from = '', to = ''] = match
  const first = from === '' ? Math.max(0, sizeBytes - Number(to)) : Number(from)
  const end = from === '' || to === '' ? sizeBytes : Math.min(sizeBytes, Number(to) + 1)
  return first >= sizeBytes || first >= end ? 'unsatisfiable' : { first, end }
}

export const contentRange = ({ first, end }: ByteRange, sizeBytes: number): string =>
  `bytes ${first}-${end - 1}/${sizeBytes}`

/** Percent-encodes everything but the characters that RFC 8187 allows. */
const encodeName = (name: string) =>
  encodeURIComponent(name).replaceAll(/['()*]/g, (character) => `%${character.charCodeAt(0).toString(16)}`)

/** Returns headers with which decrypted bytes cannot run as a page of this origin. */
export function headersOf({ type, name }: VirtualFacts): Record<string, string> {
  return {
    'Content-Type': name === null ? type : 'application/octet-stream',
    'Content-Security-Policy': "sandbox; default-src 'none'",
    'X-Content-Type-Options': 'nosniff',
    'Cache-Control': 'no-store',
    ...(name !== null && { 'Content-Disposition': `attachment; filename*=UTF-8''${encodeName(name)}` }),
  }
}
