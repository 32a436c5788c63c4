import { crc32 } from 'node:zlib'

/** The form in which the journal of small files keeps them. Numbers are little-endian; what is torn or older is no record. */

/** A sector, which a medium writes as a whole or not at all. */
export const HEADER_BYTES = 512
const MAGIC = 0x4c46_4c45
const RECORD_BYTES = 72
/** Source: `PATH_MAX` of Linux. */
const PATH_MAX_BYTES = 4096

/** What a segment says of itself. */
export interface SegmentHeader {
  /** Drawn anew whenever it is emptied: records of another one are leftovers. */
  readonly generation: bigint
}

/** `file`: what is under a path. `void`: what was said before of the path, and of what is below it, counts no more. */
export type RecordKind = 'file' | 'void'

const KINDS: readonly RecordKind[] = ['file', 'void']

export interface JournalRecord {
  readonly kind: RecordKind
  /** Which of two records came later, across segments. */
  readonly sequence: number
  /** Below the root of the storage, with `/`. */
  readonly path: string
  /** Of the file that was made; 0 where there is none. */
  readonly ino: bigint
  /** Of the file that had the path before; 0 where there was none. */
  readonly replacedIno: bigint
  readonly replacedMtimeNs: bigint
  /** Of the folder that it is in. */
  readonly folderIno: bigint
  readonly mtimeNs: bigint
  readonly bytes: Uint8Array
}

export function encodeHeader({ generation }: SegmentHeader): Buffer {
  const header = Buffer.alloc(HEADER_BYTES)
  header.writeUInt32LE(MAGIC, 4)
  header.writeBigUInt64LE(generation, 8)
  header.writeUInt32LE(crc32(header.subarray(4)), 0)
  return header
}

/** `null`: this is none, or was torn. */
export function decodeHeader(segment: Buffer): SegmentHeader | null {
  const header = segment.subarray(0, HEADER_BYTES)
  const isWhole =
    header.length === HEADER_BYTES &&
    header.readUInt32LE(4) === MAGIC &&
    header.readUInt32LE(0) === crc32(header.subarray(4))
  if (!isWhole) return null
  return { generation: header.readBigUInt64LE(8) }
}

/** At most, of the record of a file beside its bytes. */
export const extraBytesOf = (path: string): number => RECORD_BYTES + 3 * path.length

/** @returns what is to be written one after the other; the bytes of the file are not copied. */
export function encodeRecord(record: JournalRecord, generation: bigint): readonly Uint8Array[] {
  const { kind, sequence, path, ino, replacedIno, replacedMtimeNs, folderIno, mtimeNs, bytes } = record
  const pathBytes = Buffer.byteLength(path)
  const head = Buffer.alloc(RECORD_BYTES + pathBytes)
  head.writeUInt32LE(head.length + bytes.length, 4)
  head.writeBigUInt64LE(generation, 8)
  head.writeUIntLE(sequence, 16, 6)
  head.writeUInt8(KINDS.indexOf(kind), 22)
  head.writeUInt32LE(pathBytes, 24)
  head.writeBigUInt64LE(ino, 32)
  head.writeBigInt64LE(mtimeNs, 40)
  head.writeBigUInt64LE(replacedIno, 48)
  head.writeBigInt64LE(replacedMtimeNs, 56)
  head.writeBigUInt64LE(folderIno, 64)
  head.write(path, RECORD_BYTES)
  head.writeUInt32LE(crc32(bytes, crc32(head.subarray(4))), 0)
  return bytes.length === 0 ? [head] : [head, bytes]
}

function decodeRecord(rest: Buffer, generation: bigint): { record: JournalRecord; sizeBytes: number } | null {
  if (rest.length < RECORD_BYTES || rest.readBigUInt64LE(8) !== generation) return null
  const sizeBytes = rest.readUInt32LE(4)
  const pathBytes = rest.readUInt32LE(24)
  const kind = KINDS[rest.readUInt8(22)]
  const dataFrom = RECORD_BYTES + pathBytes
  const fits = pathBytes <= PATH_MAX_BYTES && dataFrom <= sizeBytes && sizeBytes <= rest.length
  if (kind === undefined || !fits || crc32(rest.subarray(4, sizeBytes)) !== rest.readUInt32LE(0)) return null
  const record = {
    kind,
    sequence: rest.readUIntLE(16, 6),
    path: rest.toString('utf8', RECORD_BYTES, dataFrom),
    ino: rest.readBigUInt64LE(32),
    mtimeNs: rest.readBigInt64LE(40),
    replacedIno: rest.readBigUInt64LE(48),
    replacedMtimeNs: rest.readBigInt64LE(56),
    folderIno: rest.readBigUInt64LE(64),
    bytes: rest.subarray(dataFrom, sizeBytes),
  }
  return { record, sizeBytes }
}

/** The whole records of a segment, up to the first that is torn or older. */
export function decodeRecords(segment: Buffer, { generation }: SegmentHeader): JournalRecord[] {
  const records: JournalRecord[] = []
  let at = HEADER_BYTES
  for (;;) {
    const next = decodeRecord(segment.subarray(at), generation)
    if (next === null) return records
    records.push(next.record)
    at += next.sizeBytes
  }
}

export const isAtOrBelow = (path: string, above: string): boolean =>
  path === above || path.startsWith(`${above}/`)

export interface LastFile extends JournalRecord {
  /** The files that the path has had, as far as the records tell: inodes and times. */
  readonly versions: ReadonlyMap<bigint, bigint>
}

/** What counts in the end of each path: the last file that was noted, unless it was taken back. */
export function lastFiles(records: readonly JournalRecord[]): LastFile[] {
  const files = new Map<string, JournalRecord>()
  const versions = new Map<string, Map<bigint, bigint>>()
  for (const record of records.toSorted((a, b) => a.sequence - b.sequence)) {
    const { kind, path, ino, mtimeNs, replacedIno, replacedMtimeNs } = record
    if (kind === 'void') {
      for (const one of files.keys()) if (isAtOrBelow(one, path)) files.delete(one)
      continue
    }
    files.set(path, record)
    const known = versions.get(path) ?? new Map<bigint, bigint>()
    // Its time may have been set since it was noted itself.
    if (replacedMtimeNs > (known.get(replacedIno) ?? -1n)) known.set(replacedIno, replacedMtimeNs)
    versions.set(path, known.set(ino, mtimeNs))
  }
  return [...files.values()].map((record) => ({
    ...record,
    versions: versions.get(record.path) ?? new Map(),
  }))
}
