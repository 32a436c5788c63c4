import { randomUUID } from 'node:crypto'
import type { BigIntStats } from 'node:fs'
import { lstat, open, readdir, readFile, rename, rm } from 'node:fs/promises'
import { dirname, join, sep } from 'node:path'
import { crc32 } from 'node:zlib'
import type { StorageKey } from '../keys.ts'
import { errnoOf, isMissing, translate } from './errors.ts'
import { place, syncFolder } from './place.ts'
import type { DiskRoot } from './root.ts'
import { seal, withTemporaryFile } from './temporary.ts'

/**
 * Servers up to November 2026 wrote small files to `.dropleaf-tmp/journal` first. A server that was killed or lost
 * power might have left a journal behind. Files are named `N.journal`: a header of one sector, then records. Numbers
 * are little-endian.
 */
const SEGMENT_NAME = /^\d+\.journal$/
const HEADER_BYTES = 512
const MAGIC = 0x4c46_4c45
const RECORD_BYTES = 72

interface JournalRecord {
  /** True for a file; false for a record that revokes all earlier records of the path and of everything below it. */
  readonly isFile: boolean
  readonly sequence: number
  /** Path relative to the root, with `/` as separator. */
  readonly path: string
  readonly ino: bigint
  readonly mtimeNs: bigint
  /** Inode of the previous file at the path; 0 for none. */
  readonly replacedIno: bigint
  readonly replacedMtimeNs: bigint
  readonly folderIno: bigint
  readonly bytes: Buffer
}

/** The last file recorded for a path. */
interface NotedFile extends JournalRecord {
  /** Modification times of all versions of the path, by inode. */
  readonly versions: ReadonlyMap<bigint, bigint>
}

export interface TakenOver {
  /** How many files were restored. */
  readonly restored: number
  /** Paths of files that could not be restored, relative to the root, with `/` as separator. */
  readonly left: readonly string[]
  /**
   * Folder with the rest of the journal: the bytes of files that were not restored, or damaged records of unknown
   * files. `null` if all files were restored.
   */
  readonly keptIn: string | null
}

/** Prefix for a journal that could not be restored completely. No sweep removes such a journal. */
export const KEPT_JOURNAL_PREFIX = 'journal-not-restored-'

/**
 * Restores the files of an old journal that are missing or torn, then removes the journal, or renames it if a part of
 * it could not be restored. The journal stays until every restored file is fsynced; after a crash the next start
 * repeats the work.
 * @throws {StorageError} if the disk fails; the journal then stays
 */
export function takeOverJournal(root: DiskRoot): Promise<TakenOver> {
  const folder = join(root.temporary, 'journal')
  // The lock prevents another driver of the folder from restoring files that this driver has just removed.
  return root.lock(folder, async () => {
    try {
      return await takeOver({ ...root, syncs: true }, folder)
    } catch (error) {
      throw translate(error, 'write', folder)
    }
  })
}

async function takeOver(root: DiskRoot, folder: string): Promise<TakenOver> {
  const journal = await readJournal(folder)
  if (journal === null) return { restored: 0, left: [], keptIn: null }
  const { records, isDamaged } = journal
  let restored = 0
  const left: string[] = []
  for (const file of lastFiles(records)) {
    const outcome = await restoreIfNeeded(root, file)
    if (outcome === 'restored') restored += 1
    if (outcome === 'left') left.push(file.path)
  }
  // Renames the folder atomically. If only a part of the journal remained, it could restore files that the other part
  // has revoked.
  const isKept = isDamaged || left.length > 0
  const aside = join(root.temporary, `${isKept ? KEPT_JOURNAL_PREFIX : ''}${randomUUID()}`)
  await rename(folder, aside)
  await syncFolder(root, root.temporary)
  if (isKept) return { restored, left, keptIn: aside }
  await rm(aside, { recursive: true, force: true })
  return { restored, left, keptIn: null }
}

interface Journal {
  readonly records: readonly JournalRecord[]
  /** Whether data is unreadable anywhere except at the end of a segment, where a power cut can tear a record. */
  readonly isDamaged: boolean
}

async function readJournal(folder: string): Promise<Journal | null> {
  const names = await readdir(folder).catch((error: unknown) => {
    if (errnoOf(error) === 'ENOENT') return null
    throw error
  })
  if (names === null) return null
  const segments = names.filter((name) => SEGMENT_NAME.test(name))
  const parsed = await Promise.all(segments.map(async (name) => parse(await readFile(join(folder, name)))))
  return {
    records: parsed.flatMap(({ records }) => records),
    isDamaged: parsed.some(({ isDamaged }) => isDamaged),
  }
}

/**
 * Returns the complete records of a segment whose generation is that of its header. A torn last record is normal after
 * a power cut. A torn record before another complete record means damage. Without its header, a segment is not
 * restored, because its records could be older records that were revoked.
 */
function parse(segment: Buffer): Journal {
  const generation = generationOf(segment)
  if (generation === null) return { records: [], isDamaged: segment.some((byte) => byte !== 0) }
  const records: JournalRecord[] = []
  let isDamaged = false
  let end = HEADER_BYTES
  for (;;) {
    const at = findRecord(segment, end, generation)
    const record = at === null ? null : recordAt(segment, at, generation)
    if (at === null || record === null) return { records, isDamaged }
    isDamaged ||= at !== end
    records.push(decode(record))
    end = at + record.length
  }
}

/** Returns the generation in the header as bytes, or `null` if the header is not complete. */
function generationOf(segment: Buffer): Buffer | null {
  const header = segment.subarray(0, HEADER_BYTES)
  if (header.length < HEADER_BYTES || header.readUInt32LE(4) !== MAGIC) return null
  return header.readUInt32LE(0) === crc32(header.subarray(4)) ? header.subarray(8, 16) : null
}

const GENERATION_AT = 8

const hasGeneration = (segment: Buffer, at: number, generation: Buffer): boolean =>
  at + RECORD_BYTES <= segment.length &&
  segment.subarray(at + GENERATION_AT, at + GENERATION_AT + generation.length).equals(generation)

/** Returns the complete record at a position, or `null` if there is none. */
function recordAt(segment: Buffer, at: number, generation: Buffer): Buffer | null {
  if (!hasGeneration(segment, at, generation)) return null
  const sizeBytes = segment.readUInt32LE(at + 4)
  const record = segment.subarray(at, at + sizeBytes)
  if (record.length < Math.max(sizeBytes, RECORD_BYTES)) return null
  return record.readUInt32LE(0) === crc32(record.subarray(4)) ? record : null
}

/** Returns the position of the next complete record, or `null` if there is none. */
function findRecord(segment: Buffer, from: number, generation: Buffer): number | null {
  if (recordAt(segment, from, generation)) return from
  // The bytes of a damaged file are skipped if its size is intact, because the file could contain records itself.
  const next = hasGeneration(segment, from, generation) ? from + segment.readUInt32LE(from + 4) : from
  if (recordAt(segment, next, generation)) return next
  let found = segment.indexOf(generation, from + GENERATION_AT + 1)
  while (found !== -1) {
    if (recordAt(segment, found - GENERATION_AT, generation)) return found - GENERATION_AT
    found = segment.indexOf(generation, found + 1)
  }
  return null
}

function decode(record: Buffer): JournalRecord {
  const bytesFrom = RECORD_BYTES + record.readUInt32LE(24)
  return {
    isFile: record.readUInt8(22) === 0,
    sequence: record.readUIntLE(16, 6),
    path: record.toString('utf8', RECORD_BYTES, bytesFrom),
    ino: record.readBigUInt64LE(32),
    mtimeNs: record.readBigInt64LE(40),
    replacedIno: record.readBigUInt64LE(48),
    replacedMtimeNs: record.readBigInt64LE(56),
    folderIno: record.readBigUInt64LE(64),
    bytes: record.subarray(bytesFrom),
  }
}

/** Returns the last record of each path, unless it was revoked. */
function lastFiles(records: readonly JournalRecord[]): NotedFile[] {
  const files = new Map<string, JournalRecord>()
  const versions = new Map<string, Map<bigint, bigint>>()
  for (const record of records.toSorted((a, b) => a.sequence - b.sequence)) {
    const { isFile, path, ino, mtimeNs, replacedIno, replacedMtimeNs } = record
    if (isFile) {
      const known = versions.get(path) ?? new Map<bigint, bigint>()
      // Uses the later time, because the modification time of the replaced file might have changed after the file's own
      // record.
      if (replacedMtimeNs > (known.get(replacedIno) ?? -1n)) known.set(replacedIno, replacedMtimeNs)
      versions.set(path, known.set(ino, mtimeNs))
      files.set(path, record)
    } else {
      for (const one of files.keys()) if (one === path || one.startsWith(`${path}/`)) files.delete(one)
    }
  }
  return [...files.values()].map((file) => ({ ...file, versions: versions.get(file.path) ?? new Map() }))
}

async function restoreIfNeeded(root: DiskRoot, file: NotedFile): Promise<'fine' | 'restored' | 'left'> {
  const path = join(root.path, file.path)
  try {
    if (!path.startsWith(root.path + sep)) return 'left'
    const isFine = !(await isToBeRestored(path, file))
    await (isFine ? syncPlace(root, path) : restore(root, file))
    return isFine ? 'fine' : 'restored'
  } catch (error) {
    // If the disk itself failed, the next start tries again. Any other error affects only this file.
    const { code } = translate(error, 'write', file.path)
    if (code === 'storage.full' || code === 'storage.unavailable') throw error
    return 'left'
  }
}

/**
 * Whether the recorded version must be restored. The path can contain the previous version, the recorded version
 * (complete or torn), or nothing. Any other file comes from another program and stays. A recorded version that another
 * program has changed also stays.
 */
async function isToBeRestored(path: string, file: NotedFile): Promise<boolean> {
  const stats = await findStats(path)
  if (stats === null) return true
  if (!stats.isFile())
    throw Object.assign(new Error('A folder or a link has the path of the file.'), { code: 'EEXIST' })
  const knownMtimeNs = file.versions.get(stats.ino)
  if (knownMtimeNs === undefined) return wasBefore(path, stats, file)
  // A crash can save a file's modification time without its bytes.
  if (stats.ino === file.ino && stats.size === 0n && file.bytes.length > 0) return true
  if (stats.mtimeNs > knownMtimeNs) return false
  return stats.ino !== file.ino || !(await hasBytes(path, file.bytes))
}

/**
 * Whether the file now at the path is older than the recorded file. If so, another program had moved or removed the
 * older file before the recorded file was written. The power cut then undid this move or removal. Every change of a
 * file updates its `ctime`, but renaming its folder does not. So the folder must also be the recorded folder.
 */
async function wasBefore(path: string, { ctimeNs }: BigIntStats, file: NotedFile): Promise<boolean> {
  return ctimeNs < file.mtimeNs && (await findStats(dirname(path)))?.ino === file.folderIno
}

async function findStats(path: string): Promise<BigIntStats | null> {
  try {
    return await lstat(path, { bigint: true })
  } catch (error) {
    if (isMissing(error)) return null
    throw error
  }
}

async function hasBytes(path: string, bytes: Buffer): Promise<boolean> {
  return (await readFile(path)).equals(bytes)
}

async function restore(root: DiskRoot, { path, bytes, mtimeNs }: NotedFile): Promise<void> {
  await withTemporaryFile(root, async (temporary) => {
    const seconds = Number(mtimeNs) / 1e9
    await temporary.handle.writeFile(bytes)
    await temporary.handle.utimes(seconds, seconds)
    await seal(temporary)
    await place(root, temporary.path, { key: path as StorageKey, ifAbsent: false })
  })
}

/** Syncs a file that matches its record, because it might not be fsynced yet. */
async function syncPlace(root: DiskRoot, path: string): Promise<void> {
  await using handle = await open(path, 'r')
  await handle.sync()
  await syncFolder(root, dirname(path))
}
