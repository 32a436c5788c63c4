import type { Encoding } from '../../../lib/text/detect-encoding.ts'
import { HEAD_MAX_BYTES } from '../reading/first-bytes.ts'

/** Read at once. So much can be coloured before somebody notices. */
export const WINDOW_BYTES = HEAD_MAX_BYTES
/** Largest number of pieces on the page; those furthest from the reader are removed. */
export const MAX_PIECES = 12

/** A part of a text, from the beginning of a line to the end of one wherever it is possible. */
export interface TextPiece {
  readonly firstByte: number
  /** Exclusive. */
  readonly endByte: number
  readonly lines: readonly string[]
  /** From 1; `null` where nobody has counted the lines before. */
  readonly firstLine: number | null
}

const LINE_END = 10
const isWide = (encoding: Encoding) => encoding === 'utf-16le' || encoding === 'utf-16be'

/** Where a line that ends at or after `from` is over: the byte behind its end; -1 for nowhere. */
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

/** How many bytes at the beginning belong to a character that began before. */
function partOfCharacter(bytes: Uint8Array, encoding: Encoding): number {
  if (encoding !== 'utf-8') return 0
  let count = 0
  while (count < 3 && ((bytes[count] ?? 0) & 0xc0) === 0x80) count += 1
  return count
}

/** How many bytes at the end belong to a character that goes on behind. */
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

/** The lines that are whole. A line that is longer than what was read is shown in parts. */
export function cutEnd(bytes: Uint8Array, encoding: Encoding, isLast: boolean): Uint8Array {
  if (isLast) return bytes
  const { last } = afterLineEnd(bytes, encoding)
  return bytes.subarray(0, last > 0 ? last : bytes.length - beginningOfCharacter(bytes, encoding))
}

/** The same for what was read towards the beginning. */
export function cutBeginning(bytes: Uint8Array, encoding: Encoding, isFirst: boolean): Uint8Array {
  if (isFirst) return bytes
  const { first } = afterLineEnd(bytes, encoding)
  const isUseful = first > 0 && first < bytes.length
  return bytes.subarray(isUseful ? first : partOfCharacter(bytes, encoding))
}

/** The end of the last line is not a line of its own, except at the end of the file. */
export function toLines(text: string, isLast: boolean): readonly string[] {
  const lines = text.split(/\r\n|\r|\n/)
  if (!isLast && lines.length > 1 && lines.at(-1) === '') lines.pop()
  return lines
}

export const lineAfter = ({ firstLine, lines }: TextPiece): number | null =>
  firstLine === null ? null : firstLine + lines.length

/** Adds a piece at the end; the first ones are removed. */
export const addLast = (pieces: readonly TextPiece[], piece: TextPiece): readonly TextPiece[] =>
  [...pieces, piece].slice(-MAX_PIECES)

/** Adds a piece at the beginning; the last ones are removed. At the start of the file, its lines can be counted. */
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
