import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
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

test('a lock is held by one, and given back', async () => {
  const file = join(folder, 'deeper', 'a.lock')
  const taken = await takeLock(file)
  expect(await takeLock(file, 200)).toEqual({ heldBy: process.pid })
  if ('release' in taken) await taken.release()
  expect(await readdir(join(folder, 'deeper'))).toEqual([])
})

test('the lock of a process that was killed is taken over by one alone', async () => {
  const file = join(folder, 'b.lock')
  await writeFile(file, String(await pidOfTheDead()))
  const all = await Promise.all([1, 2, 3].map(() => takeLock(file, 200)))
  expect(all.filter((one) => 'release' in one)).toHaveLength(1)
  for (const one of all) if ('release' in one) await one.release()
})

test('a lock that its holder does not keep fresh is taken over, whoever has its number now', async () => {
  const file = join(folder, 'c.lock')
  await writeFile(file, String(process.pid))
  const before = new Date(Date.now() - 60_000)
  await utimes(file, before, before)
  const taken = await takeLock(file)
  expect(taken).toHaveProperty('release')
  if ('release' in taken) await taken.release()
})

test('a lock that is given back soon is waited for', async () => {
  const file = join(folder, 'd.lock')
  const first = await takeLock(file)
  setTimeout(() => void ('release' in first && first.release()), 300)
  const second = await takeLock(file)
  expect(second).toHaveProperty('release')
  if ('release' in second) await second.release()
})
