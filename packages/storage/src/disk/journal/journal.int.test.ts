import { mkdir, readdir, readFile, rm, truncate, utimes, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Readable } from 'node:stream'
import { describe, expect, test } from 'vitest'
import type { StorageDriver } from '../../driver.ts'
import { parseFolderKey, parseStorageKey } from '../../keys.ts'
import { createDiskDriver } from '../driver.ts'
import { fakeLinks } from '../testing/fake-links.ts'
import { afterPowerCut, notedIn } from '../testing/power-cut.ts'
import { temporaryDisk } from '../testing/temporary-disk.ts'

const key = parseStorageKey
const small = (text: string) => Buffer.from(text)
const large = (text: string) => Buffer.alloc(300_000, text)
const openAt = (root: string) => createDiskDriver({ root, links: fakeLinks, keepsJournal: true })

async function contentsOf(root: string): Promise<Record<string, string>> {
  const names = await readdir(root, { recursive: true, withFileTypes: true })
  const files = names.filter((one) => one.isFile() && !one.parentPath.includes('.dropleaf-tmp'))
  const contents = files.map(async ({ parentPath, name }) => {
    const text = await readFile(join(parentPath, name), 'utf8')
    return [join(parentPath, name).slice(root.length + 1), text.slice(0, 40)] as const
  })
  return Object.fromEntries((await Promise.all(contents)).sort(([a], [b]) => (a < b ? -1 : 1)))
}

/** What a file may be that was never synced at its place. */
const DAMAGES: ReadonlyArray<readonly [string, (path: string, at: { mtimeMs: number }) => Promise<void>]> = [
  ['not there', (path) => rm(path, { force: true })],
  ['without its folder', (path) => rm(dirname(path), { recursive: true, force: true })],
  [
    'empty',
    async (path, { mtimeMs }) => {
      await truncate(path, 0)
      await utimes(path, mtimeMs / 1000 - 1, mtimeMs / 1000 - 1)
    },
  ],
  [
    'the version before',
    async (path, { mtimeMs }) => {
      await rm(path, { force: true })
      await writeFile(path, 'the version before')
      await utimes(path, mtimeMs / 1000 - 60, mtimeMs / 1000 - 60)
    },
  ],
  [
    'zeros',
    async (path, { mtimeMs }) => {
      const length = (await readFile(path)).length
      await writeFile(path, Buffer.alloc(length))
      await utimes(path, mtimeMs / 1000 - 1, mtimeMs / 1000 - 1)
    },
  ],
  ['as it was', () => Promise.resolve()],
]

describe('small files over a power cut [disk]', () => {
  test.each(DAMAGES)('one that is %s by then is there again', async (name, damage) => {
    await using disk = await temporaryDisk()
    await mkdir(join(disk.root, '文件夹'))
    await disk.driver.write(key('top'), small('before'))
    const names = ['文件夹/a b#%😀.txt', '文件夹/empty', 'top']
    for (const one of names) await disk.driver.write(key(one), small(one.includes('empty') ? '' : one))
    const copy = `${disk.root}-copy`
    const noted = await afterPowerCut(disk.root, copy)
    expect(noted.map(({ path }) => path)).toEqual(expect.arrayContaining(names))
    const expected = await contentsOf(disk.root)
    for (const { path, mtimeNs } of noted)
      if (path.includes('/') || name !== 'without its folder')
        await damage(join(copy, path), { mtimeMs: Number(mtimeNs / 1_000_000n) })
    const driver = await openAt(copy)
    expect(await contentsOf(copy)).toEqual(expected)
    expect(await readdir(join(copy, '.dropleaf-tmp'))).toEqual(['uploads'])
    for (const one of names) expect(await driver.stat(key(one))).not.toBeNull()
  })

  test('what was removed, moved or replaced meanwhile does not come back', async () => {
    await using disk = await temporaryDisk()
    const { driver } = disk
    for (const name of ['gone', 'from', 'over', 'tree/a', 'tree/deep/b', 'tree-too', 'joined'])
      await driver.write(key(name), small(`${name} at first`))
    await driver.remove([key('gone')])
    await driver.move?.(key('from'), key('to'))
    await driver.write(key('over'), large('large'))
    await driver.moveFolder?.(parseFolderKey('tree/'), parseFolderKey('wood/'))
    const upload = await driver.multipart?.create(key('joined'))
    if (!upload || !driver.multipart) throw new Error('Local disk has multipart uploads.')
    const part = await driver.multipart.uploadPart(upload, 1, Readable.from([small('joined anew')]))
    await driver.multipart.complete(upload, [part])
    const expected = await contentsOf(disk.root)
    expect(Object.keys(expected)).toEqual(['joined', 'over', 'to', 'tree-too', 'wood/a', 'wood/deep/b'])
    const copy = `${disk.root}-copy`
    const noted = await afterPowerCut(disk.root, copy)
    expect(noted.map(({ path }) => path)).toEqual(['tree-too'])
    await openAt(copy)
    expect(await contentsOf(copy)).toEqual(expected)
  })

  test('a write that was refused leaves nothing behind', async () => {
    await using disk = await temporaryDisk()
    await disk.driver.write(key('taken'), large('taken'))
    await mkdir(join(disk.root, 'folder'))
    await expect(disk.driver.write(key('taken'), small('new'), { ifAbsent: true })).rejects.toMatchObject({
      code: 'storage.exists',
    })
    await expect(disk.driver.write(key('folder'), small('new'))).rejects.toMatchObject({
      code: 'storage.exists',
    })
    const missing = disk.driver.write(key('none/a'), small('new'), { intoFolder: 'none/' })
    await expect(missing).rejects.toMatchObject({ code: 'storage.folder_missing' })
    const copy = `${disk.root}-copy`
    expect(await afterPowerCut(disk.root, copy)).toEqual([])
    await openAt(copy)
    expect(Object.keys(await contentsOf(copy))).toEqual(['taken'])
    expect(await disk.leftovers()).toEqual([])
  })

  test('what others put there later stays, and after a kill alone nothing is brought back', async () => {
    await using disk = await temporaryDisk()
    for (const name of ['edited', 'removed', 'kept']) await disk.driver.write(key(name), small(name))
    const copy = `${disk.root}-copy`
    await afterPowerCut(disk.root, copy)
    const later = Date.now() / 1000 + 5
    await writeFile(join(copy, 'edited'), 'by hand')
    await utimes(join(copy, 'edited'), later, later)
    await openAt(copy)
    expect(await contentsOf(copy)).toEqual({ edited: 'by hand', kept: 'kept', removed: 'removed' })

    // The same machine without a restart: whatever is there is right.
    const killed = await temporaryDisk()
    await using _ = killed
    for (const name of ['edited', 'removed', 'kept']) await killed.driver.write(key(name), small(name))
    const same = `${killed.root}-same`
    await afterPowerCut(killed.root, same)
    await rm(join(same, '.dropleaf-tmp/journal'), { recursive: true })
    await mkdir(join(same, '.dropleaf-tmp/journal'))
    for (const name of await readdir(join(killed.root, '.dropleaf-tmp/journal')))
      await writeFile(
        join(same, '.dropleaf-tmp/journal', name),
        await readFile(join(killed.root, '.dropleaf-tmp/journal', name)),
      )
    await rm(join(same, 'removed'))
    await openAt(same)
    expect(await contentsOf(same)).toEqual({ edited: 'edited', kept: 'kept' })
    expect(await readdir(join(same, '.dropleaf-tmp'))).toEqual(['uploads'])
  })

  test('more than it holds goes to the medium by itself, and it is empty when all is quiet', async () => {
    await using disk = await temporaryDisk()
    const content = Buffer.alloc(60_000, 'x')
    const names = Array.from({ length: 900 }, (_, at) => `many/${at}`)
    const next = names.values()
    const work = async () => {
      for (const name of next) await disk.driver.write(key(name), content)
    }
    await Promise.all(Array.from({ length: 16 }, work))
    expect((await readdir(join(disk.root, 'many'))).length).toBe(names.length)
    await expect.poll(() => notedIn(disk.root), { timeout: 20_000, interval: 200 }).toEqual([])
    await disk.driver.write(key('many/one more'), small('x'))
    expect((await notedIn(disk.root)).map(({ path }) => path)).toEqual(['many/one more'])
    await disk.driver.close()
    expect(await readdir(join(disk.root, '.dropleaf-tmp/journal'))).toEqual([])
  })

  test('it begins anew when its folder was taken away', async () => {
    await using disk = await temporaryDisk()
    await disk.driver.write(key('a'), small('a'))
    await rm(join(disk.root, '.dropleaf-tmp/journal'), { recursive: true })
    await disk.driver.write(key('b'), small('b'))
    expect((await notedIn(disk.root)).map(({ path }) => path)).toEqual(['b'])
    expect(await contentsOf(disk.root)).toEqual({ a: 'a', b: 'b' })
  })

  test('a second driver of the folder in this process leaves the journal of the first alone', async () => {
    await using disk = await temporaryDisk()
    await disk.driver.write(key('a'), small('a'))
    const second = await disk.reopen()
    await second.write(key('b'), small('b'))
    expect((await notedIn(disk.root)).map(({ path }) => path)).toEqual(['a', 'b'])
    await disk.driver.close()
    await second.write(key('c'), small('c'))
    expect((await notedIn(disk.root)).map(({ path }) => path)).toEqual(['c'])
  })

  test.each([1, 2, 3, 4])('after any changes all is as it was acknowledged, seed %i', async (seed) => {
    await using disk = await temporaryDisk()
    let state = seed
    const random = (below: number) => {
      state = (state * 1_103_515_245 + 12_345) % 2 ** 31
      return Math.floor((state / 2 ** 31) * below)
    }
    const names = ['a', 'b', 'x/a', 'x/b', 'x/deep/a', 'y/a']
    const nameOf = () => names[random(names.length)] ?? 'a'
    const step = async (driver: StorageDriver, turn: number) => {
      const [one, other] = [key(nameOf()), key(nameOf())]
      const kind = random(6)
      if (kind <= 1) await driver.write(one, small(`small ${turn}`))
      else if (kind === 2) await driver.write(one, large(`large ${turn} `))
      else if (kind === 3) await driver.remove([one])
      else if (kind === 4) await driver.move?.(one, other)
      else await driver.moveFolder?.(parseFolderKey('x/'), parseFolderKey(`z${turn}/`))
    }
    for (let turn = 0; turn < 60; turn += 1) await step(disk.driver, turn).catch(() => undefined)
    const expected = await contentsOf(disk.root)
    const copy = `${disk.root}-copy`
    const damages = DAMAGES.filter(([name]) => name !== 'without its folder')
    for (const { path, mtimeNs } of await afterPowerCut(disk.root, copy)) {
      const [, damage] = damages[random(damages.length)] ?? []
      await damage?.(join(copy, path), { mtimeMs: Number(mtimeNs / 1_000_000n) })
    }
    await openAt(copy)
    expect(await contentsOf(copy)).toEqual(expected)
  })
})
