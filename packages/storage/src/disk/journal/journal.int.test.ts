import {
  chmod,
  link,
  mkdir,
  readdir,
  readFile,
  rename,
  rm,
  truncate,
  utimes,
  writeFile,
} from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import type { StorageDriver } from '../../driver.ts'
import { parseFolderKey, parseStorageKey } from '../../keys.ts'
import { createDiskDriver } from '../driver.ts'
import { openRoot } from '../root.ts'
import { fakeLinks } from '../testing/fake-links.ts'
import { afterPowerCut, notedIn } from '../testing/power-cut.ts'
import { temporaryDisk } from '../testing/temporary-disk.ts'
import { recoverJournal } from './recovery.ts'

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

interface Place {
  readonly path: string
  readonly mtimeMs: number
  /** The file that was there before, under another name. */
  readonly before: string
}

/** What a file may be that was never synced at its place. */
const DAMAGES: ReadonlyArray<readonly [string, (place: Place) => Promise<void>]> = [
  ['not there', ({ path }) => rm(path, { force: true })],
  ['without its folder', ({ path }) => rm(dirname(path), { recursive: true, force: true })],
  [
    'empty',
    async ({ path, mtimeMs }) => {
      await truncate(path, 0)
      await utimes(path, mtimeMs / 1000 - 1, mtimeMs / 1000 - 1)
    },
  ],
  [
    'the version before',
    async ({ path, before }) => {
      await rm(path, { force: true })
      await rename(before, path).catch(() => undefined)
    },
  ],
  [
    'zeros',
    async ({ path, mtimeMs }) => {
      const length = (await readFile(path)).length
      await writeFile(path, Buffer.alloc(length))
      await utimes(path, mtimeMs / 1000 - 1, mtimeMs / 1000 - 1)
    },
  ],
  ['as it was', () => Promise.resolve()],
]

const placeOf = (root: string, { path, mtimeNs }: { path: string; mtimeNs: bigint }): Place => ({
  path: join(root, path),
  mtimeMs: Number(mtimeNs / 1_000_000n),
  before: join(root, `../before-${path.replaceAll('/', '_')}`),
})

describe('small files over a power cut [disk]', () => {
  test.each(DAMAGES)('one that is %s by then is there again', async (name, damage) => {
    await using disk = await temporaryDisk()
    await mkdir(join(disk.root, '文件夹'))
    await disk.driver.write(key('top'), small('before'))
    // Its time is no sign of its age.
    const future = Date.now() / 1000 + 3600
    await utimes(join(disk.root, 'top'), future, future)
    await link(join(disk.root, 'top'), join(disk.root, '../before-top'))
    const names = ['文件夹/a b#%😀.txt', '文件夹/empty', 'top']
    for (const one of names) await disk.driver.write(key(one), small(one.includes('empty') ? '' : one))
    const expected = await contentsOf(disk.root)
    const taken = `${disk.root}-taken`
    const noted = await afterPowerCut(disk.root, taken)
    expect(noted.map(({ path }) => path)).toEqual(expect.arrayContaining(names))
    for (const record of noted)
      if (record.path.includes('/') || name !== 'without its folder') await damage(placeOf(taken, record))
    const driver = await openAt(taken)
    expect(await contentsOf(taken)).toEqual(expected)
    expect(await readdir(join(taken, '.dropleaf-tmp'))).toEqual(['uploads'])
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
    const taken = `${disk.root}-taken`
    const noted = await afterPowerCut(disk.root, taken)
    expect(noted.map(({ path }) => path)).toEqual(['tree-too'])
    await openAt(taken)
    expect(await contentsOf(taken)).toEqual(expected)
  })

  test('a write that was refused leaves nothing behind', async () => {
    await using disk = await temporaryDisk()
    const { driver } = disk
    await driver.write(key('taken'), large('taken'))
    await mkdir(join(disk.root, 'folder'))
    const exists = { code: 'storage.exists' }
    await expect(driver.write(key('taken'), small('new'), { ifAbsent: true })).rejects.toMatchObject(exists)
    await expect(driver.write(key('folder'), small('new'))).rejects.toMatchObject(exists)
    await expect(driver.write(key('taken/below'), small('new'))).rejects.toMatchObject(exists)
    const missing = driver.write(key('none/a'), small('new'), { intoFolder: 'none/' })
    await expect(missing).rejects.toMatchObject({ code: 'storage.folder_missing' })
    expect(await notedIn(disk.root)).toEqual([])
    expect(Object.keys(await contentsOf(disk.root))).toEqual(['taken'])
    expect(await disk.leftovers()).toEqual([])
  })

  test('what others put there stays, and what cannot be restored keeps nobody out', async () => {
    await using disk = await temporaryDisk()
    const names = ['edited', 'replaced', 'kept', 'folder', 'in/the/way', 'album/picture']
    await mkdir(join(disk.root, 'in/the'), { recursive: true })
    await mkdir(join(disk.root, 'other'))
    await writeFile(join(disk.root, 'other/picture'), 'older, by hand')
    for (const name of names) await disk.driver.write(key(name), small(name))
    const taken = `${disk.root}-taken`
    await afterPowerCut(disk.root, taken)
    const later = Date.now() / 1000 + 5
    await writeFile(join(taken, 'edited'), 'by hand')
    await utimes(join(taken, 'edited'), later, later)
    await writeFile(join(taken, 'new'), 'by hand')
    await rename(join(taken, 'new'), join(taken, 'replaced'))
    // Nothing tells when the file came there, but that it is another folder.
    await rm(join(taken, 'album'), { recursive: true })
    await rename(join(taken, 'other'), join(taken, 'album'))
    await rm(join(taken, 'folder'))
    await mkdir(join(taken, 'folder'))
    await rm(join(taken, 'in'), { recursive: true })
    await writeFile(join(taken, 'in'), 'by hand')
    await mkdir(join(taken, '.dropleaf-tmp/journal/lost+found'))
    await openAt(taken)
    expect(await contentsOf(taken)).toEqual({
      'album/picture': 'older, by hand',
      edited: 'by hand',
      in: 'by hand',
      kept: 'kept',
      replaced: 'by hand',
    })
    // It is set aside, and not read again.
    expect(await readdir(join(taken, '.dropleaf-tmp'))).toHaveLength(2)
    expect(await notedIn(taken)).toEqual([])
  })

  test('what others move away at once is on the medium with the rest, and the journal is empty', async () => {
    await using disk = await temporaryDisk()
    for (const name of ['a', 'b']) await disk.driver.write(key(name), small(name))
    await rename(join(disk.root, 'a'), join(disk.root, 'moved'))
    await chmod(join(disk.root, 'b'), 0)
    await expect.poll(() => notedIn(disk.root), { timeout: 20_000, interval: 100 }).toEqual([])
    await disk.driver.remove([key('b')])
    expect(await contentsOf(disk.root)).toEqual({ moved: 'a' })
  })

  test('two processes that begin at once both find everything there', async () => {
    await using disk = await temporaryDisk()
    for (const name of ['a', 'b']) await disk.driver.write(key(name), small(name))
    const taken = `${disk.root}-taken`
    await afterPowerCut(disk.root, taken)
    await rm(join(taken, 'a'))
    const root = await openRoot(taken, { syncs: true })
    await Promise.all([recoverJournal(root), recoverJournal(root)])
    expect(await contentsOf(taken)).toEqual({ a: 'a', b: 'b' })
    expect(await readdir(join(taken, '.dropleaf-tmp'))).toEqual(['uploads'])
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

  test('it begins anew when its folder was taken away, and does without while it cannot', async () => {
    await using disk = await temporaryDisk()
    const folder = join(disk.root, '.dropleaf-tmp/journal')
    await disk.driver.write(key('a'), small('a'))
    await rm(folder, { recursive: true })
    await disk.driver.write(key('b'), small('b'))
    expect((await notedIn(disk.root)).map(({ path }) => path)).toEqual(['b'])
    await rm(folder, { recursive: true })
    await writeFile(folder, 'in the way')
    for (const name of ['c', 'd', 'e']) await disk.driver.write(key(name), small(name))
    expect(Object.keys(await contentsOf(disk.root))).toEqual(['a', 'b', 'c', 'd', 'e'])
  })

  test('it begins anew when a file of it was taken away, or replaced, long after it was made', async () => {
    await using disk = await temporaryDisk()
    const folder = join(disk.root, '.dropleaf-tmp/journal')
    const yesterday = Date.now() / 1000 - 86_400
    const write = async (name: string) => {
      await disk.driver.write(key(name), small(name))
      expect((await notedIn(disk.root)).map(({ path }) => path)).toContain(name)
    }
    await write('a')
    await utimes(folder, yesterday, yesterday)
    for (const name of ['b', 'c']) await write(name)
    for (const file of await readdir(folder)) await rm(join(folder, file))
    await write('d')
    await utimes(folder, yesterday, yesterday)
    for (const name of ['e', 'f']) await write(name)
    for (const file of await readdir(folder)) await rename(join(folder, file), join(disk.root, file))
    await writeFile(join(folder, '0.journal'), '')
    await write('g')
  })

  test('two drivers of a folder in one process have one journal', async () => {
    await using disk = await temporaryDisk()
    await disk.driver.write(key('a'), small('a'))
    const second = await disk.reopen()
    await second.write(key('b'), small('b'))
    expect((await notedIn(disk.root)).map(({ path }) => path)).toEqual(['a', 'b'])
    await disk.driver.close()
    await second.write(key('c'), small('c'))
    expect((await notedIn(disk.root)).map(({ path }) => path)).toEqual(['c'])
    // Whoever closes does not take what comes meanwhile for closed.
    for (let turn = 0; turn < 20; turn += 1) {
      const closing = disk.driver.close()
      await second.write(key('doc'), small(`doc ${turn}`))
      await closing
      await second.remove([key('doc')])
      expect((await notedIn(disk.root)).map(({ path }) => path)).not.toContain('doc')
    }
  })

  test('files that come into a folder while it gets another name are noted where they are', async () => {
    await using disk = await temporaryDisk()
    const { driver } = disk
    let turn = 0
    const over = new AbortController()
    const write = async (writer: number) => {
      for (; !over.signal.aborted; turn += 1)
        await driver.write(key(`from/${writer}-${turn}`), small(`${writer}-${turn}`))
    }
    const writers = [1, 2, 3, 4].map(write)
    for (let moves = 0; moves < 15; moves += 1) {
      await sleep(30)
      await driver.moveFolder?.(parseFolderKey('from/'), parseFolderKey(`to${moves}/`)).catch(() => undefined)
      for (const { path } of await notedIn(disk.root)) expect(path).not.toMatch(/^to/)
    }
    over.abort()
    await Promise.all(writers)
    const expected = await contentsOf(disk.root)
    const taken = `${disk.root}-taken`
    const noted = await afterPowerCut(disk.root, taken)
    for (const { path } of noted) expect(Object.keys(expected)).toContain(path)
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
    const taken = `${disk.root}-taken`
    const damages = DAMAGES.filter(([name]) => name !== 'without its folder')
    for (const record of await afterPowerCut(disk.root, taken)) {
      const [, damage] = damages[random(damages.length)] ?? []
      await damage?.(placeOf(taken, record))
    }
    await openAt(taken)
    expect(await contentsOf(taken)).toEqual(expected)
  })
})
