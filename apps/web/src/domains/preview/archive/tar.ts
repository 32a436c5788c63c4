import { KIB, MIB } from '@dropleaf/contract'
import { openStream, readRange } from '../reading/byte-source.ts'
import { PreviewError } from '../preview-error.ts'
import type { PreviewSource } from '../preview-source.ts'
import type { ArchiveEntry, ArchiveListing } from './archive-entry.ts'

/** Size of a tar block. Source: POSIX.1-2017, pax, "ustar Interchange Format", read 2026-11-22. */
const BLOCK_BYTES = 512
const WINDOW_BYTES = 256 * KIB
/**
 * Number of bytes to read after skipping a large file. The next file is likely to be large too, so a small read
 * suffices.
 */
const HEADER_WINDOW_BYTES = 8 * KIB
/** Number of reads before the user must continue the listing. */
const MAX_READS = 200
const MAX_ENTRIES = 50_000
const MAX_UNPACKED_BYTES = 512 * MIB
/** Maximum size of a compressed single file that is read completely. Reading it to the end verifies the file. */
const MAX_CHECKED_BYTES = 8 * MIB
/** Maximum size of records with a long name. */
const MAX_EXTRA_BYTES = MIB

/** A byte stream that supports skipping. */
interface Feed {
  /** Returns fewer bytes only at the end of the stream. */
  readonly take: (length: number) => Promise<Uint8Array>
  readonly skip: (length: number) => Promise<void>
}

const utf8 = new TextDecoder()
const textOf = (block: Uint8Array, from: number, length: number) => {
  const bytes = block.subarray(from, from + length)
  const end = bytes.indexOf(0)
  return utf8.decode(end === -1 ? bytes : bytes.subarray(0, end))
}

/** Reads a number in octal digits, or in base 256 for larger values. */
function numberOf(block: Uint8Array, from: number, length: number): number {
  const first = block[from] ?? 0
  if (first & 0x80) {
    let value = first & 0x7f
    for (let index = 1; index < length; index += 1) value = value * 256 + (block[from + index] ?? 0)
    return value
  }
  return Number.parseInt(textOf(block, from, length).trim() || '0', 8)
}

/** Verifies the checksum of a header. */
function isHeader(block: Uint8Array): boolean {
  let sum = 8 * 32
  for (const [index, byte] of block.entries()) if (index < 148 || index >= 156) sum += byte
  return sum === numberOf(block, 148, 8)
}

/** Parses records of the form `length key=value`, such as `path=…` and `size=…`. */
function readRecords(bytes: Uint8Array): ReadonlyMap<string, string> {
  const records = new Map<string, string>()
  let at = 0
  while (at < bytes.length) {
    const length = Number.parseInt(utf8.decode(bytes.subarray(at, at + 12)), 10)
    if (!(length > 0)) break
    const record = utf8.decode(bytes.subarray(at, at + length - 1))
    const [, key = '', value = ''] = /^\d+ ([^=]+)=([\s\S]*)$/.exec(record) ?? []
    records.set(key, value)
    at += length
  }
  return records
}

const blocks = (sizeBytes: number) => Math.ceil(sizeBytes / BLOCK_BYTES) * BLOCK_BYTES

interface Named {
  path?: string | undefined
  sizeBytes?: number | undefined
}

async function readExtra(feed: Feed, sizeBytes: number): Promise<Uint8Array> {
  if (sizeBytes > MAX_EXTRA_BYTES) throw new PreviewError('damaged')
  return (await feed.take(blocks(sizeBytes))).subarray(0, sizeBytes)
}

async function readName(feed: Feed, type: string, sizeBytes: number): Promise<Named> {
  const bytes = await readExtra(feed, sizeBytes)
  if (type === 'L') return { path: textOf(bytes, 0, bytes.length) }
  const records = readRecords(bytes)
  const size = records.get('size')
  return { path: records.get('path'), sizeBytes: size === undefined ? undefined : Number(size) }
}

function toEntry(block: Uint8Array, type: string, named: Named): ArchiveEntry {
  const isNewForm = textOf(block, 257, 5) === 'ustar'
  const prefix = isNewForm && block[263] === 48 ? textOf(block, 345, 155) : ''
  const name = textOf(block, 0, 100)
  const path = (named.path ?? (prefix === '' ? name : `${prefix}/${name}`)).replace(/^(?:\.?\/)+/, '')
  const seconds = numberOf(block, 136, 12)
  return {
    path: path.replace(/\/+$/, ''),
    isFolder: type === '5' || path.endsWith('/'),
    sizeBytes: named.sizeBytes ?? numberOf(block, 124, 12),
    modifiedAtMs: Number.isFinite(seconds) ? seconds * 1000 : null,
    isEncrypted: false,
  }
}

const WITHOUT_BYTES = new Set(['1', '2', '3', '4', '5', '6'])
class LimitReached extends Error {}

/** State of a listing in progress. */
interface Begun {
  readonly entries: ArchiveEntry[]
  /** Records that apply to the next entry. */
  named: Named
}

/** @throws {PreviewError} `damaged` if a header is invalid, or if the data ends within a header or a file */
async function listTar(feed: Feed, begun: Begun = { entries: [], named: {} }): Promise<ArchiveListing> {
  const { entries } = begun
  try {
    for (;;) {
      const block = await feed.take(BLOCK_BYTES)
      if (block.length < BLOCK_BYTES || block.every((byte) => byte === 0)) {
        if (block.length > 0 && block.length < BLOCK_BYTES) throw new PreviewError('damaged')
        return { entries, isComplete: true }
      }
      if (!isHeader(block)) throw new PreviewError('damaged')
      const type = String.fromCharCode(block[156] || 48)
      const sizeBytes = numberOf(block, 124, 12)
      if (type === 'L' || type === 'x') {
        Object.assign(begun.named, await readName(feed, type, sizeBytes))
        continue
      }
      if (type === 'K' || type === 'g') {
        await feed.skip(blocks(sizeBytes))
        continue
      }
      const entry = toEntry(block, type, begun.named)
      begun.named = {}
      if (entry.path !== '') entries.push(entry)
      if (entries.length >= MAX_ENTRIES) return { entries, isComplete: false }
      if (!WITHOUT_BYTES.has(type)) await feed.skip(blocks(entry.sizeBytes))
    }
  } catch (error) {
    if (error instanceof LimitReached) return { entries, isComplete: false }
    throw error
  }
}

/**
 * Lists a tar file. Reads the headers and skips the content of large files. Stops at a limit. If the limit is the
 * number of reads, the user can continue the listing.
 */
export function listPlainTar(source: PreviewSource, signal: AbortSignal): Promise<ArchiveListing> {
  const begun: Begun = { entries: [], named: {} }
  let window: Uint8Array = new Uint8Array(0)
  let windowStart = 0
  let position = 0
  let skipped = 0
  const list = async (signalOfTurn: AbortSignal): Promise<ArchiveListing> => {
    let reads = 0
    const start = position
    const listing = await listTar(
      {
        take: async (length) => {
          const end = Math.min(position + length, source.sizeBytes)
          if (position < windowStart || end > windowStart + window.length) {
            reads += 1
            if (reads > MAX_READS) throw new LimitReached()
            const windowBytes = skipped > WINDOW_BYTES ? HEADER_WINDOW_BYTES : WINDOW_BYTES
            const lastByte = Math.min(source.sizeBytes, position + Math.max(windowBytes, length)) - 1
            window = await readRange(source, { firstByte: position, lastByte, signal: signalOfTurn })
            windowStart = position
          }
          const bytes = window.subarray(position - windowStart, end - windowStart)
          position += length
          return bytes
        },
        skip: async (length) => {
          position += length
          skipped = length
          if (position > source.sizeBytes) throw new PreviewError('damaged')
        },
      },
      begun,
    )
    const isMore = !listing.isComplete && position > start && begun.entries.length < MAX_ENTRIES
    return { ...listing, entries: [...listing.entries], ...(isMore && { readOn: list }) }
  }
  return list(signal)
}

/** Creates a feed from a stream, up to a size limit. */
function feedOf(stream: ReadableStream<Uint8Array>): Feed {
  const reader = stream.getReader()
  let rest: Uint8Array = new Uint8Array(0)
  let total = 0
  const more = async () => {
    const { done, value } = await reader.read()
    if (done) return false
    total += value.length
    if (total > MAX_UNPACKED_BYTES) {
      await reader.cancel()
      throw new LimitReached()
    }
    rest = value
    return true
  }
  return {
    take: async (length) => {
      const result = new Uint8Array(length)
      let filled = 0
      while (filled < length && (rest.length > 0 || (await more()))) {
        const part = rest.subarray(0, length - filled)
        result.set(part, filled)
        filled += part.length
        rest = rest.subarray(part.length)
      }
      return result.subarray(0, filled)
    },
    skip: async (length) => {
      let left = length
      while (left > 0) {
        if (rest.length === 0 && !(await more())) throw new PreviewError('damaged')
        const count = Math.min(left, rest.length)
        rest = rest.subarray(count)
        left -= count
      }
    },
  }
}

/**
 * Lists a compressed single file, which contains no archive entries. The listed entry has the name of the file without
 * `.gz` or `.tgz`.
 */
function listSingle(source: PreviewSource, sizeBytes: number): ArchiveListing {
  const path = source.name.replace(/\.t?gz$/i, '')
  const entry = { path, isFolder: false, sizeBytes, modifiedAtMs: null, isEncrypted: false }
  return { entries: [entry], isComplete: true }
}

/** Counts the remaining bytes. Returns `null` if there are too many bytes. Fails if the stream is incomplete. */
async function countRest(feed: Feed): Promise<number | null> {
  try {
    for (let total = 0; ;) {
      const { length } = await feed.take(WINDOW_BYTES)
      total += length
      if (length < WINDOW_BYTES) return total
    }
  } catch (error) {
    if (error instanceof LimitReached) return null
    throw error
  }
}

/** Lists a gzip file while decompressing it, within limits. */
export async function listGzip(source: PreviewSource, signal: AbortSignal): Promise<ArchiveListing> {
  const open = async () => {
    const packed = await openStream(source, signal)
    return packed.pipeThrough(new DecompressionStream('gzip'))
  }
  const stream = await open()
  const feed = feedOf(stream)
  const first = await feed.take(BLOCK_BYTES)
  if (first.length === BLOCK_BYTES && isHeader(first)) {
    let isFirst = true
    return listTar({
      skip: feed.skip,
      take: (length) => {
        if (!isFirst) return feed.take(length)
        isFirst = false
        return Promise.resolve(first)
      },
    })
  }
  const rest = source.sizeBytes <= MAX_CHECKED_BYTES ? await countRest(feed) : null
  if (rest !== null) return listSingle(source, first.length + rest)
  // The last four bytes of a gzip file contain its uncompressed size modulo 2^32.
  const tail = await readRange(source, {
    firstByte: source.sizeBytes - 4,
    lastByte: source.sizeBytes - 1,
    signal,
  })
  return listSingle(source, new DataView(tail.buffer, tail.byteOffset).getUint32(0, true))
}
