import { createHash, randomBytes } from 'node:crypto'
import { mkdir, readdir, realpath, rm, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { bytesOf, dropleaf, inPlace, MIB, place, useServer } from './testing/world.ts'

useServer()

const zh = { LANG: 'zh_CN.UTF-8' }

test('a state folder that is not a folder is reported, and reserves no link', async () => {
  await inPlace('small.bin', 'small')
  expect((await dropleaf(['file', 'small.bin', '--link', 'small-one'])).code).toBe(0)
  await inPlace('big.bin', randomBytes(17 * MIB))
  const blocker = join(place, 'blocked')
  await writeFile(blocker, '')
  const env = { XDG_STATE_HOME: blocker }
  for (const args of [
    ['get', 'small-one', '-o', 'out.bin'],
    ['file', 'big.bin', '--link', 'unkept'],
  ]) {
    const folder = join(blocker, 'dropleaf')
    expect(await dropleaf(args, { env })).toEqual({
      code: 1,
      out: '',
      err: `The progress cannot be saved in ${folder}: ${blocker} is not a folder. Move it away, or set XDG_STATE_HOME to another folder.\n`,
    })
    const told = await dropleaf(args, { env: { ...env, ...zh } })
    expect([told.code, told.err]).toEqual([1, expect.stringContaining(`${blocker} 不是文件夹`)])
  }
  expect((await dropleaf(['file', 'big.bin', '--link', 'unkept'])).code).toBe(0)
})

test('a file with the path of a lock is named; an empty lock is awaited, and taken over', async () => {
  await inPlace('small.bin', 'small')
  expect((await dropleaf(['file', 'small.bin', '--link', 'locked-out'])).code).toBe(0)
  const args = ['get', 'locked-out', '-o', 'out.bin']
  const states = join(place, 'state', 'dropleaf')
  const target = join(await realpath(place), 'out.bin')
  const lock = join(states, `download-${createHash('sha256').update(target).digest('hex').slice(0, 32)}.lock`)
  await mkdir(lock, { recursive: true })
  const told = await dropleaf(args)
  expect([told.code, told.err]).toEqual([
    1,
    expect.stringContaining(`${lock} exists and is not a regular file. Move it away`),
  ])
  await rm(lock, { recursive: true })
  await writeFile(lock, '')
  // Keeps the lock fresh, however long the command takes to start.
  const touching = setInterval(() => void utimes(lock, new Date(), new Date()), 500)
  const early = await dropleaf(args)
  clearInterval(touching)
  expect([early.code, early.err]).toEqual([
    1,
    expect.stringContaining('was started just now by another process'),
  ])
  await expect.poll(async () => (await dropleaf(args)).code, { interval: 500 }).toBe(0)
  expect((await bytesOf('out.bin')).toString()).toBe('small')
  expect(await readdir(states)).toEqual([])
})
