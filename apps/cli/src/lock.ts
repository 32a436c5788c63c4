import { randomUUID } from 'node:crypto'
import { type FileHandle, link, lstat, open, readFile, rename, rm, stat, utimes } from 'node:fs/promises'
import { dirname } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { makeStateFolder } from './state-folder.ts'

const HEARTBEAT_MS = 2000
/** A holder that has not touched its lock for this long is gone: another process may have its number by now. */
const STALE_AFTER_MS = 20_000
/** A process whose wrapper was just killed has a moment to end. */
const PATIENCE_MS = 2000
const POLL_MS = 100
/** Between making a lock and writing into it lies a moment; one that stays empty for longer was left by a power cut or a kill. */
const MAKING_MS = 5000

interface Holder {
  /** `null` while it is still being written, or where something has cut it off. */
  readonly pid: number | null
  readonly isAlive: boolean
  /** When it was touched last. */
  readonly touchedAtMs: number
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    // Somebody else's.
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
    // Of a time to come, too: the clock was put back, and who lives touches it by the new one.
    const isFresh = Math.abs(Date.now() - found.mtimeMs) < maxAgeMs
    return { pid, isAlive: isFresh && (pid === null || isRunning(pid)), touchedAtMs: found.mtimeMs }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
}

/** What is in the place of a lock, and never was one. */
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
    // On a full disk say: nobody is to wait for what stays empty.
    await rm(file, { force: true }).catch(() => undefined)
    throw error
  } finally {
    await made.close()
  }
}

/** Removes the lock of somebody who is gone, and not that of who has come after. */
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
 * Takes a lock, also that of a process which was killed. Waits a moment for one that lives.
 * @returns what gives it back, or the number of the living process that holds it: `null` for one that was made just now.
 * @throws what the disk says
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
    // A disk that fails once may not the next time.
    utimes(file, now, now).catch(() => undefined)
  }, HEARTBEAT_MS)
  heartbeat.unref()
  return {
    async release() {
      clearInterval(heartbeat)
      const isOurs = (await pidIn(file).catch(() => null)) === process.pid
      // What is not touched any more is in nobody's way for long.
      if (isOurs) await rm(file, { force: true }).catch(() => undefined)
    },
  }
}
