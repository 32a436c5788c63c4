import { randomUUID } from 'node:crypto'
import { type FileHandle, link, lstat, open, readFile, rename, rm, stat, utimes } from 'node:fs/promises'
import { dirname } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { makeStateFolder } from '../state-folder.ts'

const HEARTBEAT_MS = 2000
/**
 * A holder that has not touched its lock for this long counts as dead. It counts as dead even if a process with its
 * ID is running, because IDs are reused.
 */
const STALE_AFTER_MS = 20_000
/** How long to wait for a process whose wrapper was just killed. */
const PATIENCE_MS = 2000
const POLL_MS = 100
/**
 * How long a lock can be empty. A lock is written right after it is created, so an older empty lock is left over from
 * a crash.
 */
const MAKING_MS = 5000

interface Holder {
  /** `null` while the lock is being written, or if it was truncated. */
  readonly pid: number | null
  readonly isAlive: boolean
  /** When the holder last touched the lock. */
  readonly touchedAtMs: number
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    // The process exists, but belongs to another user.
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

async function pidIn(file: string): Promise<number | null> {
  const text = await readFile(file, 'utf8')
  return /^[1-9]\d*$/.test(text) ? Number(text) : null
}

async function findHolder(file: string): Promise<Holder | null> {
  try {
    const found = await lstat(file)
    if (!found.isFile()) throw new NoLockFileError(`${file} is no regular file.`)
    const pid = await pidIn(file)
    const maxAgeMs = pid === null ? MAKING_MS : STALE_AFTER_MS
    // A timestamp in the future counts as stale too. If the clock was set back, a living holder soon touches the lock
    // with the new time.
    const isFresh = Math.abs(Date.now() - found.mtimeMs) < maxAgeMs
    return { pid, isAlive: isFresh && (pid === null || isRunning(pid)), touchedAtMs: found.mtimeMs }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
}

/** Thrown if something other than a lock file exists at the path of a lock. */
class NoLockFileError extends Error {
  override readonly name = 'NoLockFileError'
  readonly code = 'EISDIR'
}

async function tryToTake(file: string): Promise<boolean> {
  let made: FileHandle
  try {
    made = await open(file, 'wx', 0o600)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  }
  try {
    await made.writeFile(String(process.pid))
    return true
  } catch (error) {
    // The lock could not be written, for example because the disk is full. Removes the lock, so that no process waits
    // for an empty lock.
    await rm(file, { force: true }).catch(() => undefined)
    throw error
  } finally {
    await made.close()
  }
}

/** Removes the lock of a dead holder, but not a lock that has replaced it in the meantime. */
async function clear(file: string, { pid, touchedAtMs }: Holder): Promise<void> {
  const aside = `${file}.${randomUUID()}`
  try {
    await rename(file, aside)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return
    throw error
  }
  const isTheSame = (await stat(aside)).mtimeMs === touchedAtMs && (await pidIn(aside)) === pid
  if (!isTheSame) await link(aside, file).catch(() => undefined)
  await rm(aside, { force: true })
}

/**
 * Acquires a lock, even if a killed process has left it. Waits briefly for a living holder.
 * @returns a function that releases the lock. If a living process holds the lock, returns its process ID, or `null`
 * if the holder has not written its ID yet
 * @throws disk errors
 */
export async function takeLock(
  file: string,
  patienceMs = PATIENCE_MS,
): Promise<{ release: () => Promise<void> } | { heldBy: number | null }> {
  await makeStateFolder(dirname(file))
  const deadlineMs = performance.now() + patienceMs
  while (!(await tryToTake(file))) {
    const holder = await findHolder(file)
    if (holder?.isAlive && performance.now() > deadlineMs) return { heldBy: holder.pid }
    if (holder?.isAlive) await sleep(POLL_MS)
    else if (holder) await clear(file, holder)
  }
  const heartbeat = setInterval(() => {
    const now = new Date()
    // Ignores disk errors, because they can be temporary.
    utimes(file, now, now).catch(() => undefined)
  }, HEARTBEAT_MS)
  heartbeat.unref()
  return {
    async release() {
      clearInterval(heartbeat)
      const isOurs = (await pidIn(file).catch(() => null)) === process.pid
      // Ignores errors, because a lock that is no longer touched soon counts as stale.
      if (isOurs) await rm(file, { force: true }).catch(() => undefined)
    },
  }
}
