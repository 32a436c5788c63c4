import { KIB, MIB } from '@dropleaf/contract'
import { type Entry, Reader, ZipReader } from '@zip.js/zip.js/lib/zip-core-custom.js'
import { detectEncoding } from '../../../lib/text/detect-encoding.ts'
import { readRange } from '../reading/byte-source.ts'
import { blamingFile, PreviewError } from '../preview-error.ts'
import type { PreviewSource } from '../preview-source.ts'
import type { ArchiveEntry, ArchiveListing } from './archive-entry.ts'

/**
 * Minimum size of a read. A read of a small header also reads the bytes after it, which are likely to be needed next.
 */
const WINDOW_BYTES = 64 * KIB
/** Maximum size of one read. A central directory is read in one piece. */
const READ_MAX_BYTES = 48 * MIB
/** Maximum size of a local header with its name and extra fields. */
const LOCAL_HEADER_BYTES = 30 + KIB
const MAX_ENTRIES = 100_000
/**
 * Maximum of the 16-bit entry count. An archive with more files stores this value, and some such archives do not
 * state the correct count anywhere else.
 */
const COUNT_LIMIT = 0xff_ff
const STORED = 0
const DEFLATED = 8

/** Accepts entries whose paths point outside the archive, and up to `WINDOW_BYTES` of trailing data. */
const READ_OPTIONS = { strictness: 'tolerant', maxAppendedDataSize: WINDOW_BYTES } as const

interface Window {
  readonly firstByte: number
  readonly bytes: Uint8Array
}

/** Reads a file with few range requests. */
class RangeReader extends Reader<PreviewSource> {
  readonly #source: PreviewSource
  readonly #signal: AbortSignal
  readonly #held = new Set<Window>()
  #recent: readonly Window[] = []

  constructor(source: PreviewSource, signal: AbortSignal) {
    super(source)
    this.#source = source
    this.#signal = signal
    this.size = source.sizeBytes
  }

  override async readUint8Array(index: number, length: number): Promise<Uint8Array> {
    const end = Math.min(index + length, this.size)
    const known = [...this.#held, ...this.#recent].find(
      ({ firstByte, bytes }) => firstByte <= index && end <= firstByte + bytes.length,
    )
    const window = known ?? (await this.#read(index, Math.max(length, WINDOW_BYTES)))
    if (!known) this.#recent = [window, ...this.#recent.slice(0, 1)]
    return window.bytes.subarray(index - window.firstByte, index - window.firstByte + length)
  }

  /** Reads a range and caches it while `work` runs. */
  async holding<Result>(firstByte: number, length: number, work: () => Promise<Result>): Promise<Result> {
    const window = await this.#read(firstByte, length)
    this.#held.add(window)
    try {
      return await work()
    } finally {
      this.#held.delete(window)
    }
  }

  async #read(firstByte: number, length: number): Promise<Window> {
    if (length > READ_MAX_BYTES + LOCAL_HEADER_BYTES) throw new PreviewError('too_large')
    const lastByte = Math.min(firstByte + length, this.size) - 1
    return { firstByte, bytes: await readRange(this.#source, { firstByte, lastByte, signal: this.#signal }) }
  }
}

/** The required fields of an entry. Keeping the library's entry objects would need much more memory. */
interface RawEntry extends Omit<ArchiveEntry, 'path'> {
  /** Decoded name; `null` if its encoding is unknown. */
  readonly name: string | null
  readonly rawName: Uint8Array
}

const describe = (entry: Entry): RawEntry => ({
  name: entry.bitFlag?.languageEncodingFlag || entry.extraFieldUnicodePath?.valid ? entry.filename : null,
  rawName: entry.rawFilename,
  isFolder: entry.directory,
  sizeBytes: entry.uncompressedSize,
  modifiedAtMs: entry.rawLastModDate === 0 ? null : entry.lastModDate.getTime(),
  isEncrypted: entry.encrypted,
})

/**
 * Decodes the names. Detects one encoding for all names that declare none, because usually one program has written all
 * of them.
 */
async function named(entries: readonly RawEntry[]): Promise<ArchiveEntry[]> {
  const names = entries.filter(({ name }) => name === null).map(({ rawName }) => rawName)
  const joined = new Blob(names.flatMap((name) => [new Uint8Array(name), '\n']))
  const decoder = new TextDecoder(await detectEncoding(new Uint8Array(await joined.arrayBuffer())))
  return entries.map(({ name, rawName, ...entry }) => {
    const path = (name ?? decoder.decode(rawName)).replaceAll('\\', '/')
    return { ...entry, path: path.replace(/\/+$/, ''), isFolder: entry.isFolder || path.endsWith('/') }
  })
}

/**
 * Lists a zip archive by its central directory, without reading its files.
 * @throws {PreviewError} `damaged`, `too_large`
 * @throws the errors of {@link readRange}
 */
export const listZip = (source: PreviewSource, signal: AbortSignal): Promise<ArchiveListing> =>
  blamingFile(async () => {
    const found: RawEntry[] = []
    const zip = new ZipReader(new RangeReader(source, signal), READ_OPTIONS)
    for await (const entry of zip.getEntriesGenerator()) {
      if (found.push(describe(entry)) === MAX_ENTRIES) break
    }
    const isComplete = found.length !== COUNT_LIMIT && found.length < MAX_ENTRIES
    return { entries: await named(found), isComplete }
  })

export interface ZipFiles {
  readonly names: readonly string[]
  /**
   * Reads the content of a file. Returns `undefined` if there is no file with that name.
   * @throws {PreviewError} `damaged`, `encrypted`, `too_large`, or `unsupported` for rare compression methods
   * @throws the errors of {@link readRange}
   */
  readonly read: (name: string, maxBytes: number) => Promise<Uint8Array<ArrayBuffer> | undefined>
}

/**
 * Opens a zip archive whose files are read on demand.
 * @throws {PreviewError} `damaged`, `too_large`
 * @throws the errors of {@link readRange}
 */
export async function openZip(source: PreviewSource, signal: AbortSignal): Promise<ZipFiles> {
  const reader = new RangeReader(source, signal)
  const found: Entry[] = []
  const names = await blamingFile(async () => {
    for await (const entry of new ZipReader(reader, READ_OPTIONS).getEntriesGenerator()) {
      if (found.push(entry) > MAX_ENTRIES) throw new PreviewError('too_large')
    }
    return (await named(found.map(describe))).map(({ path }) => path)
  })
  const entries = new Map(names.map((name, at) => [name, found[at]]))
  return {
    names,
    read: async (name, maxBytes) => {
      const entry = entries.get(name)
      if (!entry || entry.directory) return undefined
      const { encrypted, compressionMethod, uncompressedSize, compressedSize, offset } = entry
      if (encrypted) throw new PreviewError('encrypted')
      if (uncompressedSize > maxBytes || compressedSize > maxBytes) throw new PreviewError('too_large')
      if (compressionMethod !== STORED && compressionMethod !== DEFLATED)
        throw new PreviewError('unsupported')
      const length = LOCAL_HEADER_BYTES + compressedSize
      // The library never decompresses more than the declared size, which protects against zip bombs.
      const unpack = async () => new Uint8Array(await entry.arrayBuffer({ signal }))
      return blamingFile(() => reader.holding(offset, length, unpack))
    },
  }
}
