import { type IsCut, textAt, viewOf, withoutTag } from './ends.ts'

const KBIT_1 = [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320]
const KBIT_2 = [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160]
const HERTZ = [44_100, 48_000, 32_000]

interface Frame {
  readonly length: number
  /** What all frames of a recording have in common. */
  readonly kind: number
}

type ReadFrame = (bytes: Uint8Array, at: number) => Frame | null

/** Layer III of MPEG 1, 2 and 2.5. Source: ISO/IEC 11172-3, 2.4.1.3, and 13818-3; mpgedit.org, read 2026-11-22. */
const readMp3Frame: ReadFrame = (bytes, at) => {
  const [sync = 0, form = 0, rates = 0] = bytes.subarray(at, at + 3)
  const version = (form >> 3) & 3
  const isLayer3 = sync === 0xff && (form & 0xe6) === 0xe2 && version !== 1
  const hertz = HERTZ[(rates >> 2) & 3]
  const kbit = (version === 3 ? KBIT_1 : KBIT_2)[rates >> 4]
  if (!isLayer3 || !hertz || !kbit) return null
  // 2.5 is half of 2, which is half of 1.
  const perSecond = hertz / [4, 1, 2, 1][version]!
  const length = Math.floor(((version === 3 ? 144_000 : 72_000) * kbit) / perSecond) + ((rates >> 1) & 1)
  return { length, kind: ((form & 0xfe) << 8) | (rates & 0x0c) }
}

/** Source: ISO/IEC 13818-7, 6.2, read 2026-11-22. */
const readAacFrame: ReadFrame = (bytes, at) => {
  const [sync = 0, form = 0, rates = 0, a = 0, b = 0, c = 0] = bytes.subarray(at, at + 6)
  if (sync !== 0xff || (form & 0xf6) !== 0xf0 || at + 6 > bytes.length) return null
  const length = ((a & 3) << 11) | (b << 3) | (c >> 5)
  return length < 7 ? null : { length, kind: (form << 8) | (rates & 0xfc) }
}

/** So many in a row are no accident. */
const SURE_FRAMES = 3
const FRAME_HEAD_BYTES = 6

/** Where frame follows upon frame from `at` on: where they end, and how many they are. */
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

/** Whether the last of the frames at the end of a file goes beyond it. What is no frame stands for nothing. */
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

/** Words about the recording that stand in front of it. */
function wordsBytes(head: Uint8Array): number {
  if (textAt(head, 0, 3) !== 'ID3') return 0
  const size = head.subarray(6, 10).reduce((sum, byte) => sum * 128 + (byte & 127), 0)
  return 10 + size + ((head[5] ?? 0) & 0x10 ? 10 : 0)
}

const START_BYTES = 4096
const HAS_BYTES = 2
/** Writers differ in whether they count what stands behind the sound. */
const TOLERATED_BYTES = 128

/**
 * How many bytes the first frame says that there are from it on.
 * Source: Xing and Fraunhofer headers, codeproject.com/Articles/8295, read 2026-11-22.
 */
function toldBytes(start: Uint8Array, at: number): number | null {
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

/** By what the first frame says; without that, by whether the last is whole. */
export const isMp3Cut: IsCut = async ({ head, sizeBytes, read, readEnd }) => {
  const words = wordsBytes(head)
  if (words >= sizeBytes) return true
  const start = await read(words, START_BYTES)
  const isStart = (_: number, at: number) => follow(start, at, readMp3Frame).count >= SURE_FRAMES
  const at = readMp3Frame(start, 0) ? 0 : start.findIndex(isStart)
  if (at === -1) return false
  const told = toldBytes(start, at)
  if (told !== null) return words + at + told > sizeBytes + TOLERATED_BYTES
  return endsWithin(withoutTag(await readEnd()), readMp3Frame)
}
