import { END_BYTES, type IsCut, viewOf } from './ends.ts'

/** Offset of the stream info, after the signature and the block header. */
const FACTS_AT = 8
const FACTS_BYTES = 34
const MAX_FRAME_BYTES = 1024 * 1024
const CRC_8 = 0x07

/**
 * Returns the number of samples in a frame for a block size code. Not for the codes 6 and 7, for which a later field of
 * the frame header states the number.
 */
function blockSize(code: number): number {
  if (code === 1) return 192
  return code < 6 ? 576 << (code - 2) : 256 << (code - 8)
}

/** Reads a number encoded like UTF-8, with up to seven bytes. */
function readNumber(
  bytes: Uint8Array,
  at: number,
): { readonly value: number; readonly length: number } | null {
  const first = bytes[at] ?? 0
  if (first < 0x80) return { value: first, length: 1 }
  const length = Math.clz32(~first << 24)
  if (length === 1 || length > 7) return null
  let value = first & (0x7f >> length)
  for (let index = 1; index < length; index += 1) {
    const byte = bytes[at + index] ?? 0
    if (byte >> 6 !== 2) return null
    value = value * 64 + (byte & 63)
  }
  return { value, length }
}

function crc8(bytes: Uint8Array): number {
  let crc = 0
  for (const byte of bytes) {
    crc ^= byte
    for (let bit = 0; bit < 8; bit += 1) crc = crc & 0x80 ? ((crc << 1) ^ CRC_8) & 255 : crc << 1
  }
  return crc
}

/**
 * Returns the number of samples up to the end of the frame at this position, or `null` if there is no frame. Source:
 * RFC 9639, section 9.1, read 2026-11-22.
 */
function samplesUntil(bytes: Uint8Array, at: number, fixedSize: number): number | null {
  const [sync = 0, strategy = 0, sizes = 0, form = 0] = bytes.subarray(at, at + 4)
  if (sync !== 0xff || (strategy & 0xfe) !== 0xf8 || sizes >> 4 === 0 || form & 1) return null
  const number = readNumber(bytes, at + 4)
  if (!number) return null
  let next = at + 4 + number.length
  let samples = blockSize(sizes >> 4)
  if (sizes >> 4 === 6) samples = (bytes[next++] ?? 0) + 1
  else if (sizes >> 4 === 7) samples = ((bytes[next++] ?? 0) << 8) + (bytes[next++] ?? 0) + 1
  const rate = sizes & 15
  if (rate === 12) next += 1
  else if (rate === 13 || rate === 14) next += 2
  if (next >= bytes.length || crc8(bytes.subarray(at, next + 1)) !== 0) return null
  const isVariable = (strategy & 1) === 1
  return (isVariable ? number.value : number.value * fixedSize) + samples
}

/**
 * Checks FLAC by searching the end of the file for a frame that ends at the total number of samples, which the header
 * states.
 */
export const isFlacCut: IsCut = async ({ head, sizeBytes, readEnd }) => {
  const view = viewOf(head)
  if (head.length < FACTS_AT + FACTS_BYTES) return true
  if ((view.getUint32(4) & 0x7f_ff_ff_ff) !== FACTS_BYTES) return false
  const total = (view.getUint8(FACTS_AT + 13) & 15) * 2 ** 32 + view.getUint32(FACTS_AT + 14)
  // Programs that write the file as a stream omit the total.
  if (total === 0) return false
  const largestFrame = view.getUint32(FACTS_AT + 6) & 0xff_ff_ff
  const end = await readEnd(Math.min(MAX_FRAME_BYTES, Math.max(END_BYTES, largestFrame)))
  const seen = new Set<number>()
  for (let at = 0; at < end.length; at += 1) {
    const samples = end[at] === 0xff ? samplesUntil(end, at, view.getUint16(FACTS_AT)) : null
    if (samples !== null) seen.add(samples)
  }
  const isSure = seen.size > 0 || end.length === sizeBytes
  return isSure && !seen.has(total)
}
