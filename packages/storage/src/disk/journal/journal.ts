import {
  type BigIntStats,
  closeSync,
  constants,
  fstat,
  fstatSync,
  fsync,
  fsyncSync,
  mkdirSync,
  open,
  openSync,
  statSync,
} from 'node:fs'
import { dirname, join, relative, sep } from 'node:path'
import { promisify } from 'node:util'
import type { FileVersion } from '../object-stat.ts'
import { syncFileSystem, syncFileSystemNow } from './file-system.ts'
import { extraBytesOf, isAtOrBelow, type JournalRecord } from './records.ts'
import { createSegment, type Segment } from './segment.ts'

/**
 * What keeps small files over a power cut until they are on the medium at their places: their bytes and names, one after the
 * other in one file, so that one sync serves all that come together, where each file would need two of its own. They are synced
 * at their places a little later, and the journal begins anew. It belongs to one thread; every call but `flush` waits for the medium.
 */
export interface Journal {
  /**
   * Puts files on the medium before they get their names.
   * @returns false where there is no room left for now: they are to be synced at their places.
   * @throws system errors, when nothing may be taken for kept
   */
  note(files: readonly NotedFile[]): boolean
  /**
   * Before a file, or a folder with all in it, is changed by other ways than {@link note}, and where a noted file did not get its
   * name: what is there by now is synced, and what was noted counts no more.
   */
  settle(path: string): void
  /** Brings everything that was noted to the medium at its place, while others go on, and empties the journal. */
  flush(): Promise<void>
  readonly isEmpty: boolean
  /** Whether a part of it is full, and waits for {@link flush}. */
  readonly isFilling: boolean
  /** For a journal that is empty: its files go. */
  close(): void
}

export interface NotedFile {
  readonly target: string
  readonly stats: FileVersion
  /** Of the file that has the name; 0 for none. */
  readonly replacedIno: bigint
  readonly replacedMtimeNs: bigint
  /** Of the folder that it gets its name in. */
  readonly folderIno: bigint
  readonly bytes: Uint8Array
}

export interface JournalPlace {
  /** The folder of the storage, absolute. */
  readonly root: string
  /** Where the journal lies, on the same file system. */
  readonly folder: string
}

/** What its files are called. */
export const SEGMENT_NAME = /^\d+\.journal$/
/** Two of them: one is written to while the other one is brought to the medium. */
const SEGMENTS = 2
/** Some 1,500 files of 10 kB. */
const SEGMENT_MAX_BYTES = 16 * 1024 * 1024
const SYNCS_AT_ONCE = 2
/** A disk that has no room for it now is not asked again for so long. */
const RETRY_MS = 10_000
/** As many files, or more, are synced with the whole file system. */
const MANY_FILES = 64
/** More than the steps in which file systems tell times: whatever happens in a folder that was left alone for so long gives it another. */
const SETTLED_MS = 1000
const NOT_SYNCED = 'Files that were noted are not where they were, and cannot be synced.'
/** Not through a symlink, and not waiting for the other end of a pipe that somebody put there. */
const READ_FLAGS = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0)

const openLater = promisify(open)
const statLater = promisify(fstat)
const syncLater = promisify(fsync)

/** Brings a file, or the names in a folder, to the medium. @returns as {@link syncInTurn} */
function syncNow(path: string, ino: bigint | null): boolean {
  let descriptor: number
  try {
    descriptor = openSync(path, READ_FLAGS)
  } catch {
    return false
  }
  try {
    fsyncSync(descriptor)
    return ino === null || fstatSync(descriptor, { bigint: true }).ino === ino
  } finally {
    closeSync(descriptor)
  }
}

/** @returns whether it was the very file that had to be synced; others may have moved it, or keep it from us */
async function syncInTurn(path: string, inoOf: (() => bigint | undefined) | null): Promise<boolean> {
  const descriptor = await openLater(path, READ_FLAGS).catch(() => null)
  if (descriptor === null) return false
  try {
    await syncLater(descriptor)
    return inoOf === null || (await statLater(descriptor, { bigint: true })).ino === inoOf()
  } finally {
    closeSync(descriptor)
  }
}

/** @returns whether each was the very one */
async function syncEach(
  paths: Iterable<readonly [string, (() => bigint | undefined) | null]>,
): Promise<boolean> {
  const left = paths[Symbol.iterator]()
  let isEach = true
  const one = async () => {
    for (let next = left.next(); !next.done; next = left.next())
      if (!(await syncInTurn(...next.value))) isEach = false
  }
  await Promise.all(Array.from({ length: SYNCS_AT_ONCE }, one))
  return isEach
}

export function openJournal({ root, folder }: JournalPlace): Journal {
  const fileOf = (at: number) => join(folder, `${at}.journal`)
  let segments: Segment[] = []
  let lastSequence = 0
  let flushing: Promise<void> | null = null
  let closedUntilMs = 0
  /** The folder when all files were found in it last, once it had been left alone. */
  let seen: BigIntStats | null = null
  /** Files that were noted and have another name by now, which others have given them; and how many of those are on the medium. */
  let strays = 0
  let syncedStrays = 0

  const keyOf = (path: string) => relative(root, path).split(sep).join('/')
  const pathAt = (key: string) => join(root, key)
  const foldersOf = (keys: Iterable<string>) => new Set([...keys].map((key) => dirname(pathAt(key))))

  /** The one that is written to is the last one; the one before it is full, or empty. */
  const current = () => segments.at(-1)
  const allKeys = () => segments.flatMap(({ files }) => [...files.keys()])

  /** Of the version that was noted last. */
  const inoOf = (key: string) => current()?.files.get(key) ?? segments[0]?.files.get(key)

  const hasStrays = () => strays > syncedStrays

  /** What others have moved, or keep from us, is synced with everything else. @throws {Error} when that fails */
  function syncPlaces(keys: readonly string[]): void {
    if ((hasStrays() || keys.length >= MANY_FILES) && trySyncFileSystem()) return
    if (hasStrays()) throw new Error(NOT_SYNCED)
    const isEach = keys.map((key) => syncNow(pathAt(key), inoOf(key) ?? null)).every(Boolean)
    if (!isEach && !trySyncFileSystem()) throw new Error(NOT_SYNCED)
    for (const folder of foldersOf(keys)) syncNow(folder, null)
  }

  function trySyncFileSystem(): boolean {
    try {
      syncFileSystemNow(root)
      syncedStrays = strays
      return true
    } catch {
      return false
    }
  }

  /** One that cannot be removed is still ours. */
  function removeSegments(): void {
    for (let [first] = segments; first; [first] = segments) {
      first.remove()
      segments.shift()
      first.close()
    }
    syncNow(folder, null)
  }

  const isSound = () => segments.every((segment) => segment.isSound)

  /**
   * Whether no file of it was taken away, or another one put there: the folder says so by its time. The files are not asked, since
   * Linux has their times kept exactly from then on, and each sync would bring the inode to the medium, too.
   */
  function isInPlace(): boolean {
    const stats = statSync(folder, { bigint: true, throwIfNoEntry: false })
    if (!stats) return false
    if (seen && seen.ino === stats.ino && seen.dev === stats.dev && seen.mtimeNs === stats.mtimeNs)
      return true
    const isEach = segments.every((segment) => segment.isInPlace())
    seen = isEach && Number(stats.mtimeMs) < Date.now() - SETTLED_MS ? stats : null
    return isEach
  }

  const isReady = () => segments.length > 0 && isSound() && isInPlace()

  /** Folder and files may have been taken away, or refuse: what they were to keep is synced, and they begin anew. */
  function makeReady(): void {
    if (isReady()) return
    syncPlaces(allKeys())
    removeSegments()
    mkdirSync(folder, { recursive: true })
    try {
      for (let at = 0; at < SEGMENTS; at += 1)
        segments.push(createSegment(fileOf(at), { maxBytes: SEGMENT_MAX_BYTES }))
      for (const path of [folder, dirname(folder)]) syncNow(path, null)
    } catch (error) {
      removeSegments()
      throw error
    }
  }

  /** Makes the other one the current one, if it is empty. */
  function turnOver(): boolean {
    const [first] = segments
    if (first?.isEmpty !== true) return false
    segments.push(...segments.splice(0, 1))
    return true
  }

  function hasRoom(bytes: number): boolean {
    if (Date.now() < closedUntilMs) return false
    try {
      makeReady()
    } catch {
      closedUntilMs = Date.now() + RETRY_MS
      return false
    }
    const fits = () => current()?.hasRoom(bytes) === true
    return fits() || (turnOver() && fits())
  }

  function record(path: string, o: Pick<JournalRecord, 'kind'> & Partial<JournalRecord>): JournalRecord {
    lastSequence += 1
    const nothing = {
      ino: 0n,
      replacedIno: 0n,
      replacedMtimeNs: 0n,
      folderIno: 0n,
      mtimeNs: 0n,
      bytes: Buffer.alloc(0),
    }
    return { ...nothing, ...o, path, sequence: lastSequence }
  }

  /** All at their places, now. */
  function flushNow(): void {
    syncPlaces(allKeys())
    for (const segment of segments) segment.empty()
  }

  /** What cannot be added makes way for what was noted: nothing is left that would have to be taken back. */
  function append(records: readonly JournalRecord[]): void {
    try {
      current()?.append(records)
    } catch (error) {
      try {
        flushNow()
      } catch {
        // It is tried again before anything else is noted, or changed.
      }
      throw error
    }
  }

  function settle(path: string): void {
    const key = keyOf(path)
    const keys = [...new Set(allKeys().filter((one) => isAtOrBelow(one, key)))]
    if (keys.length === 0 && isSound()) return
    syncPlaces(keys)
    if (!hasRoom(extraBytesOf(key))) return flushNow()
    append([record(key, { kind: 'void' })])
    for (const { files } of segments) for (const one of keys) files.delete(one)
  }

  /** Strays that come to light meanwhile may have come too late. */
  async function syncWhole(): Promise<boolean> {
    const known = strays
    if (!(await syncFileSystem(root))) return false
    syncedStrays = Math.max(syncedStrays, known)
    return true
  }

  /** What other programs have moved, or keep from us, is synced with everything else. @throws {Error} when that fails */
  async function syncAll(files: ReadonlyMap<string, bigint>): Promise<void> {
    if ((hasStrays() || files.size >= MANY_FILES) && (await syncWhole())) return
    if (hasStrays()) throw new Error(NOT_SYNCED)
    const paths = [...files.keys()].map((key) => [pathAt(key), () => inoOf(key)] as const)
    if (!(await syncEach(paths)) && !(await syncWhole())) throw new Error(NOT_SYNCED)
    await syncEach([...foldersOf(files.keys())].map((path) => [path, null] as const))
  }

  /** Oldest first: what was taken back later must not be gone before what it is about. */
  async function flushInTurn(): Promise<void> {
    for (let turn = 0; turn < SEGMENTS; turn += 1) {
      const oldest = segments.find((segment) => !segment.isEmpty)
      if (!oldest) return
      // What comes from now on goes into the other one.
      if (oldest === current()) turnOver()
      const { generation } = oldest
      await syncAll(new Map(oldest.files))
      if (segments.includes(oldest) && oldest.generation === generation) oldest.empty()
    }
  }

  return {
    note(files) {
      const bytes = files.reduce((total, file) => total + file.bytes.length + extraBytesOf(file.target), 0)
      if (!hasRoom(bytes)) return false
      const records = files.map(({ target, stats: { ino, mtimeNs }, bytes: content, ...around }) => {
        const { replacedIno, replacedMtimeNs, folderIno } = around
        const o = { ino, mtimeNs, replacedIno, replacedMtimeNs, folderIno, bytes: content }
        return record(keyOf(target), { kind: 'file', ...o })
      })
      append(records)
      for (const { path, ino, replacedIno } of records) {
        const before = inoOf(path)
        if (before !== undefined && before !== replacedIno) strays += 1
        current()?.files.set(path, ino)
      }
      return true
    },
    settle,
    flush: () => (flushing ??= flushInTurn().finally(() => (flushing = null))),
    get isEmpty() {
      return segments.every((segment) => segment.isEmpty)
    },
    get isFilling() {
      return segments.length > 0 && segments[0]?.isEmpty === false
    },
    close: removeSegments,
  }
}
