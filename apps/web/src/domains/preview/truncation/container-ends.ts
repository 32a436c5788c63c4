import { type IsCut, lastPlaceOf, viewOf } from './ends.ts'

/** Maximum number of top-level MP4 boxes to read. Files rarely have more than six. */
const MAX_BOXES = 12

/** Checks MP4, QuickTime and similar formats, in which each box states its length. */
export const isBoxCut: IsCut = async ({ read, sizeBytes }) => {
  let at = 0
  for (let count = 0; count < MAX_BOXES && at < sizeBytes; count += 1) {
    const head = await read(at, 16)
    if (head.length < 8) return true
    const view = viewOf(head)
    const short = view.getUint32(0)
    // Length 0 means that the box extends to the end of the file.
    if (short === 0 || (short === 1 && head.length < 16)) return short === 1
    const size = short === 1 ? Number(view.getBigUint64(8)) : short
    if (size < 8) return false
    at += size
  }
  return at > sizeBytes
}

/**
 * Checks RIFF files, such as WAVE, AVI and WebP. Ignores a length near the maximum, which programs declare if they
 * write the file as a stream.
 */
export const isRiffCut: IsCut = ({ head, sizeBytes }) => {
  const declared = viewOf(head).getUint32(4, true)
  return declared < 0xffff_0000 && declared + 7 > sizeBytes
}

/**
 * Reads an EBML number. The number of leading zero bits of the first byte, plus one, is the length in bytes. The value
 * is `null` if the number means "unknown", or if it is invalid or incomplete.
 */
function readSize(bytes: Uint8Array, at: number): { readonly value: number | null; readonly length: number } {
  const length = Math.clz32(bytes[at] ?? 0) - 23
  if (length > 8 || at + length > bytes.length) return { value: null, length }
  let value = BigInt(bytes[at] ?? 0) & ((1n << BigInt(8 - length)) - 1n)
  for (let index = 1; index < length; index += 1) value = (value << 8n) | BigInt(bytes[at + index] ?? 0)
  const isUnknown = value === (1n << BigInt(7 * length)) - 1n
  return { value: isUnknown ? null : Number(value), length }
}

const SEGMENT = 0x18_53_80_67

/**
 * Checks WebM and Matroska files, which are a header followed by one segment. Recorders can omit the length of the
 * segment.
 */
export const isWebmCut: IsCut = async ({ head, read, sizeBytes }) => {
  const first = readSize(head, 4)
  if (first.value === null) return false
  const at = 4 + first.length + first.value
  const segment = await read(at, 12)
  if (segment.length < 12) return true
  if (viewOf(segment).getUint32(0) !== SEGMENT) return false
  const { value, length } = readSize(segment, 4)
  return value !== null && at + 4 + length + value > sizeBytes
}

const PAGE_HEAD_BYTES = 27
const IS_LAST = 4

/**
 * Checks Ogg. Each page states its length, and the last page has a flag. Source: RFC 3533, section 6, read
 * 2026-11-22.
 */
export const isOggCut: IsCut = async ({ readEnd }) => {
  const end = await readEnd()
  const at = lastPlaceOf(end, [0x4f, 0x67, 0x67, 0x53, 0])
  if (at === -1) return false
  const parts = end[at + PAGE_HEAD_BYTES - 1]
  const lengths = end.subarray(at + PAGE_HEAD_BYTES, at + PAGE_HEAD_BYTES + (parts ?? 0))
  if (parts === undefined || lengths.length < parts) return true
  const pageEnd = lengths.reduce((sum, length) => sum + length, at + PAGE_HEAD_BYTES + parts)
  return pageEnd > end.length || ((end[at + 5] ?? 0) & IS_LAST) === 0
}
