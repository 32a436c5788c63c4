import type { Encoding } from '../../../lib/text/detect-encoding.ts'
import { HEAD_MAX_BYTES } from '../reading/first-bytes.ts'

/** Number of bytes per read. The number is small, so that highlighting takes no noticeable time. */
export const WINDOW_BYTES = HEAD_MAX_BYTES
/** Maximum number of pieces in the page. Pieces that are farthest from the viewport are removed. */
export const MAX_PIECES = 12

/** A part of a text, cut at line ends where possible. */
export interface TextPiece {
  readonly firstByte: number
  /** Position after the last byte. */
  readonly endByte: number
  readonly lines: readonly string[]
  /** Number of the first line, starting at 1; `null` if the preceding lines were not counted. */
  readonly firstLine: number | null
}

const LINE_END = 10
const isWide = (encoding: Encoding) => encoding === 'utf-16le' || encoding === 'utf-16be'

/** Returns the positions after the first and after the last line end; 0 if there is none. */
function afterLineEnd(bytes: Uint8Array, encoding: Encoding): { first: number; last: number } {
  if (!isWide(encoding)) {
    return { first: bytes.indexOf(LINE_END) + 1, last: bytes.lastIndexOf(LINE_END) + 1 }
  }
  const low = encoding === 'utf-16le' ? 0 : 1
  let first = 0
  let last = 0
  for (let index = 0; index + 1 < bytes.length; index += 2) {
    if (bytes[index + low] !== LINE_END || bytes[index + 1 - low] !== 0) continue
    last = index + 2
    first ||= last
  }
  return { first, last }
}

/** Returns the number of bytes at the start that belong to a character whose first bytes are missing. */
function partOfCharacter(bytes: Uint8Array, encoding: Encoding): number {
  if (encoding !== 'utf-8') return 0
  let count = 0
  while (count < 3 && ((bytes[count] ?? 0) & 0xc0) === 0x80) count += 1
  return count
}

/** Returns the number of bytes at the end that belong to a character whose last bytes are missing. */
function beginningOfCharacter(bytes: Uint8Array, encoding: Encoding): number {
  if (encoding !== 'utf-8') return isWide(encoding) ? bytes.length % 2 : 0
  for (let count = 1; count <= 3 && count <= bytes.length; count += 1) {
    const byte = bytes[bytes.length - count] ?? 0
    if ((byte & 0xc0) === 0x80) continue
    const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1
    return length > count ? count : 0
  }
  return 0
}

/**
 * Removes an incomplete line at the end. If the bytes contain no line end, removes only an incomplete last character.
 */
export function cutEnd(bytes: Uint8Array, encoding: Encoding, isLast: boolean): Uint8Array {
  if (isLast) return bytes
  const { last } = afterLineEnd(bytes, encoding)
  return bytes.subarray(0, last > 0 ? last : bytes.length - beginningOfCharacter(bytes, encoding))
}

/** Like {@link cutEnd}, but removes an incomplete line at the start, for reading backwards. */
export function cutBeginning(bytes: Uint8Array, encoding: Encoding, isFirst: boolean): Uint8Array {
  if (isFirst) return bytes
  const { first } = afterLineEnd(bytes, encoding)
  const isUseful = first > 0 && first < bytes.length
  return bytes.subarray(isUseful ? first : partOfCharacter(bytes, encoding))
}

/** Splits a text into lines. A trailing line end adds an empty line only at the end of the file. */
export function toLines(text: string, isLast: boolean): readonly string[] {
  const lines = text.split(/\r\n|\r|\n/)
  if (!isLast && lines.length > 1 && lines.at(-1) === '') lines.pop()
  return lines
}

export const lineAfter = ({ firstLine, lines }: TextPiece): number | null =>
  firstLine === null ? null : firstLine + lines.length

/** Appends a piece and removes the first pieces above the limit. */
export const addLast = (pieces: readonly TextPiece[], piece: TextPiece): readonly TextPiece[] =>
  [...pieces, piece].slice(-MAX_PIECES)

/**
 * Prepends a piece and removes the last pieces above the limit. Line numbers become known once the start of the file is
 * loaded.
 */
export function addFirst(pieces: readonly TextPiece[], piece: TextPiece): readonly TextPiece[] {
  const all = [piece, ...pieces].slice(0, MAX_PIECES)
  const counted: TextPiece[] = []
  for (const each of all) {
    const before = counted.at(-1)
    const firstLine = each.firstByte === 0 ? 1 : before ? lineAfter(before) : each.firstLine
    counted.push({ ...each, firstLine })
  }
  return counted
}
