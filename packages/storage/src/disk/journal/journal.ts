import { execFile } from 'node:child_process'
import { closeSync, constants, fsync, fsyncSync, mkdirSync, open, openSync, rmSync } from 'node:fs'
import { dirname, join, relative, sep } from 'node:path'
import { promisify } from 'node:util'
import { isMissing } from '../errors.ts'
import type { FileVersion } from '../object-stat.ts'
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
   * @param movedTo the name that the folder has got meanwhile
   */
  settle(path: string, movedTo?: string): void
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
  readonly bytes: Uint8Array
}

export interface JournalPlace {
  /** The folder of the storage, absolute. */
  readonly root: string
  /** Where the journal lies, on the same file system. */
  readonly folder: string
  readonly bootId: string
}

/** Two of them: one is written to while the other one is brought to the medium. */
const SEGMENTS = 2
/** Some 1,500 files of 10 kB. */
const SEGMENT_MAX_BYTES = 16 * 1024 * 1024
const SYNCS_AT_ONCE = 2
/** As many files, or more, are synced with the whole file system. */
const MANY_FILES = 64
/** Others may have gigabytes to be written. */
const SYNC_FILE_SYSTEM_MAX_MS = 60_000
/** Not through a symlink, and not waiting for the other end of a pipe that somebody put there. */
const READ_FLAGS = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0)

const run = promisify(execFile)
const openLater = promisify(open)
const syncLater = promisify(fsync)

/** Something else may be there by now, or nothing: then there is nothing of ours to be synced. */
const isGone = (error: unknown): boolean =>
  isMissing(error) || (error as NodeJS.ErrnoException).code === 'ELOOP'

/** Brings a file, or the names in a folder, to the medium. */
function syncNow(path: string): void {
  let descriptor: number
  try {
    descriptor = openSync(path, READ_FLAGS)
  } catch (error) {
    if (isGone(error)) return
    throw error
  }
  try {
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}

async function syncInTurn(path: string): Promise<void> {
  let descriptor: number
  try {
    descriptor = await openLater(path, READ_FLAGS)
  } catch (error) {
    if (isGone(error)) return
    throw error
  }
  try {
    await syncLater(descriptor)
  } finally {
    closeSync(descriptor)
  }
}

/**
 * Asks the system to bring a whole file system to the medium: for many small files that is the work of a few. Node.js has no
 * such call; the program is part of every Linux.
 * @returns false where there is no such program, or it failed
 */
async function syncFileSystem(folder: string): Promise<boolean> {
  try {
    await run('sync', ['-f', folder], { timeout: SYNC_FILE_SYSTEM_MAX_MS })
    return true
  } catch {
    return false
  }
}

async function syncEach(paths: Iterable<string>): Promise<void> {
  const left = paths[Symbol.iterator]()
  const one = async () => {
    for (let next = left.next(); !next.done; next = left.next()) await syncInTurn(next.value)
  }
  await Promise.all(Array.from({ length: SYNCS_AT_ONCE }, one))
}

/** @throws system errors */
export function openJournal({ root, folder, bootId }: JournalPlace): Journal {
  const fileOf = (at: number) => join(folder, `${at}.journal`)
  const open = (at: number) => createSegment(fileOf(at), { bootId, maxBytes: SEGMENT_MAX_BYTES })
  let segments: Segment[] = []
  let lastSequence = 0
  let flushing: Promise<void> | null = null

  const keyOf = (path: string) => relative(root, path).split(sep).join('/')
  const pathAt = (key: string) => join(root, key)
  const foldersOf = (keys: Iterable<string>) => new Set([...keys].map((key) => dirname(pathAt(key))))

  function syncPlaces(): void {
    const keys = segments.flatMap(({ paths }) => [...paths])
    for (const path of [...keys.map(pathAt), ...foldersOf(keys)]) syncNow(path)
  }

  function closeSegments(): void {
    for (const segment of segments) segment.close()
    segments = []
  }

  /** The one that is written to is the last one; those before it are full. */
  const current = () => segments.at(-1)

  const isReady = () => segments.length > 0 && segments.every((segment) => segment.isInPlace())

  /** Folder and files may have been taken away: what they were to keep is synced while it can be. */
  function makeReady(): void {
    if (isReady()) return
    syncPlaces()
    closeSegments()
    mkdirSync(folder, { recursive: true })
    try {
      for (let at = 0; at < SEGMENTS; at += 1) segments.push(open(at))
      for (const path of [folder, dirname(folder)]) syncNow(path)
    } catch (error) {
      closeSegments()
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
    try {
      makeReady()
    } catch {
      return false
    }
    const fits = () => current()?.hasRoom(bytes) === true
    return fits() || (turnOver() && fits())
  }

  function record(path: string, o: Pick<JournalRecord, 'kind'> & Partial<JournalRecord>): JournalRecord {
    lastSequence += 1
    const nothing = { ino: 0n, mtimeNs: 0n, bytes: Buffer.alloc(0) }
    return { ...nothing, ...o, path, sequence: lastSequence }
  }

  /** All at their places, now. */
  function flushNow(): void {
    syncPlaces()
    for (const segment of segments) segment.empty()
  }

  /** What cannot be added makes way for what was noted: nothing is left that would have to be taken back. */
  function append(records: readonly JournalRecord[]): void {
    try {
      current()?.append(records)
    } catch (error) {
      flushNow()
      throw error
    }
  }

  function settle(path: string, movedTo = path): void {
    const key = keyOf(path)
    const keys = segments.flatMap(({ paths }) => [...paths]).filter((one) => isAtOrBelow(one, key))
    if (keys.length === 0) return
    const places = keys.map((one) => join(movedTo, relative(key, one)))
    for (const place of new Set([...places, ...places.map((one) => dirname(one))])) syncNow(place)
    if (!hasRoom(extraBytesOf(key))) return flushNow()
    append([record(key, { kind: 'void' })])
    for (const { paths } of segments) for (const one of keys) paths.delete(one)
  }

  async function syncAll(keys: readonly string[]): Promise<void> {
    if (keys.length >= MANY_FILES && (await syncFileSystem(folder))) return
    await syncEach(keys.map(pathAt))
    await syncEach(foldersOf(keys))
  }

  /** Oldest first: what was taken back later must not be gone before what it is about. */
  async function flushInTurn(): Promise<void> {
    for (let turn = 0; turn < SEGMENTS; turn += 1) {
      const oldest = segments.find((segment) => !segment.isEmpty)
      if (!oldest) return
      // What comes from now on goes into the other one.
      if (oldest === current()) turnOver()
      const { generation } = oldest
      const keys = [...oldest.paths]
      await syncAll(keys)
      if (segments.includes(oldest) && oldest.generation === generation) oldest.empty()
    }
  }

  return {
    note(files) {
      const bytes = files.reduce((total, file) => total + file.bytes.length + extraBytesOf(file.target), 0)
      if (!hasRoom(bytes)) return false
      const records = files.map(({ target, stats, bytes: content }) =>
        record(keyOf(target), { kind: 'file', ino: stats.ino, mtimeNs: stats.mtimeNs, bytes: content }),
      )
      append(records)
      for (const { path } of records) current()?.paths.add(path)
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
    close() {
      const files = segments.map((_, at) => fileOf(at))
      closeSegments()
      for (const file of files) rmSync(file, { force: true })
    },
  }
}
