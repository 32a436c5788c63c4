import { KIB, MIB } from '@dropleaf/contract'
import { detectEncoding, type Encoding } from '../../../lib/detect-encoding.ts'
import { readEnd, readRange } from '../byte-source.ts'
import { PreviewError } from '../preview-error.ts'
import type { PreviewSource } from '../preview-source.ts'
import type { ArchiveEntry } from './archive-entry.ts'

/** Source: PKWARE APPNOTE 6.3.10, sections 4.3 and 4.4, read 2026-11-22. */
const END_SIGNATURE = 0x06_05_4b_50
const END_BYTES = 22
const COMMENT_MAX_BYTES = 65_535
const LOCATOR_SIGNATURE = 0x07_06_4b_50
const LOCATOR_BYTES = 20
const WIDE_END_BYTES = 56
const ENTRY_SIGNATURE = 0x02_01_4b_50
const ENTRY_BYTES = 46
const LOCAL_BYTES = 30
const IS_ENCRYPTED = 1
const IS_UTF8 = 1 << 11
const WIDE_FIELD = 1
const IN_WIDE_FIELD = 0xff_ff_ff_ff
const DIRECTORY_MAX_BYTES = 48 * MIB
const LOCAL_READ_BYTES = LOCAL_BYTES + KIB

export interface ZipEntry extends ArchiveEntry {
  readonly method: number
  readonly packedBytes: number
  /** Of its header, in the file. */
  readonly firstByte: number
}

interface Place {
  readonly firstByte: number
  readonly sizeBytes: number
}

const viewOf = (bytes: Uint8Array) => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
const damaged = () => new PreviewError('damaged')

/** From its end on, because what stands before may look like it. */
function findEnd(tail: DataView): number {
  for (let at = tail.byteLength - END_BYTES; at >= 0; at -= 1)
    if (tail.getUint32(at, true) === END_SIGNATURE) return at
  throw damaged()
}

async function findDirectory(source: PreviewSource, signal: AbortSignal): Promise<Place> {
  const tail = viewOf(await readEnd(source, END_BYTES + COMMENT_MAX_BYTES + LOCATOR_BYTES, { signal }))
  const end = findEnd(tail)
  const place = { firstByte: tail.getUint32(end + 16, true), sizeBytes: tail.getUint32(end + 12, true) }
  const isWide = place.firstByte === IN_WIDE_FIELD || place.sizeBytes === IN_WIDE_FIELD
  const locator = end - LOCATOR_BYTES
  if (!isWide || locator < 0 || tail.getUint32(locator, true) !== LOCATOR_SIGNATURE) return place
  const firstByte = Number(tail.getBigUint64(locator + 8, true))
  const wide = viewOf(
    await readRange(source, { firstByte, lastByte: firstByte + WIDE_END_BYTES - 1, signal }),
  )
  if (wide.byteLength < WIDE_END_BYTES) throw damaged()
  return { firstByte: Number(wide.getBigUint64(48, true)), sizeBytes: Number(wide.getBigUint64(40, true)) }
}

/** Dates as MS-DOS has them: to two seconds, in no time zone. */
function timeOf(date: number, time: number): number | null {
  if (date === 0) return null
  const day = new Date(1980 + (date >> 9), ((date >> 5) & 15) - 1, date & 31)
  day.setHours(time >> 11, (time >> 5) & 63, (time & 31) * 2)
  return day.getTime()
}

/** What does not fit into four bytes each stands in a field of its own, in this order. */
function widen(view: DataView, field: { at: number; end: number }, values: readonly number[]): number[] {
  let { at } = field
  while (at + 4 <= field.end) {
    const id = view.getUint16(at, true)
    const length = view.getUint16(at + 2, true)
    if (id === WIDE_FIELD) {
      let next = at + 4
      return values.map((value) => {
        if (value !== IN_WIDE_FIELD || next + 8 > field.end) return value
        next += 8
        return Number(view.getBigUint64(next - 8, true))
      })
    }
    at += 4 + length
  }
  return [...values]
}

type RawEntry = Omit<ZipEntry, 'path' | 'isFolder'> & { name: Uint8Array; isUtf8: boolean }

function readEntries(bytes: Uint8Array): RawEntry[] {
  const view = viewOf(bytes)
  const entries: RawEntry[] = []
  let at = 0
  while (at + ENTRY_BYTES <= bytes.length && view.getUint32(at, true) === ENTRY_SIGNATURE) {
    const flags = view.getUint16(at + 8, true)
    const nameEnd = at + ENTRY_BYTES + view.getUint16(at + 28, true)
    const fieldsEnd = nameEnd + view.getUint16(at + 30, true)
    if (fieldsEnd > bytes.length) throw damaged()
    const [sizeBytes = 0, packedBytes = 0, firstByte = 0] = widen(view, { at: nameEnd, end: fieldsEnd }, [
      view.getUint32(at + 24, true),
      view.getUint32(at + 20, true),
      view.getUint32(at + 42, true),
    ])
    entries.push({
      name: bytes.subarray(at + ENTRY_BYTES, nameEnd),
      isUtf8: (flags & IS_UTF8) !== 0,
      isEncrypted: (flags & IS_ENCRYPTED) !== 0,
      method: view.getUint16(at + 10, true),
      modifiedAtMs: timeOf(view.getUint16(at + 14, true), view.getUint16(at + 12, true)),
      sizeBytes,
      packedBytes,
      firstByte,
    })
    at = fieldsEnd + view.getUint16(at + 32, true)
  }
  return entries
}

/** Of names that do not say it: one for all of them, because one program has written them. */
async function nameEncoding(entries: readonly RawEntry[]): Promise<Encoding> {
  const names = entries.filter(({ isUtf8 }) => !isUtf8).map(({ name }) => name)
  const joined = new Uint8Array(names.reduce((sum, { length }) => sum + length + 1, 0))
  let at = 0
  for (const name of names) {
    joined.set(name, at)
    joined[at + name.length] = 10
    at += name.length + 1
  }
  return detectEncoding(joined)
}

/**
 * Lists a zip archive by its directory, which stands at its end: the files in it are not read.
 * @throws {PreviewError} `damaged`, `too_large`
 */
export async function listZip(source: PreviewSource, signal: AbortSignal): Promise<readonly ZipEntry[]> {
  const { firstByte, sizeBytes } = await findDirectory(source, signal)
  if (sizeBytes > DIRECTORY_MAX_BYTES) throw new PreviewError('too_large')
  const bytes = await readRange(source, { firstByte, lastByte: firstByte + sizeBytes - 1, signal })
  if (bytes.length < sizeBytes) throw damaged()
  const raw = readEntries(bytes)
  if (raw.length === 0 && sizeBytes > 0) throw damaged()
  const decoder = new TextDecoder(await nameEncoding(raw))
  const utf8 = new TextDecoder()
  return raw.map(({ name, isUtf8, ...entry }) => {
    const path = (isUtf8 ? utf8 : decoder).decode(name).replaceAll('\\', '/')
    return { ...entry, path: path.replace(/\/+$/, ''), isFolder: path.endsWith('/') }
  })
}

const STORED = 0
const DEFLATED = 8

async function inflate(packed: Uint8Array<ArrayBuffer>, maxBytes: number): Promise<Uint8Array<ArrayBuffer>> {
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream('deflate-raw'))
  const reader = stream.getReader()
  const parts: Uint8Array<ArrayBuffer>[] = []
  let sizeBytes = 0
  for (;;) {
    const { done, value } = await reader.read()
    if (done) break
    sizeBytes += value.length
    // Whatever an entry says of its size, some are made to fill a memory.
    if (sizeBytes > maxBytes) {
      await reader.cancel()
      throw new PreviewError('too_large')
    }
    parts.push(value)
  }
  return new Uint8Array(await new Blob(parts).arrayBuffer())
}

/**
 * The bytes of one file of an archive.
 * @throws {PreviewError} `damaged`, `encrypted`, `too_large`, or `unsupported` for rare ways to pack
 */
export async function readZipEntry(
  source: PreviewSource,
  entry: ZipEntry,
  { maxBytes, signal }: { maxBytes: number; signal: AbortSignal },
): Promise<Uint8Array<ArrayBuffer>> {
  if (entry.isEncrypted) throw new PreviewError('encrypted')
  if (entry.sizeBytes > maxBytes || entry.packedBytes > maxBytes) throw new PreviewError('too_large')
  const { firstByte } = entry
  const lastByte = Math.min(source.sizeBytes, firstByte + LOCAL_READ_BYTES + entry.packedBytes) - 1
  const bytes = await readRange(source, { firstByte, lastByte, signal })
  if (bytes.length < LOCAL_BYTES) throw damaged()
  const view = viewOf(bytes)
  const start = LOCAL_BYTES + view.getUint16(26, true) + view.getUint16(28, true)
  let packed = bytes.subarray(start, start + entry.packedBytes)
  if (packed.length < entry.packedBytes) {
    const from = firstByte + start
    packed = await readRange(source, { firstByte: from, lastByte: from + entry.packedBytes - 1, signal })
  }
  if (packed.length < entry.packedBytes) throw damaged()
  if (entry.method === STORED) return packed
  if (entry.method !== DEFLATED) throw new PreviewError('unsupported')
  return inflate(packed, maxBytes)
}
