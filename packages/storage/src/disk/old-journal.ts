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
  /** Folder with the kept journal, which contains the bytes of these files; `null` if all files were restored. */
  readonly keptIn: string | null
}

/** Prefix for a journal that could not be restored completely. No sweep removes such a journal. */
export const KEPT_JOURNAL_PREFIX = 'journal-not-restored-'

/**
 * Restores the files of an old journal that are missing or torn, then removes the journal. The journal stays until
 * every restored file is fsynced; after a crash the next start repeats the work.
 * @throws {StorageError} if the disk fails; the journal then stays
 */
export function takeOverJournal(root: DiskRoot): Promise<TakenOver> {
  const folder = join(root.temporary, 'journal')
  // Locked, because another driver of the folder could otherwise restore what the first one has just removed.
  return root.lock(folder, async () => {
    try {
      return await takeOver({ ...root, syncs: true }, folder)
    } catch (error) {
      throw translate(error, 'write', folder)
    }
  })
}

async function takeOver(root: DiskRoot, folder: string): Promise<TakenOver> {
  const records = await readRecords(folder)
  if (records === null) return { restored: 0, left: [], keptIn: null }
  let restored = 0
  const left: string[] = []
  for (const file of lastFiles(records)) {
    const outcome = await restoreIfNeeded(root, file)
    if (outcome === 'restored') restored += 1
    if (outcome === 'left') left.push(file.path)
  }
  // Renames the folder atomically, because a part of the journal could restore what the rest has revoked.
  const aside = join(root.temporary, `${left.length > 0 ? KEPT_JOURNAL_PREFIX : ''}${randomUUID()}`)
  await rename(folder, aside)
  await syncFolder(root, root.temporary)
  if (left.length > 0) return { restored, left, keptIn: aside }
  await rm(aside, { recursive: true, force: true })
  return { restored, left, keptIn: null }
}

async function readRecords(folder: string): Promise<JournalRecord[] | null> {
  const names = await readdir(folder).catch((error: unknown) => {
    if (errnoOf(error) === 'ENOENT') return null
    throw error
  })
  const segments = names?.filter((name) => SEGMENT_NAME.test(name)) ?? []
  const records = await Promise.all(segments.map(async (name) => parse(await readFile(join(folder, name)))))
  return names && records.flat()
}

/** Returns the complete records of a segment, up to the first one that is torn or older than the header. */
function parse(segment: Buffer): JournalRecord[] {
  const header = segment.subarray(0, HEADER_BYTES)
  if (header.length < HEADER_BYTES || header.readUInt32LE(4) !== MAGIC) return []
  if (header.readUInt32LE(0) !== crc32(header.subarray(4))) return []
  const generation = header.readBigUInt64LE(8)
  const records: JournalRecord[] = []
  for (let at = HEADER_BYTES; at + RECORD_BYTES <= segment.length;) {
    const sizeBytes = segment.readUInt32LE(at + 4)
    const record = segment.subarray(at, at + sizeBytes)
    if (record.length < Math.max(sizeBytes, RECORD_BYTES) || record.readBigUInt64LE(8) !== generation) break
    if (record.readUInt32LE(0) !== crc32(record.subarray(4))) break
    const bytesFrom = RECORD_BYTES + record.readUInt32LE(24)
    records.push({
      isFile: record.readUInt8(22) === 0,
      sequence: record.readUIntLE(16, 6),
      path: record.toString('utf8', RECORD_BYTES, bytesFrom),
      ino: record.readBigUInt64LE(32),
      mtimeNs: record.readBigInt64LE(40),
      replacedIno: record.readBigUInt64LE(48),
      replacedMtimeNs: record.readBigInt64LE(56),
      folderIno: record.readBigUInt64LE(64),
      bytes: record.subarray(bytesFrom),
    })
    at += sizeBytes
  }
  return records
}

/** Returns the last record of each path, unless it was revoked. */
function lastFiles(records: readonly JournalRecord[]): NotedFile[] {
  const files = new Map<string, JournalRecord>()
  const versions = new Map<string, Map<bigint, bigint>>()
  for (const record of records.toSorted((a, b) => a.sequence - b.sequence)) {
    const { isFile, path, ino, mtimeNs, replacedIno, replacedMtimeNs } = record
    if (isFile) {
      const known = versions.get(path) ?? new Map<bigint, bigint>()
      // The file's modification time might have changed after its own record.
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
 * (complete or torn), or nothing. Anything else comes from another program and stays, as does a recorded version that
 * another program has changed.
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
 * Whether the file was at its path before the journal recorded a different file. In that case a program had moved or
 * removed the old file, and the power cut undid that. Every change of a file updates its `ctime`, except for files in a
 * folder that is renamed.
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
