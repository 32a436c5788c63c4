import { describe, expect, test } from 'vitest'
import { type Bench, expectError, textBody } from './fixture.ts'

/**
 * Tests folders and folder markers. A folder that was created explicitly remains when it is empty; a folder that was
 * created for a file is removed with its last file.
 */
export function folderCases(bench: () => Bench): void {
  describe('folders', () => {
    test('a marker makes an empty folder', async () => {
      const b = bench()
      expect(await b.mark('新 文件夹/')).toMatchObject({ key: b.folderKey('新 文件夹/'), sizeBytes: 0 })
      expect(await b.list({ delimiter: '/' })).toMatchObject({ objects: [], folders: ['新 文件夹/'] })
      expect(await b.list()).toMatchObject({ objects: ['新 文件夹/'], folders: [] })
      expect(await b.driver.stat(b.folderKey('新 文件夹/'))).toMatchObject({ sizeBytes: 0 })
    })

    test('a folder exists by its marker or its entries, and a file is not a folder', async () => {
      const b = bench()
      await b.mark('marked/')
      await b.put('filled/deep/a.txt', 'a')
      const isThere = async (key: string) => (await b.driver.statFolder(b.folderKey(key))) !== null
      expect(await isThere('marked/')).toBe(true)
      expect(await isThere('filled/')).toBe(true)
      expect(await isThere('filled/deep/')).toBe(true)
      expect(await isThere('filled/deep/a.txt/')).toBe(false)
      expect(await isThere('fill/')).toBe(false)
    })

    test('the marker of the listed folder is not listed', async () => {
      const b = bench()
      await b.mark('a/')
      await b.mark('a/b/')
      await b.put('a/c', 'c')
      expect(await b.list({ prefix: 'a/', delimiter: '/' })).toMatchObject({
        objects: ['a/c'],
        folders: ['a/b/'],
      })
      expect((await b.list({ prefix: 'a/' })).objects).toEqual(['a/', 'a/b/', 'a/c'])
    })

    test('a marked folder survives its last file', async () => {
      const b = bench()
      await b.mark('marked/')
      await b.put('marked/in/a', 'a')
      await b.driver.remove([b.key('marked/in/a')])
      expect((await b.list({ delimiter: '/' })).folders).toEqual(['marked/'])
      expect((await b.list()).objects).toEqual(['marked/'])
    })

    test('an unmarked folder disappears with its last file, and so do its empty parents', async () => {
      const b = bench()
      await b.put('one/two/three/a', 'a')
      await b.put('one/b', 'b')
      await b.driver.remove([b.key('one/two/three/a')])
      expect(await b.list({ prefix: 'one/', delimiter: '/' })).toMatchObject({
        objects: ['one/b'],
        folders: [],
      })
      await b.driver.remove([b.key('one/b')])
      expect(await b.remains()).toEqual([])
    })

    test('a folder with files has a marker only if one was written', async () => {
      const b = bench()
      await b.put('a/b', 'b')
      expect(await b.driver.stat(b.folderKey('a/'))).toBeNull()
      await b.mark('a/')
      expect(await b.driver.stat(b.folderKey('a/'))).not.toBeNull()
    })

    test('removing a marker keeps the files, and removes an empty folder', async () => {
      const b = bench()
      await b.mark('a/')
      await b.mark('b/')
      await b.put('a/file', 'x')
      await b.driver.remove([b.folderKey('a/'), b.folderKey('b/')])
      expect((await b.list()).objects).toEqual(['a/file'])
      expect((await b.list({ delimiter: '/' })).folders).toEqual(['a/'])
    })

    test('markers are read, replaced, copied and refused like objects', async () => {
      const b = bench()
      await b.mark('a/')
      await b.mark('a/')
      const { body, stat } = await b.driver.read(b.folderKey('a/'))
      expect(await body.toArray()).toEqual([])
      expect(stat.sizeBytes).toBe(0)
      await b.driver.copy(b.folderKey('a/'), b.folderKey('b/'))
      expect((await b.list()).objects).toEqual(['a/', 'b/'])
      const again = b.driver.write(b.folderKey('a/'), textBody(''), { ifAbsent: true })
      await expectError(again, 'storage.exists')
    })

    test('a marker accepts no bytes', async () => {
      const b = bench()
      const call = b.driver.write(b.folderKey('a/'), textBody('x'))
      await expect(call).rejects.toMatchObject({ code: 'storage.too_large' })
      expect(await b.remains()).toEqual([])
    })

    test('writers and removers in one folder do not disturb each other', async () => {
      const b = bench()
      const loop = async (name: string) => {
        for (let turn = 0; turn < 25; turn += 1) {
          await b.put(`shared/deep/${name}`, name)
          expect(await b.text(`shared/deep/${name}`)).toBe(name)
          await b.driver.remove([b.key(`shared/deep/${name}`)])
        }
      }
      await Promise.all(['a', 'b', 'c', 'd', 'e', 'f'].map(loop))
      expect(await b.remains()).toEqual([])
    })
  })
}
