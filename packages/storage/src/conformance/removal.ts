import { describe, expect, test } from 'vitest'
import { type Bench, expectError } from './fixture.ts'

export function removalCases(bench: () => Bench): void {
  describe('removal', () => {
    test('a removed object is gone', async () => {
      const b = bench()
      await b.putMany(['a', 'b'])
      expect(await b.driver.remove([b.key('a')])).toEqual({ removed: 1, failed: [] })
      expect(await b.driver.stat(b.key('a'))).toBeNull()
      await expectError(b.driver.read(b.key('a')), 'storage.not_found')
      expect((await b.list()).objects).toEqual(['b'])
    })

    test('removing a missing object succeeds', async () => {
      const b = bench()
      await b.put('folder/a', 'a')
      const names = ['nothing', 'no/such/folder', 'folder', 'folder/a/below']
      expect(await b.driver.remove(names.map((name) => b.key(name)))).toEqual({ removed: 4, failed: [] })
      expect(await b.text('folder/a')).toBe('a')
    })

    test('removing nothing at all', async () => {
      expect(await bench().driver.remove([])).toEqual({ removed: 0, failed: [] })
    })

    test('1,500 keys in one call, others stay', async () => {
      const b = bench()
      const names = Array.from({ length: 1500 }, (_, index) => `folder ${index % 5}/文件 ${index}`)
      await b.putMany([...names, 'folder 0/kept'])
      const result = await b.driver.remove(names.map((name) => b.key(name)))
      expect(result).toEqual({ removed: 1500, failed: [] })
      expect((await b.list()).objects).toEqual(['folder 0/kept'])
      expect((await b.list({ delimiter: '/' })).folders).toEqual(['folder 0/'])
    }, 120_000)

    test('a name can be reused as file or folder', async () => {
      const b = bench()
      await b.put('name/a', 'a')
      await b.driver.remove([b.key('name/a')])
      await b.put('name', 'now a file')
      await b.driver.remove([b.key('name')])
      await b.put('name/a', 'a folder again')
      expect(await b.text('name/a')).toBe('a folder again')
    })
  })
}
