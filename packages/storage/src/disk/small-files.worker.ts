import { closeSync, fstatSync, fsync, openSync, realpathSync, renameSync, rmSync, writeSync } from 'node:fs'
import { dirname, sep } from 'node:path'
import { promisify } from 'node:util'
import { parentPort } from 'node:worker_threads'
import { isMissing } from './errors.ts'
import type { Answer, Order, SmallFile, StoredFile } from './small-files.ts'

/**
 * The thread that stores small files for `small-files.ts`. A call of the file system may wait for the medium here, nothing
 * else does. Only the syncs leave it, so that those of several files run side by side and share a commit of the journal.
 */

const sync = promisify(fsync)

/** Syncs that are at work, and those that begin after them, by folder. */
const syncing = new Map<string, Promise<void>>()
const waiting = new Map<string, Promise<void>>()

async function syncNow(folder: string): Promise<void> {
  const descriptor = openSync(folder, 'r')
  try {
    await sync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}

async function syncNext(folder: string): Promise<void> {
  await syncing.get(folder)?.catch(() => undefined)
  waiting.delete(folder)
  const turn = syncNow(folder)
  syncing.set(folder, turn)
  try {
    await turn
  } finally {
    if (syncing.get(folder) === turn) syncing.delete(folder)
  }
}

/** Puts the names in a folder on the medium: once for all that came while the sync before was at work. */
function syncFolder(folder: string): Promise<void> {
  const turn = waiting.get(folder) ?? syncNext(folder)
  waiting.set(folder, turn)
  return turn
}

function isPlain(path: string): boolean {
  try {
    return realpathSync.native(path) === path
  } catch {
    return false
  }
}

async function writeNew(path: string, bytes: Uint8Array): Promise<StoredFile['stats']> {
  const descriptor = openSync(path, 'wx')
  try {
    for (let written = 0; written < bytes.length;) written += writeSync(descriptor, bytes, written)
    await sync(descriptor)
    const { ino, size, mtimeNs } = fstatSync(descriptor, { bigint: true })
    return { ino, size, mtimeNs }
  } finally {
    closeSync(descriptor)
  }
}

async function show(temporary: string, target: string): Promise<boolean> {
  const folder = dirname(target)
  if (!isPlain(folder)) return false
  try {
    renameSync(temporary, target)
  } catch (error) {
    // A removal took the folder meanwhile.
    if (isMissing(error)) return false
    throw error
  }
  if (sep !== '\\') await syncFolder(folder)
  return true
}

async function store({ temporary, bytes, target }: SmallFile): Promise<StoredFile> {
  try {
    const stats = await writeNew(temporary, bytes)
    return { stats, isShown: target !== null && (await show(temporary, target)) }
  } catch (error) {
    rmSync(temporary, { force: true })
    throw error
  }
}

parentPort?.on('message', ({ id, file }: Order) => {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has none
  const answer = (outcome: Answer) => parentPort?.postMessage(outcome)
  store(file).then(
    (stored) => answer({ id, stored }),
    // Of an error only its words would arrive.
    ({ code, message }: NodeJS.ErrnoException) => answer({ id, failure: { code, message } }),
  )
})
