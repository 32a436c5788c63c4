/** Common encodings, by their labels in browsers. */
export const ENCODINGS = [
  'utf-8',
  'gb18030',
  'big5',
  'shift_jis',
  'euc-jp',
  'iso-2022-jp',
  'euc-kr',
  'utf-16le',
  'utf-16be',
  'windows-1252',
  'windows-1250',
  'windows-1251',
  'koi8-r',
  'windows-1253',
  'windows-1254',
  'windows-1255',
  'windows-1256',
  'windows-874',
  'windows-1258',
] as const
export type Encoding = (typeof ENCODINGS)[number]

const SAMPLE_BYTES = 64 * 1024
/** Number of bytes of a line that are sampled before its first non-ASCII character. */
const LINE_BYTES = 1024
/** A guess with a lower confidence is no better than a fixed order of encodings. */
const MIN_CONFIDENCE = 12

const ALIASES: Readonly<Record<string, Encoding>> = {
  ascii: 'utf-8',
  'iso-8859-1': 'windows-1252',
  'iso-8859-2': 'windows-1250',
  'iso-8859-5': 'windows-1251',
  'iso-8859-7': 'windows-1253',
  'iso-8859-9': 'windows-1254',
  'iso-8859-8': 'windows-1255',
  'iso-8859-6': 'windows-1256',
}

const toKnown = (name: string): Encoding | undefined => {
  const lower = name.toLowerCase()
  return ALIASES[lower] ?? ENCODINGS.find((encoding) => encoding === lower)
}

/** Whether the bytes are valid in an encoding. The last character can be incomplete. */
function isValid(bytes: Uint8Array, encoding: string): boolean {
  for (let cutBytes = 0; cutBytes < 4; cutBytes += 1) {
    try {
      new TextDecoder(encoding, { fatal: true }).decode(bytes.subarray(0, bytes.length - cutBytes))
      return true
    } catch {
      // The encoding is wrong, or the last character is incomplete; the next attempt decides.
    }
  }
  return false
}

/** A text counts as UTF-8 if fewer than 1 in `MOSTLY` of its non-ASCII characters are invalid. */
const MOSTLY = 10

function isMostlyUtf8(bytes: Uint8Array): boolean {
  const text = new TextDecoder('utf-8').decode(bytes)
  const broken = text.match(/\uFFFD/g)?.length ?? 0
  const whole = text.match(/[\u0080-\uFFFC\u{10000}-\u{10FFFF}]/gu)?.length ?? 0
  return broken * MOSTLY < whole
}

/** Detects UTF-16 without a byte order mark, in which every other byte of Latin characters is 0. */
function findWide(bytes: Uint8Array): Encoding | null {
  // UTF-16 text never has an odd length.
  if (bytes.length % 2 === 1) return null
  const noughts = [0, 0]
  for (const [index, byte] of bytes.entries()) if (byte === 0) noughts[index % 2]! += 1
  const half = bytes.length / 2
  const [even = 0, odd = 0] = noughts
  if (even + odd < 2) return null
  if (odd > half * 0.3 && even < half * 0.05) return 'utf-16le'
  return even > half * 0.3 && odd < half * 0.05 ? 'utf-16be' : null
}

const isAsciiByte = (byte: number) => byte < 0x80

/** Whether all bytes are ASCII, which is the same in every encoding. */
export const isPlain = (bytes: Uint8Array): boolean => bytes.every(isAsciiByte)

const LINE_END = 0x0a

/**
 * Returns the start of the text. If the start is ASCII, returns the text from the first line with a non-ASCII
 * character instead. In logs and source code, this line can be far below the start.
 */
function sampleOf(bytes: Uint8Array): Uint8Array {
  const head = bytes.subarray(0, SAMPLE_BYTES)
  if (bytes.length <= SAMPLE_BYTES || !isPlain(head)) return head
  const first = bytes.findIndex((byte) => !isAsciiByte(byte))
  if (first === -1) return head
  const start = bytes.lastIndexOf(LINE_END, first) + 1
  return bytes.subarray(Math.max(start, first - LINE_BYTES), first + SAMPLE_BYTES)
}

/** Detects an encoding by byte order mark, validity, and character frequencies. */
export async function detectEncoding(bytes: Uint8Array): Promise<Encoding> {
  const [first, second] = bytes
  if (first === 0xff && second === 0xfe) return 'utf-16le'
  if (first === 0xfe && second === 0xff) return 'utf-16be'
  const wide = findWide(bytes.subarray(0, SAMPLE_BYTES))
  if (wide) return wide
  const sample = sampleOf(bytes)
  if (isValid(sample, 'utf-8') || isMostlyUtf8(sample)) return 'utf-8'
  const [{ findEastAsian }, { analyse }] = await Promise.all([
    import('./east-asian-encodings.ts'),
    import('chardet'),
  ])
  const eastAsian = findEastAsian(sample)
  if (eastAsian) return eastAsian
  for (const { name, confidence } of analyse(sample)) {
    const known = toKnown(name)
    if (known && known !== 'utf-8' && confidence >= MIN_CONFIDENCE && isValid(sample, known)) return known
  }
  return isValid(sample, 'gb18030') ? 'gb18030' : 'windows-1252'
}

/** Decodes a text of unknown encoding. `isCut` means that the last character can be incomplete. */
export async function decodeGuessed(
  bytes: Uint8Array,
  isCut: boolean,
): Promise<{ text: string; encoding: Encoding }> {
  const encoding = await detectEncoding(bytes)
  return { text: new TextDecoder(encoding).decode(bytes, { stream: isCut }), encoding }
}
