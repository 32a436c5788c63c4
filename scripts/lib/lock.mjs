import { mkdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { cacheDirectory } from './paths.mjs'

const HEARTBEAT_MS = 2000
/** A holder that has not touched its lock for this long counts as dead. */
const STALE_AFTER_MS = 20_000
const POLL_MS = 200

const isMissing = (error) => error.code === 'ENOENT'

async function tryToTake(directory) {
  try {
    await mkdir(directory)
    await writeFile(path.join(directory, 'pid'), String(process.pid))
    return true
  } catch (error) {
    if (error.code === 'EEXIST') return false
    throw error
  }
}

function isRunning(pid) {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error.code !== 'ESRCH'
  }
}

async function isStale(directory) {
  try {
    const { mtimeMs } = await stat(directory)
    if (Date.now() - mtimeMs > STALE_AFTER_MS) return true
    const pid = Number(await readFile(path.join(directory, 'pid'), 'utf8'))
    return pid > 0 && !isRunning(pid)
  } catch (error) {
    if (isMissing(error)) return false
    throw error
  }
}

/**
 * Clears a stale lock. Only one process at a time may do so, because a slow process could otherwise clear the lock of
 * the next holder.
 */
async function clearStale(directory) {
  const broom = `${directory}.clearing`
  if (!(await tryToTake(broom))) {
    if (await isStale(broom)) await rm(broom, { recursive: true, force: true })
    return
  }
  try {
    if (await isStale(directory)) await rm(directory, { recursive: true, force: true })
  } finally {
    await rm(broom, { recursive: true, force: true })
  }
}

/**
 * Runs `work` while no other process of this repository holds the lock `name`. Waits until the lock is free.
 * @param {string} name
 * @param {() => Promise<T>} work
 * @param {() => void} [onWait] called once if another process holds the lock
 * @returns {Promise<T>} the result of `work`.
 * @template T
 */
export async function withLock(name, work, onWait = () => {}) {
  await mkdir(cacheDirectory, { recursive: true })
  const directory = path.join(cacheDirectory, `${name}.lock`)
  let isFirstTry = true
  while (!(await tryToTake(directory))) {
    if (isFirstTry) onWait()
    isFirstTry = false
    if (await isStale(directory)) await clearStale(directory)
    else await sleep(POLL_MS)
  }
  const heartbeat = setInterval(() => {
    const now = new Date()
    utimes(directory, now, now).catch(() => clearInterval(heartbeat))
  }, HEARTBEAT_MS)
  try {
    return await work()
  } finally {
    clearInterval(heartbeat)
    await rm(directory, { recursive: true, force: true })
  }
}
