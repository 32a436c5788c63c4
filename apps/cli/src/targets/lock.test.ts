import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, readdir, rename, rm, stat, symlink, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { takeLock } from './lock.ts'

let folder = ''
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'dropleaf-lock-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

async function pidOfTheDead(): Promise<number> {
  const child = spawn(process.execPath, ['-e', ''])
  await once(child, 'exit')
  return child.pid ?? 0
}

test('one process holds a lock, and releases it', async () => {
  const file = join(folder, 'deeper', 'a.lock')
  const taken = await takeLock(file)
  expect(await takeLock(file, 200)).toEqual({ heldBy: process.pid })
  if ('release' in taken) await taken.release()
  expect(await readdir(join(folder, 'deeper'))).toEqual([])
})

test('only one process takes over the lock of a killed one', async () => {
  const file = join(folder, 'b.lock')
  await writeFile(file, String(await pidOfTheDead()))
  const all = await Promise.all([1, 2, 3].map(() => takeLock(file, 200)))
  expect(all.filter((one) => 'release' in one)).toHaveLength(1)
  for (const one of all) if ('release' in one) await one.release()
})

test('a lock that is not refreshed is taken over, whichever process has its id now', async () => {
  const file = join(folder, 'c.lock')
  await writeFile(file, String(process.pid))
  const before = new Date(Date.now() - 60_000)
  await utimes(file, before, before)
  const taken = await takeLock(file)
  expect(taken).toHaveProperty('release')
  if ('release' in taken) await taken.release()
})

test('a process waits for a lock that is released soon', async () => {
  const file = join(folder, 'd.lock')
  const first = await takeLock(file)
  const waiting = takeLock(file, 60_000)
  expect(await takeLock(file, 0)).toEqual({ heldBy: process.pid })
  if ('release' in first) await first.release()
  const second = await waiting
  expect(second).toHaveProperty('release')
  if ('release' in second) await second.release()
})

/** Creates a lock file that was last touched `agoMs` ago. A negative value means a time in the future. */
async function leave(name: string, content: string, agoMs: number): Promise<string> {
  const file = join(folder, name)
  await writeFile(file, content)
  const at = new Date(Date.now() - agoMs)
  await utimes(file, at, at)
  return file
}

test.each([
  ['is empty, as a power cut leaves it', '', 60_000],
  ['is empty, of a time to come', '', -3_600_000],
  ['is no number', 'pid\n', 60_000],
  ['is of a time to come, with a number that lives', String(process.pid), -3_600_000],
  ['has a number that no process has', '99999999999', 0],
])('a lock that %s is taken over', async (how, content, agoMs) => {
  const file = await leave(`${how}.lock`, content, agoMs)
  const all = await Promise.all([1, 2, 3].map(() => takeLock(file, 200)))
  expect(all.filter((one) => 'release' in one)).toHaveLength(1)
  expect(await takeLock(file, 0)).toEqual({ heldBy: process.pid })
  for (const one of all) if ('release' in one) await one.release()
})

test('a lock being created is not taken over, and has no process id', async () => {
  vi.useFakeTimers({ toFake: ['Date'] })
  try {
    const file = await leave('made.lock', '', 0)
    expect(await takeLock(file, 200)).toEqual({ heldBy: null })
    await leave('made.lock', String(process.pid), 0)
    expect(await takeLock(file, 0)).toEqual({ heldBy: process.pid })
  } finally {
    vi.useRealTimers()
  }
})

test('a path that is not a lock is reported at once', async () => {
  await mkdir(join(folder, 'folder.lock'))
  await symlink(join(folder, 'nowhere'), join(folder, 'link.lock'))
  for (const name of ['folder.lock', 'link.lock'])
    await expect(takeLock(join(folder, name), 200)).rejects.toMatchObject({ code: 'EISDIR' })
})

test('a failed refresh is repeated', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  try {
    const file = join(folder, 'touched.lock')
    const taken = await takeLock(file)
    await rename(file, `${file}.away`)
    vi.advanceTimersByTime(2000)
    const before = new Date(Date.now() - 60_000)
    // The heartbeat has called `utimes` before this call. If this call fails, the heartbeat has failed too.
    await expect(utimes(file, before, before)).rejects.toMatchObject({ code: 'ENOENT' })
    await rename(`${file}.away`, file)
    await utimes(file, before, before)
    vi.advanceTimersByTime(2000)
    await vi.waitFor(async () => expect((await stat(file)).mtimeMs).toBeGreaterThan(before.getTime()))
    if ('release' in taken) await taken.release()
  } finally {
    vi.useRealTimers()
  }
})
