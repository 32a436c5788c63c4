import { type Bytes } from '../core/bytes.ts'
import { PORTABLE_FACTS_NAME, PortableError, type PortableFile, type PortableFiles } from './portable.ts'

/** Reads zip archives without compression, with random access. */

const END_BYTES = 22
const COMMENT_MAX_BYTES = 65_535
const END_MARK = 0x06_05_4b_50
const END_64_BYTES = 56
const END_64_MARK = 0x06_06_4b_50
const LOCATOR_BYTES = 20
const LOCATOR_MARK = 0x07_06_4b_50
const ENTRY_BYTES = 46
const ENTRY_MARK = 0x02_01_4b_50
const LOCAL_BYTES = 30
const LOCAL_MARK = 0x04_03_4b_50
const EXTRA_64 = 1
/** Marks a field whose number is in the extra field. */
const IN_EXTRA = 0xff_ff_ff_ff
const DIRECTORY_MAX_BYTES = 32 * 1024 * 1024

interface Entry {
  readonly name: string
  readonly size: number
  readonly isStored: boolean
  /** Position of the header of the entry. */
  readonly first: number
}

const viewOf = (bytes: Uint8Array) => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
const malformed = (cause?: unknown) => new PortableError('copy.malformed', { cause })

function readU64(view: DataView, at: number): number {
  const value = view.getBigUint64(at, true)
  if (value > Number.MAX_SAFE_INTEGER) throw malformed()
  return Number(value)
}

/** Returns the 64-bit numbers in the extra field of an entry, in order. */
function extra64(view: DataView, first: number, end: number): number[] {
  for (let at = first; at + 4 <= end;) {
    const bytes = view.getUint16(at + 2, true)
    if (view.getUint16(at, true) === EXTRA_64)
      return Array.from({ length: Math.floor(bytes / 8) }, (_, index) => readU64(view, at + 4 + 8 * index))
    at += 4 + bytes
  }
  return []
}

function parseEntries(directory: Bytes): Entry[] {
  const view = viewOf(directory)
  const entries: Entry[] = []
  for (let at = 0; at + ENTRY_BYTES <= directory.length;) {
    if (view.getUint32(at, true) !== ENTRY_MARK) throw malformed()
    const nameEnd = at + ENTRY_BYTES + view.getUint16(at + 28, true)
    const extraEnd = nameEnd + view.getUint16(at + 30, true)
    const large = extra64(view, nameEnd, Math.min(extraEnd, directory.length))
    // The extra field contains only the numbers that do not fit in 32 bits, in this order.
    const [size, stored, first] = [24, 20, 42].map((field) => {
      const value = view.getUint32(at + field, true)
      return value === IN_EXTRA ? (large.shift() ?? IN_EXTRA) : value
    })
    entries.push({
      name: new TextDecoder().decode(directory.subarray(at + ENTRY_BYTES, nameEnd)),
      size: size ?? 0,
      isStored: view.getUint16(at + 10, true) === 0 && size === stored,
      first: first ?? 0,
    })
    at = extraEnd + view.getUint16(at + 32, true)
  }
  return entries
}

interface Directory {
  readonly first: number
  readonly bytes: number
}

/** Finds the directory at the end of an archive. */
async function findDirectory(archive: PortableFile): Promise<Directory> {
  const tailBytes = Math.min(archive.size, END_BYTES + COMMENT_MAX_BYTES + LOCATOR_BYTES)
  const tail = await archive.read(archive.size - tailBytes, tailBytes)
  const view = viewOf(tail)
  let at = tail.length - END_BYTES
  while (at >= 0 && view.getUint32(at, true) !== END_MARK) at -= 1
  if (at < 0) throw malformed()
  const locator = at - LOCATOR_BYTES
  if (locator >= 0 && view.getUint32(locator, true) === LOCATOR_MARK) {
    const end = viewOf(await archive.read(readU64(view, locator + 8), END_64_BYTES))
    if (end.getUint32(0, true) !== END_64_MARK) throw malformed()
    return { bytes: readU64(end, 40), first: readU64(end, 48) }
  }
  return { bytes: view.getUint32(at + 12, true), first: view.getUint32(at + 16, true) }
}

/** Runs `work`. @throws {PortableError} `copy.malformed` if a field leads outside of the archive */
async function withinArchive<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (cause) {
    if (cause instanceof RangeError) throw malformed(cause)
    throw cause
  }
}

async function openEntry(archive: PortableFile, { first, size, isStored }: Entry): Promise<PortableFile> {
  if (!isStored) throw malformed()
  const view = viewOf(await archive.read(first, LOCAL_BYTES))
  if (view.getUint32(0, true) !== LOCAL_MARK) throw malformed()
  const start = first + LOCAL_BYTES + view.getUint16(26, true) + view.getUint16(28, true)
  if (start + size > archive.size) throw malformed()
  return { size, read: (offset, length) => archive.read(start + offset, length) }
}

async function readEntries(archive: PortableFile): Promise<Entry[]> {
  const { first, bytes } = await findDirectory(archive)
  if (bytes > DIRECTORY_MAX_BYTES || first + bytes > archive.size) throw malformed()
  return parseEntries(await archive.read(first, bytes))
}

/**
 * Opens a portable copy in one archive. The files can be in a folder of the archive.
 * @returns the files; `find` throws `copy.malformed` too
 * @throws {PortableError} `copy.malformed`
 */
export async function openZip(archive: PortableFile): Promise<PortableFiles> {
  const entries = await withinArchive(() => readEntries(archive))
  const facts = entries.find(({ name }) => name.split('/').at(-1) === PORTABLE_FACTS_NAME)
  const folder = facts ? facts.name.slice(0, -PORTABLE_FACTS_NAME.length) : ''
  const known = new Map(entries.map((entry) => [entry.name, entry]))
  return {
    async find(name) {
      const entry = known.get(`${folder}${name}`)
      return entry ? withinArchive(() => openEntry(archive, entry)) : null
    },
  }
}
