import { randomUUID } from 'node:crypto'
import { type BigIntStats, constants } from 'node:fs'
import { lstat, open, readdir, readFile, rename, rm, utimes } from 'node:fs/promises'
import { dirname, join, sep } from 'node:path'
import { errnoOf, isMissing } from '../errors.ts'
import { syncFolder } from '../place.ts'
import { type DiskRoot, ensureFolder } from '../root.ts'
import { syncFileSystem } from './file-system.ts'
import { SEGMENT_NAME } from './journal.ts'
import { setJournalAside } from './set-aside.ts'
import { decodeHeader, decodeRecords, type JournalRecord, type LastFile, lastFiles } from './records.ts'

export interface Recovered {
  readonly restored: number
  /** Files that something is in the way of. */
  readonly left: number
}

const READ_FLAGS = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0)

async function readSegments(folder: string): Promise<JournalRecord[]> {
  const records: JournalRecord[] = []
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    if (!entry.isFile() || !SEGMENT_NAME.test(entry.name)) continue
    const segment = await readFile(join(folder, entry.name))
    const header = decodeHeader(segment)
    if (header) records.push(...decodeRecords(segment, header))
  }
  return records
}

async function findStats(path: string): Promise<BigIntStats | null> {
  try {
    return await lstat(path, { bigint: true })
  } catch (error) {
    if (isMissing(error)) return null
    throw error
  }
}

/** A file that is kept from us can neither be compared nor be in need of us. */
async function hasBytes(path: string, bytes: Uint8Array): Promise<boolean> {
  try {
    return (await readFile(path)).equals(bytes)
  } catch (error) {
    if (errnoOf(error) === 'EACCES') return true
    throw error
  }
}

/**
 * Whether a file was in its place before another one was written for it: others have moved or removed it, and the power cut undid that.
 * Whatever is done to a file moves this time, which nobody can set; but not for files in a folder that gets another name.
 */
async function wasBefore(path: string, { ctimeNs }: BigIntStats, record: LastFile): Promise<boolean> {
  return ctimeNs < record.mtimeNs && (await findStats(dirname(path)))?.ino === record.folderIno
}

/**
 * The path may have what was there before, the very file, whole or torn, or nothing. What else has it was put there by others
 * meanwhile and stays, and so does the very file when others have changed it since.
 */
async function isToBeRestored(path: string, record: LastFile): Promise<boolean> {
  const { ino, versions, bytes } = record
  const stats = await findStats(path)
  if (stats === null) return true
  if (!stats.isFile()) return false
  const knownMtimeNs = versions.get(stats.ino)
  if (knownMtimeNs === undefined) return wasBefore(path, stats, record)
  // Its time may have reached the medium without its bytes.
  if (stats.ino === ino && stats.size === 0n && bytes.length > 0) return true
  if (stats.mtimeNs > knownMtimeNs) return false
  return stats.ino !== ino || !(await hasBytes(path, bytes))
}

async function restore(root: DiskRoot, path: string, { bytes, mtimeNs }: JournalRecord): Promise<void> {
  const folders = await ensureFolder(root, dirname(path))
  const temporary = join(root.temporary, randomUUID())
  try {
    await using file = await open(temporary, 'wx')
    await file.writeFile(bytes)
    const seconds = Number(mtimeNs) / 1e9
    await utimes(temporary, seconds, seconds)
    await file.sync()
    await rename(temporary, path)
  } finally {
    await rm(temporary, { force: true })
  }
  for (const folder of [dirname(path), ...folders]) await syncFolder(root, folder)
}

/** The disk itself refuses: to be tried again. Otherwise something is in the way of one file, and must not keep the others. */
const isOfDisk = (error: unknown): boolean => ['EIO', 'ENOSPC', 'EDQUOT'].includes(errnoOf(error) ?? '')

async function restoreIfNeeded(root: DiskRoot, record: LastFile): Promise<'fine' | 'restored' | 'left'> {
  const path = join(root.path, record.path)
  try {
    if (!path.startsWith(root.path + sep) || !(await isToBeRestored(path, record))) return 'fine'
    await restore(root, path, record)
    return 'restored'
  } catch (error) {
    if (isOfDisk(error)) throw error
    return 'left'
  }
}

/** What is there as it was noted may not be on the medium yet. */
async function syncPlaces(root: DiskRoot, records: readonly LastFile[]): Promise<void> {
  if (await syncFileSystem(root.path)) return
  for (const { path } of records) {
    await using handle = await open(join(root.path, path), READ_FLAGS).catch(() => null)
    await handle?.sync()
    await syncFolder(root, dirname(join(root.path, path)))
  }
}

/**
 * Makes up for how the process before ended: files that it had acknowledged, and that a power cut (or a disk that went away)
 * took before they were synced at their places, are there again. Then the journal is gone; one with files that something is in the
 * way of is set aside, for the sweep to take some day. Only for who has the folder to itself.
 * @throws system errors; the journal stays then
 */
export async function recoverJournal(root: DiskRoot): Promise<Recovered> {
  let records: LastFile[]
  try {
    records = lastFiles(await readSegments(root.journalFolder))
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return { restored: 0, left: 0 }
    throw error
  }
  const outcomes = { fine: 0, restored: 0, left: 0 }
  for (const record of records) outcomes[await restoreIfNeeded(root, record)] += 1
  if (records.length > 0) await syncPlaces(root, records)
  const aside = await setJournalAside(root.journalFolder)
  if (aside !== null && outcomes.left === 0) await rm(aside, { recursive: true, force: true })
  return outcomes
}
