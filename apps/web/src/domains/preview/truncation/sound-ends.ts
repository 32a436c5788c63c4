import { type IsCut, textAt, viewOf, withoutTag } from './ends.ts'

const KBIT_1 = [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320]
const KBIT_2 = [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160]
const HERTZ = [44_100, 48_000, 32_000]

interface Frame {
  readonly length: number
  /** Encodes the properties that all frames of a recording share. */
  readonly kind: number
}

type ReadFrame = (bytes: Uint8Array, at: number) => Frame | null

/**
 * Reads a frame header of Layer III in MPEG 1, 2 or 2.5. Source: ISO/IEC 11172-3, 2.4.1.3, and 13818-3; mpgedit.org,
 * read 2026-11-22.
 */
const readMp3Frame: ReadFrame = (bytes, at) => {
  const [sync = 0, form = 0, rates = 0] = bytes.subarray(at, at + 3)
  const version = (form >> 3) & 3
  const isLayer3 = sync === 0xff && (form & 0xe6) === 0xe2 && version !== 1
  const hertz = HERTZ[(rates >> 2) & 3]
  const kbit = (version === 3 ? KBIT_1 : KBIT_2)[rates >> 4]
  if (!isLayer3 || !hertz || !kbit) return null
  // The sample rates of MPEG 2 are half of those of MPEG 1. The sample rates of MPEG 2.5 are half of those of MPEG 2.
  const perSecond = hertz / [4, 1, 2, 1][version]!
  const length = Math.floor(((version === 3 ? 144_000 : 72_000) * kbit) / perSecond) + ((rates >> 1) & 1)
  return { length, kind: ((form & 0xfe) << 8) | (rates & 0x0c) }
}

/** Reads an AAC frame header. Source: ISO/IEC 13818-7, 6.2, read 2026-11-22. */
const readAacFrame: ReadFrame = (bytes, at) => {
  const [sync = 0, form = 0, rates = 0, a = 0, b = 0, c = 0] = bytes.subarray(at, at + 6)
  if (sync !== 0xff || (form & 0xf6) !== 0xf0 || at + 6 > bytes.length) return null
  const length = ((a & 3) << 11) | (b << 3) | (c >> 5)
  return length < 7 ? null : { length, kind: (form << 8) | (rates & 0xfc) }
}

/** Number of consecutive frames that cannot be a coincidence. */
const SURE_FRAMES = 3
const FRAME_HEAD_BYTES = 6

/** Follows consecutive frames from `start`. Returns the position after the last frame and the number of frames. */
function follow(bytes: Uint8Array, start: number, readFrame: ReadFrame) {
  let count = 0
  let at = start
  const kind = readFrame(bytes, start)?.kind
  while (at < bytes.length) {
    const frame = readFrame(bytes, at)
    if (!frame || frame.kind !== kind) break
    count += 1
    at += frame.length
  }
  return { at, count }
}

/**
 * Whether the data ends inside a frame, so that the last frame is incomplete. Returns `false` if there are too few
 * consecutive frames to be sure.
 */
function endsWithin(end: Uint8Array, readFrame: ReadFrame): boolean {
  for (let start = 0; start < end.length; start += 1) {
    if (end[start] !== 0xff) continue
    const { at, count } = follow(end, start, readFrame)
    if (count < SURE_FRAMES) continue
    const rest = end.length - at
    return rest < 0 || (rest > 0 && rest < FRAME_HEAD_BYTES && end[at] === 0xff)
  }
  return false
}

export const isAacCut: IsCut = async ({ readEnd }) => endsWithin(withoutTag(await readEnd()), readAacFrame)

/** Returns the length of the ID3v2 tag at the start of the file, in bytes. */
function wordsBytes(head: Uint8Array): number {
  if (textAt(head, 0, 3) !== 'ID3') return 0
  const size = head.subarray(6, 10).reduce((sum, byte) => sum * 128 + (byte & 127), 0)
  return 10 + size + ((head[5] ?? 0) & 0x10 ? 10 : 0)
}

const START_BYTES = 4096
const HAS_BYTES = 2
/** Tolerance in bytes, because writers differ in whether the declared length includes trailing tags. */
const TOLERATED_BYTES = 128

/**
 * Returns the length declared in the info frame, counted from that frame. Source: Xing and Fraunhofer headers,
 * codeproject.com/Articles/8295, read 2026-11-22.
 */
function declaredBytes(start: Uint8Array, at: number): number | null {
  const view = viewOf(start)
  const isFirst = ((start[at + 1] ?? 0) & 0x18) === 0x18
  const isMono = (start[at + 3] ?? 0) >> 6 === 3
  const xing = at + 4 + (isFirst ? (isMono ? 17 : 32) : isMono ? 9 : 17)
  const vbri = at + 36
  if (['Xing', 'Info'].includes(textAt(start, xing, 4))) {
    const flags = start[xing + 7] ?? 0
    const field = xing + (flags & 1 ? 12 : 8)
    return flags & HAS_BYTES && field + 4 <= start.length ? view.getUint32(field) : null
  }
  const isVbri = textAt(start, vbri, 4) === 'VBRI' && vbri + 14 <= start.length
  return isVbri ? view.getUint32(vbri + 10) : null
}

/** Checks MP3 by the length in the info frame, or by the last frame if there is no info frame. */
export const isMp3Cut: IsCut = async ({ head, sizeBytes, read, readEnd }) => {
  const words = wordsBytes(head)
  if (words >= sizeBytes) return true
  const start = await read(words, START_BYTES)
  const isStart = (_: number, at: number) => follow(start, at, readMp3Frame).count >= SURE_FRAMES
  const at = readMp3Frame(start, 0) ? 0 : start.findIndex(isStart)
  if (at === -1) return false
  const declared = declaredBytes(start, at)
  if (declared !== null) return words + at + declared > sizeBytes + TOLERATED_BYTES
  return endsWithin(withoutTag(await readEnd()), readMp3Frame)
}
