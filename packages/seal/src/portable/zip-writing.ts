import { type Bytes, concat, utf8 } from '../core/bytes.ts'

/** Creates headers of zip archives without compression. The length of a header depends only on names and sizes. */

export interface ZipEntry {
  readonly name: string
  readonly size: number
}

export interface PlacedEntry extends ZipEntry {
  /** First byte of the header. */
  readonly first: number
  /** First byte of the contents. */
  readonly start: number
}

const VERSION = 45
/** Flag for names in UTF-8. */
const FLAGS = 0x08_00
/** The earliest date of the zip format. The actual time would reveal when the copy was made. */
const DATE = 0x00_21
const IN_EXTRA = 0xff_ff_ff_ff
const COUNT_IN_EXTRA = 0xff_ff

type Field = readonly [bytes: 2 | 4 | 8, value: number]

function pack(fields: readonly Field[]): Bytes {
  const packed = new Uint8Array(fields.reduce((sum, [bytes]) => sum + bytes, 0))
  const view = new DataView(packed.buffer)
  let at = 0
  for (const [bytes, value] of fields) {
    if (bytes === 2) view.setUint16(at, value, true)
    else if (bytes === 4) view.setUint32(at, value, true)
    else view.setBigUint64(at, BigInt(value), true)
    at += bytes
  }
  return packed
}

const isLarge = (value: number): boolean => value >= IN_EXTRA
const fitted = (value: number): number => (isLarge(value) ? IN_EXTRA : value)

function extraOf(numbers: readonly number[]): Bytes {
  if (numbers.length === 0) return new Uint8Array()
  return pack([[2, 1], [2, 8 * numbers.length], ...numbers.map((value): Field => [8, value])])
}

/** Fields that the headers of an entry share. */
const common = ({ size }: ZipEntry, crc32: number): Field[] => [
  [2, VERSION],
  [2, FLAGS],
  [2, 0],
  [2, 0],
  [2, DATE],
  [4, crc32],
  [4, fitted(size)],
  [4, fitted(size)],
]

/** The header in front of the contents of an entry. */
export function zipEntryHeader(entry: ZipEntry, crc32: number): Bytes {
  const name = utf8(entry.name)
  const extra = extraOf(isLarge(entry.size) ? [entry.size, entry.size] : [])
  const lengths: Field[] = [
    [2, name.length],
    [2, extra.length],
  ]
  return concat(pack([[4, 0x04_03_4b_50], ...common(entry, crc32), ...lengths]), name, extra)
}

/** Computes the positions of consecutive entries. `end` is the position of the directory. */
export function placeZipEntries(entries: readonly ZipEntry[]): { placed: PlacedEntry[]; end: number } {
  let end = 0
  const placed = entries.map((entry) => {
    const first = end
    const start = first + zipEntryHeader(entry, 0).length
    end = start + entry.size
    return { ...entry, first, start }
  })
  return { placed, end }
}

/** Returns the central directory of a zip archive, with its end records. */
export function zipDirectory(
  entries: readonly (PlacedEntry & { readonly crc32: number })[],
  first: number,
): Bytes {
  const records = entries.map((entry) => {
    const name = utf8(entry.name)
    const sizes = isLarge(entry.size) ? [entry.size, entry.size] : []
    const extra = extraOf([...sizes, ...(isLarge(entry.first) ? [entry.first] : [])])
    const fields: Field[] = [
      [4, 0x02_01_4b_50],
      [2, VERSION],
      ...common(entry, entry.crc32),
      [2, name.length],
      [2, extra.length],
      [2, 0],
      [2, 0],
      [2, 0],
      [4, 0],
      [4, fitted(entry.first)],
    ]
    return concat(pack(fields), name, extra)
  })
  const directory = concat(...records)
  const count = entries.length
  const end64: Field[] = [
    [4, 0x06_06_4b_50],
    [8, 44],
    [2, VERSION],
    [2, VERSION],
    [4, 0],
    [4, 0],
    [8, count],
    [8, count],
    [8, directory.length],
    [8, first],
    [4, 0x07_06_4b_50],
    [4, 0],
    [8, first + directory.length],
    [4, 1],
  ]
  const needs64 = isLarge(first) || count >= COUNT_IN_EXTRA
  const end: Field[] = [
    [4, 0x06_05_4b_50],
    [2, 0],
    [2, 0],
    [2, Math.min(count, COUNT_IN_EXTRA)],
    [2, Math.min(count, COUNT_IN_EXTRA)],
    [4, directory.length],
    [4, fitted(first)],
    [2, 0],
  ]
  return concat(directory, pack([...(needs64 ? end64 : []), ...end]))
}
