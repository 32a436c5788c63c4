import { beforeAll, describe, expect, test } from 'vitest'
import { compareKeys } from '../keys.ts'
import type { Bench } from './fixture.ts'

/** About 2,500 names: names with numbers, nested folders, and names that are easily sorted wrong. */
const NAMES = [
  Array.from({ length: 1500 }, (_, index) => `n${index}`),
  Array.from({ length: 980 }, (_, index) => `dir ${index % 7}/子 ${index % 11}/${index}.txt`),
  ['a', 'a-b', 'a.txt', 'a0', 'aa/x', 'a b/x', 'é', 'z/z/z/z', '海', '\uff01', '🍃', '𠀀/x', 'A', '~', '!'],
  ['pho', 'phone.txt', 'photos/1', 'photos/2', 'photos2/1', 'photos-old/1'],
].flat()

/** Tests paging, order, prefixes and delimiters in a large folder. */
export function listingCases(bench: () => Bench): void {
  describe('listing', () => {
    const sorted = NAMES.toSorted(compareKeys)
    const level = (names: string[]) => ({
      objects: names.filter((name) => !name.includes('/')),
      folders: [
        ...new Set(names.filter((name) => name.includes('/')).map((name) => `${name.split('/')[0]}/`)),
      ],
    })
    let b: Bench
    beforeAll(async () => {
      b = bench()
      await b.putMany(NAMES)
    }, 120_000)

    test.each([1000, 700, 97])('every object once and in byte order, in pages of %d', async (limit) => {
      const { objects, pages } = await b.list({ limit })
      expect(objects).toEqual(sorted)
      for (const page of pages) expect(page.objects.length).toBeLessThanOrEqual(limit)
    })

    test.each([1000, 100, 23])('one level with its folders, in pages of %d', async (limit) => {
      const { objects, folders, pages } = await b.list({ limit, delimiter: '/' })
      expect({ objects, folders }).toEqual(level(sorted))
      for (const { objects, folders } of pages) {
        expect(objects.length + folders.length).toBeLessThanOrEqual(limit)
      }
    })

    test('pages of one entry return everything', async () => {
      const { objects } = await b.list({ limit: 1, prefix: 'dir 3/子 1/' })
      expect(objects).toEqual(sorted.filter((name) => name.startsWith('dir 3/子 1/')))
      const { folders } = await b.list({ limit: 1, prefix: 'dir 3/', delimiter: '/' })
      expect(folders).toHaveLength(11)
    })

    test('every key of a page sorts after all keys of the previous page', async () => {
      const { pages } = await b.list({ limit: 50, delimiter: '/' })
      const keysOf = (page: (typeof pages)[number]) =>
        [...page.objects, ...page.folders].map(({ key }) => key).sort(compareKeys)
      expect(pages.flatMap(keysOf)).toEqual(pages.flatMap(keysOf).toSorted(compareKeys))
    })

    test.each([
      'pho',
      'photos',
      'photos/',
      'photos/1',
      'n14',
      'dir',
      'dir 3/子',
      '海',
      '\ud83c\udf43',
      'zz',
      'a/',
    ])('the prefix %j, recursive and on one level', async (prefix) => {
      const below = sorted.filter((name) => name.startsWith(prefix))
      expect((await b.list({ prefix })).objects).toEqual(below)
      const base = prefix.slice(0, prefix.lastIndexOf('/') + 1)
      const { objects, folders } = level(below.map((name) => name.slice(base.length)))
      expect(await b.list({ prefix, delimiter: '/' })).toMatchObject({
        objects: objects.map((name) => base + name),
        folders: folders.map((name) => base + name),
      })
    })

    test('changes between two pages do not affect other entries', async () => {
      const c = bench()
      await c.putMany(['a', 'b', 'c', 'd', 'e/1'])
      const first = await c.driver.list({ prefix: c.folder, limit: 2 })
      expect(first.objects.map(({ key }) => key)).toEqual([c.key('a'), c.key('b')])
      await c.driver.remove([c.key('b'), c.key('c')])
      await c.putMany(['0', 'bb', 'e/2'])
      const second = await c.driver.list({ prefix: c.folder, limit: 10, cursor: first.nextCursor ?? '' })
      expect(second.objects.map(({ key }) => key)).toEqual(
        ['bb', 'd', 'e/1', 'e/2'].map((name) => c.key(name)),
      )
      expect(second.nextCursor).toBeNull()
    })

    test('a page that ends with the last entry has no cursor', async () => {
      const c = bench()
      await c.putMany(['a', 'b'])
      expect(await c.driver.list({ prefix: c.folder, limit: 2 })).toMatchObject({ nextCursor: null })
    })

    test('a prefix without objects is an empty page', async () => {
      const c = bench()
      for (const delimiter of ['/', undefined] as const) {
        const page = await c.driver.list({ prefix: `${c.folder}no/such/`, limit: 10, delimiter })
        expect(page).toEqual({ objects: [], folders: [], unnamed: [], nextCursor: null })
      }
      await c.put('file', 'x')
      expect(await c.list({ prefix: 'file/' })).toMatchObject({ objects: [], folders: [] })
    })

    test.each(['/', '../', 'a//b', 'a/../', '/etc/', 'a\0', '.dropleaf-tmp/'])(
      'the prefix %j is rejected',
      async (prefix) => {
        const call = bench().driver.list({ prefix, limit: 10 })
        await expect(call).rejects.toMatchObject({ code: 'storage.invalid_key' })
      },
    )
  })
}
