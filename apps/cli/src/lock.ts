import { randomUUID } from 'node:crypto'
import { readFile, rename, rm, link, mkdir, stat, utimes, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

const HEARTBEAT_MS = 2000
/** A holder that has not touched its lock for this long is gone: another process may have its number by now. */
const STALE_AFTER_MS = 20_000
/** A process whose wrapper was just killed has a moment to end. */
const PATIENCE_MS = 2000
const POLL_MS = 100

interface Holder {
  /** 0 while it is still being written. */
  readonly pid: number
  readonly isAlive: boolean
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH'
  }
}

const pidIn = async (file: string): Promise<number> => Number(await readFile(file, 'utf8'))

async function findHolder(file: string): Promise<Holder | null> {
  try {
    const { mtimeMs } = await stat(file)
    const pid = await pidIn(file)
    const isFresh = Date.now() - mtimeMs < STALE_AFTER_MS
    return { pid, isAlive: isFresh && (!(pid > 0) || isRunning(pid)) }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
}

async function tryToTake(file: string): Promise<boolean> {
  try {
    await writeFile(file, String(process.pid), { flag: 'wx', mode: 0o600 })
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  }
}

/** Removes the lock of somebody who is gone, and not that of who has come after. */
async function clear(file: string, { pid }: Holder): Promise<void> {
  const aside = `${file}.${randomUUID()}`
  try {
    await rename(file, aside)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return
    throw error
  }
  if ((await pidIn(aside)) !== pid) await link(aside, file).catch(() => undefined)
  await rm(aside, { force: true })
}

/**
 * Takes a lock, also that of a process which was killed. Waits a moment for one that lives.
 * @returns what gives it back, or the number of the living process that holds it.
 */
export async function takeLock(
  file: string,
  patienceMs = PATIENCE_MS,
): Promise<{ release: () => Promise<void> } | { heldBy: number }> {
  await mkdir(dirname(file), { recursive: true, mode: 0o700 })
  const deadlineMs = Date.now() + patienceMs
  while (!(await tryToTake(file))) {
    const holder = await findHolder(file)
    if (holder?.isAlive && Date.now() > deadlineMs) return { heldBy: holder.pid }
    if (holder?.isAlive) await sleep(POLL_MS)
    else if (holder) await clear(file, holder)
  }
  const heartbeat = setInterval(() => {
    const now = new Date()
    utimes(file, now, now).catch(() => clearInterval(heartbeat))
  }, HEARTBEAT_MS)
  heartbeat.unref()
  return {
    async release() {
      clearInterval(heartbeat)
      const isOurs = (await pidIn(file).catch(() => 0)) === process.pid
      if (isOurs) await rm(file, { force: true })
    },
  }
}
