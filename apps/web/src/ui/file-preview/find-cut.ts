import { readEnd, readRange } from './byte-source.ts'
import type { PreviewSource } from './preview-source.ts'

const HEAD_BYTES = 32
const END_BYTES = 64 * 1024
/** Boxes of MP4 at the outermost level; there are rarely more than six. */
const MAX_BOXES = 12

const textAt = (bytes: Uint8Array, from: number, length: number) =>
  String.fromCodePoint(...bytes.subarray(from, from + length))

type ReadPart = (firstByte: number, length: number) => Promise<Uint8Array>

/** Each box says how long it is. */
async function isBoxCut(read: ReadPart, sizeBytes: number): Promise<boolean> {
  let at = 0
  for (let count = 0; count < MAX_BOXES && at < sizeBytes; count += 1) {
    const head = await read(at, 16)
    if (head.length < 8) return true
    const view = new DataView(head.buffer, head.byteOffset, head.byteLength)
    const short = view.getUint32(0)
    // 0: to the end of the file.
    if (short === 0 || (short === 1 && head.length < 16)) return short === 1
    const size = short === 1 ? Number(view.getBigUint64(8)) : short
    if (size < 8) return false
    at += size
  }
  return at > sizeBytes
}

function holds(bytes: Uint8Array, mark: readonly number[]): boolean {
  for (let at = bytes.length - mark.length; at >= 0; at -= 1)
    if (mark.every((byte, index) => bytes[at + index] === byte)) return true
  return false
}

/**
 * Whether the end of a picture or recording is missing, as far as its form says where it ends. Browsers show what is there
 * and say nothing.
 */
export async function isCut(source: PreviewSource, signal: AbortSignal): Promise<boolean> {
  const { sizeBytes } = source
  const read: ReadPart = (firstByte, length) =>
    readRange(source, { firstByte, lastByte: Math.min(sizeBytes, firstByte + length) - 1, signal })
  const head = await read(0, HEAD_BYTES)
  if (head.length < 12) return false
  if (textAt(head, 0, 4) === 'RIFF') {
    const told = new DataView(head.buffer, head.byteOffset).getUint32(4, true)
    // Who records without knowing the end says the most that fits.
    return told < 0xffff_0000 && told + 7 > sizeBytes
  }
  if (textAt(head, 4, 4) === 'ftyp') return isBoxCut(read, sizeBytes)
  const end = () => readEnd(source, END_BYTES, { signal })
  if (textAt(head, 1, 3) === 'PNG') return !holds(await end(), [0x49, 0x45, 0x4e, 0x44])
  const isJpeg = head[0] === 0xff && head[1] === 0xd8
  return isJpeg && !holds(await end(), [0xff, 0xd9])
}
