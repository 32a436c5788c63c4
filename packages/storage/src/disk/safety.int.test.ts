import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, readdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { describe, expect, test } from 'vitest'
import type { ListPage, ListQuery, StorageDriver } from '../driver.ts'
import { StorageError } from '../errors.ts'
import { parseFolderKey, parseForeignKey, parseStorageKey } from '../keys.ts'
import { blinkingFolder } from './testing/blinking-folder.ts'
import { temporaryDisk } from './testing/temporary-disk.ts'

const key = parseStorageKey
async function walkPages(driver: StorageDriver, query: ListQuery): Promise<ListPage[]> {
  const pages: ListPage[] = []
  let cursor: string | undefined
  do {
    const page = await driver.list({ ...query, cursor })
    pages.push(page)
    cursor = page.nextCursor ?? undefined
  } while (cursor !== undefined)
  return pages
}

const body = (text: string) => Readable.from([Buffer.from(text)])

test('keys that only a bucket distinguishes are rejected', async () => {
  await using disk = await temporaryDisk()
  const { driver } = disk
  await driver.write(key('a/b'), body('mine'))
  for (const foreign of ['/a/b', 'a//b', '//a//b'].map(parseForeignKey)) {
    const refused = { code: 'storage.invalid_key' }
    await expect(driver.stat(foreign)).rejects.toMatchObject(refused)
    await expect(driver.read(foreign)).rejects.toMatchObject(refused)
    await expect(driver.write(foreign, body('theirs'))).rejects.toMatchObject(refused)
    await expect(driver.remove([foreign])).rejects.toMatchObject(refused)
  }
  expect((await driver.stat(key('a/b')))?.sizeBytes).toBe(4)
})

test('names that cannot be a key are listed separately, each once for any page size', async () => {
  await using disk = await temporaryDisk()
  await mkdir(join(disk.root, 'a/deep'), { recursive: true })
  await mkdir(join(disk.root, 'b/two\nlines'), { recursive: true })
  for (const name of ['a/bell\u0007.txt', 'a/deep/x\u0001', 'top\n', '.dropleaf-own', 'a/1', 'a/2', 'b/3'])
    await writeFile(join(disk.root, name), 'x')
  for (const limit of [1, 2, 3, 100]) {
    const pages = await walkPages(disk.driver, { prefix: '', limit })
    expect(pages.flatMap(({ objects }) => objects.map(({ key }) => key))).toEqual([
      'a/1',
      'a/2',
      'a/deep/',
      'b/3',
    ])
    expect(pages.flatMap(({ unnamed }) => unnamed).sort()).toEqual(
      ['a/bell\u0007.txt', 'a/deep/x\u0001', 'b/two\nlines/', 'top\n'].sort(),
    )
    const level = await walkPages(disk.driver, { prefix: 'a/b', delimiter: '/', limit })
    expect(level.flatMap(({ unnamed }) => unnamed)).toEqual(['a/bell\u0007.txt'])
  }
})

test('a folder that appears and disappears never counts as a link', async () => {
  await using disk = await temporaryDisk({ syncs: false })
  await mkdir(join(disk.root, 'shared'))
  await using _ = blinkingFolder(join(disk.root, 'shared/deep'))
  const refusals = new Set<unknown>()
  for (let turn = 0; turn < 80; turn += 1) {
    const name = key(`shared/deep/${turn}`)
    try {
      await disk.driver.write(name, body('x'), { ifAbsent: turn % 2 === 0 })
      await disk.driver.remove([name])
    } catch (error) {
      refusals.add(error instanceof StorageError ? error.code : error)
    }
  }
  // Only `storage.unavailable` is allowed. It means that the folder disappeared fifty times in a row.
  expect([...refusals].filter((code) => code !== 'storage.unavailable')).toEqual([])
})

test('a write into a folder does not recreate it if it disappears meanwhile', async () => {
  await using disk = await temporaryDisk()
  const { driver } = disk
  const texts = { short: 'x', long: 'x'.repeat(600_000) }
  for (const [name, text] of Object.entries(texts)) {
    await driver.write(parseFolderKey(`${name}/`), body(''))
    const write = (file: string, source: Readable | Buffer) =>
      driver.write(key(`${name}/${file}`), source, {
        intoFolder: `${name}/${file.includes('/') ? 'deep/' : ''}`,
      })
    expect(await write('there', body(text))).toMatchObject({ sizeBytes: text.length })
    await driver.remove([key(`${name}/there`)])
    async function* untilGone() {
      yield Buffer.from(text)
      await driver.remove([parseFolderKey(`${name}/`)])
    }
    const missing = { code: 'storage.folder_missing' }
    await expect(write('a', Readable.from(untilGone()))).rejects.toMatchObject(missing)
    await expect(write('b', Buffer.from(text))).rejects.toMatchObject(missing)
    await expect(write('deep/c', body(text))).rejects.toMatchObject(missing)
    expect(await readdir(disk.root)).toEqual(['.dropleaf-tmp'])
  }
  expect(await disk.leftovers()).toEqual([])
  await driver.write(key('top'), body('x'), { intoFolder: '' })
})

test('a copy, a move and a new folder do not recreate a folder that disappears meanwhile', async () => {
  await using disk = await temporaryDisk()
  const { driver } = disk
  await driver.write(key('from'), body('from'))
  const missing = { code: 'storage.folder_missing' }
  for (const ifAbsent of [true, false]) {
    const o = { intoFolder: 'gone/', ifAbsent }
    await expect(driver.copy(key('from'), key('gone/a'), o)).rejects.toMatchObject(missing)
    await expect(driver.copy(key('from'), key('gone/tree/a'), o)).rejects.toMatchObject(missing)
    await expect(driver.move?.(key('from'), key('gone/a'), o)).rejects.toMatchObject(missing)
    await expect(driver.write(parseFolderKey('gone/a/'), body(''), o)).rejects.toMatchObject(missing)
    expect((await readdir(disk.root)).sort()).toEqual(['.dropleaf-tmp', 'from'])
    await driver.write(parseFolderKey('there/'), body(''))
    const into = { intoFolder: 'there/', ifAbsent }
    await driver.write(parseFolderKey('there/folder/'), body(''), into)
    await driver.copy(key('from'), key('there/tree/deep/a'), into)
    await driver.move?.(key('there/tree/deep/a'), key('there/moved/a'), into)
    expect((await readdir(join(disk.root, 'there'))).sort()).toEqual(['.dropleaf-folder', 'folder', 'moved'])
    await driver.remove([key('there/moved/a'), parseFolderKey('there/folder/'), parseFolderKey('there/')])
  }
  // A removal must never remove a folder that a writer is using. The folder is left if and only if a write succeeded.
  for (let round = 0; round < 50; round += 1) {
    await driver.write(parseFolderKey('race/'), body(''))
    const works = [
      driver.copy(key('from'), key('race/tree/a'), { intoFolder: 'race/', ifAbsent: true }),
      driver.write(parseFolderKey('race/new/'), body(''), { intoFolder: 'race/', ifAbsent: true }),
    ]
    const [, ...results] = await Promise.allSettled([driver.remove([parseFolderKey('race/')]), ...works])
    const isAnyDone = results.some(({ status }) => status === 'fulfilled')
    expect((await readdir(disk.root)).includes('race')).toBe(isAnyDone)
    const keys = ['race/tree/a'].map(key)
    await driver.remove([...keys, parseFolderKey('race/new/'), parseFolderKey('race/')])
  }
  expect(await disk.leftovers()).toEqual([])
})

describe('symlinks [disk]', () => {
  /**
   * Creates `outside/{secret, empty/}` and `inside/file`, links to the secret and to both folders, and a dangling link.
   */
  async function diskWithLinks() {
    const disk = await temporaryDisk()
    await mkdir(join(disk.outside, 'empty'), { recursive: true })
    await writeFile(join(disk.outside, 'secret'), 'secret')
    await mkdir(join(disk.root, 'inside'))
    await writeFile(join(disk.root, 'inside/file'), 'file')
    await symlink(join(disk.outside, 'secret'), join(disk.root, 'to-file'))
    await symlink(disk.outside, join(disk.root, 'to-folder'))
    await symlink(join(disk.outside, 'new'), join(disk.root, 'to-nothing'))
    await symlink('inside', join(disk.root, 'to-inside'))
    return disk
  }
  const LINKED = ['to-file', 'to-folder/secret', 'to-nothing', 'to-inside/file', 'to-folder/empty/x']

  test.each(LINKED)('%s is not an object', async (name) => {
    await using disk = await diskWithLinks()
    expect(await disk.driver.stat(key(name))).toBeNull()
    await expect(disk.driver.read(key(name))).rejects.toMatchObject({ code: 'storage.not_found' })
    const copy = disk.driver.copy(key(name), key('copy'))
    await expect(copy).rejects.toMatchObject({ code: 'storage.not_found' })
  })

  test('listings skip them', async () => {
    await using disk = await diskWithLinks()
    const all = await disk.driver.list({ prefix: '', limit: 100 })
    expect(all.objects.map(({ key }) => key)).toEqual(['inside/file'])
    expect((await disk.driver.list({ prefix: '', limit: 100, delimiter: '/' })).folders).toMatchObject([
      { key: 'inside/' },
    ])
    for (const prefix of ['to-folder/', 'to-inside/', 'to-folder/empty/']) {
      expect(await disk.driver.list({ prefix, limit: 100 })).toMatchObject({ objects: [], nextCursor: null })
      expect(await disk.driver.stat(parseFolderKey(prefix))).toBeNull()
    }
  })

  test('nothing is written through them', async () => {
    await using disk = await diskWithLinks()
    for (const name of [
      'to-folder/secret',
      'to-folder/new',
      'to-folder/a/b/c',
      'to-nothing/x',
      'to-inside/new',
    ]) {
      const write = disk.driver.write(key(name), body('overwritten'))
      await expect(write).rejects.toMatchObject({ code: 'storage.denied' })
    }
    const marker = disk.driver.write(parseFolderKey('to-folder/made/'), Readable.from([]))
    await expect(marker).rejects.toMatchObject({ code: 'storage.denied' })
    expect((await readdir(disk.outside)).toSorted()).toEqual(['empty', 'secret'])
    expect(await readFile(join(disk.outside, 'secret'), 'utf8')).toBe('secret')
    expect(await disk.leftovers()).toEqual([])
  })

  test('a write replaces the link itself', async () => {
    await using disk = await diskWithLinks()
    await disk.driver.write(key('to-file'), body('ours'))
    await disk.driver.write(key('to-nothing'), body('ours'))
    expect(await readFile(join(disk.root, 'to-file'), 'utf8')).toBe('ours')
    expect(await readFile(join(disk.outside, 'secret'), 'utf8')).toBe('secret')
    expect((await readdir(disk.outside)).toSorted()).toEqual(['empty', 'secret'])
  })

  test('nothing is removed through them, not even an empty folder', async () => {
    await using disk = await diskWithLinks()
    const keys = [
      ...LINKED.map((name) => key(name)),
      parseFolderKey('to-folder/empty/'),
      parseFolderKey('to-folder/'),
    ]
    expect(await disk.driver.remove(keys)).toEqual({ removed: keys.length, failed: [] })
    expect((await readdir(disk.outside)).toSorted()).toEqual(['empty', 'secret'])
    expect(await readFile(join(disk.root, 'inside/file'), 'utf8')).toBe('file')
  })

  test('the storage folder itself may be a link', async () => {
    await using disk = await diskWithLinks()
    await rename(disk.root, `${disk.root}-real`)
    await symlink(`${disk.root}-real`, disk.root)
    const driver = await disk.reopen()
    await driver.write(key('inside/new'), body('new'))
    expect((await driver.list({ prefix: 'inside/', limit: 10 })).objects).toHaveLength(2)
  })
})

describe('files of other programs [disk]', () => {
  test('files and folders are objects and folders, the rest is skipped', async () => {
    await using disk = await temporaryDisk()
    await mkdir(join(disk.root, 'folder/empty'), { recursive: true })
    await writeFile(join(disk.root, 'folder/file'), 'file')
    await writeFile(join(disk.root, 'line\nfeed'), 'x')
    await writeFile(Buffer.concat([Buffer.from(`${disk.root}/latin-`), Buffer.from([0xe9])]), 'x')
    execFileSync('sh', ['-c', 'mkfifo "$0"', join(disk.root, 'pipe')])
    const server = createServer().listen(join(disk.root, 'socket'))
    await once(server, 'listening')
    const page = await disk.driver.list({ prefix: '', limit: 100 })
    expect(page.objects.map(({ key }) => key)).toEqual(['folder/empty/', 'folder/file'])
    expect(page.objects[0]).toMatchObject({ sizeBytes: 0 })
    for (const name of ['pipe', 'socket']) {
      expect(await disk.driver.stat(key(name))).toBeNull()
      await expect(disk.driver.read(key(name))).rejects.toMatchObject({ code: 'storage.not_found' })
    }
    server.close()
    expect(await disk.driver.stat(parseFolderKey('folder/empty/'))).toMatchObject({ sizeBytes: 0 })
    await disk.driver.remove([parseFolderKey('folder/empty/')])
    expect(await readdir(join(disk.root, 'folder'))).toEqual(['file'])
  })

  test('an edit in place changes the etag', async () => {
    await using disk = await temporaryDisk()
    const before = await disk.driver.write(key('a'), body('text'))
    await writeFile(join(disk.root, 'a'), 'TEXT')
    expect((await disk.driver.stat(key('a')))?.etag).not.toBe(before.etag)
  })
})

describe('a missing disk [disk]', () => {
  test('is unavailable, and its objects do not count as deleted', async () => {
    await using disk = await temporaryDisk()
    await disk.driver.write(key('a'), body('text'))
    await rename(disk.root, `${disk.root}-unmounted`)
    await mkdir(disk.root)
    const { driver } = disk
    const calls = [
      () => driver.stat(key('a')),
      () => driver.read(key('a')),
      () => driver.list({ prefix: '', limit: 10 }),
      () => driver.write(key('b'), body('text')),
      () => driver.copy(key('a'), key('b')),
      () => driver.multipart?.create(key('a')),
      () => driver.sweepTemporary({ olderThanMs: 0 }),
      () => driver.probe(),
    ]
    for (const call of calls) await expect(call()).rejects.toMatchObject({ code: 'storage.unavailable' })
    const { removed, failed } = await driver.remove([key('a'), key('b')])
    expect([removed, failed.map(({ error }) => error.code)]).toEqual([
      0,
      ['storage.unavailable', 'storage.unavailable'],
    ])
    expect(await readdir(disk.root)).toEqual([])
    await rm(disk.root, { recursive: true })
    await rename(`${disk.root}-unmounted`, disk.root)
    expect(await driver.stat(key('a'))).toMatchObject({ sizeBytes: 4 })
  })

  test('a file in its place is rejected at the start', async () => {
    await using disk = await temporaryDisk()
    await rm(disk.root, { recursive: true })
    await writeFile(disk.root, 'a file')
    await expect(disk.reopen()).rejects.toMatchObject({ name: 'StorageError' })
  })
})
