import { randomUUID } from 'node:crypto'
import type { BigIntStats } from 'node:fs'
import { lstat, open, readdir, readFile, rename, rm, utimes } from 'node:fs/promises'
import { dirname, join, sep } from 'node:path'
import { errnoOf, isMissing } from '../errors.ts'
import { syncFolder } from '../place.ts'
import { type DiskRoot, ensureFolder } from '../root.ts'
import { decodeHeader, decodeRecords, type JournalRecord, lastFiles } from './records.ts'

const BOOT_ID_FILE = '/proc/sys/kernel/random/boot_id'

/** How the kernel that runs names its start; `null` where it does not say: there is no journal then. */
export async function readBootId(): Promise<string | null> {
  try {
    return (await readFile(BOOT_ID_FILE, 'latin1')).trim()
  } catch {
    return null
  }
}

interface Noted {
  readonly record: JournalRecord
  /** Of the kernel that ran by then. */
  readonly bootId: string
}

async function readSegments(folder: string): Promise<Noted[]> {
  const noted: Noted[] = []
  for (const name of await readdir(folder)) {
    const segment = await readFile(join(folder, name))
    const header = decodeHeader(segment)
    if (!header) continue
    for (const record of decodeRecords(segment, header)) noted.push({ record, bootId: header.bootId })
  }
  return noted
}

async function findStats(path: string): Promise<BigIntStats | null> {
  try {
    return await lstat(path, { bigint: true })
  } catch (error) {
    if (isMissing(error)) return null
    throw error
  }
}

/** What has the name may be older, torn, or the very file; what is newer was put there by others, and stays. */
async function isToBeRestored(path: string, { ino, mtimeNs, bytes }: JournalRecord): Promise<boolean> {
  const stats = await findStats(path)
  if (stats === null) return true
  if (!stats.isFile() || stats.mtimeNs > mtimeNs) return false
  return stats.ino !== ino || !(await readFile(path)).equals(bytes)
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

/** Under the same kernel nothing is lost but what was not synced yet. */
async function syncFile(root: DiskRoot, path: string, { ino }: JournalRecord): Promise<void> {
  if ((await findStats(path))?.ino !== ino) return
  {
    await using file = await open(path, 'r')
    await file.sync()
  }
  await syncFolder(root, dirname(path))
}

/**
 * Makes up for how the process before ended: files that it had acknowledged, and that a power cut took away before they were
 * synced at their places, are there again. Then the journal is gone. Only for who has the folder to itself.
 * @returns how many files were restored. @throws system errors; the journal stays then
 */
export async function recoverJournal(root: DiskRoot, bootId: string | null): Promise<number> {
  let noted: Noted[]
  try {
    noted = await readSegments(root.journalFolder)
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return 0
    throw error
  }
  const boots = new Map(noted.map((one) => [one.record, one.bootId]))
  let restored = 0
  for (const record of lastFiles(noted.map((one) => one.record))) {
    const path = join(root.path, record.path)
    if (!path.startsWith(root.path + sep)) continue
    if (boots.get(record) === bootId) await syncFile(root, path, record)
    else if (await isToBeRestored(path, record)) {
      await restore(root, path, record)
      restored += 1
    }
  }
  await rm(root.journalFolder, { recursive: true, force: true })
  await syncFolder(root, root.temporary)
  return restored
}
