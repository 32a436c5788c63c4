import { Readable } from 'node:stream'
import { beforeEach, describe, expect, test } from 'vitest'
import { type Bench, expectError, randomBody, sha256 } from './fixture.ts'

/** Cases for moves. They are skipped on a driver that can only copy. */
export function moveCases(bench: () => Bench): void {
  describe('moves', () => {
    beforeEach(({ skip }) => {
      skip(bench().driver.move === null, 'only copies')
    })
    const move = (b: Bench, from: string, to: string, o?: { ifAbsent?: boolean }) => {
      if (b.driver.move === null) throw new Error('This driver only copies.')
      return b.driver.move(b.key(from), b.key(to), o)
    }

    test('an object gets another key, and its folder disappears with its last object', async () => {
      const b = bench()
      const { bytes, body } = randomBody(1_000_000)
      const written = await b.driver.write(b.key('from 源/deep/a'), body())
      const moved = await move(b, 'from 源/deep/a', 'to/深/b')
      expect(moved).toMatchObject({ key: b.key('to/深/b'), sizeBytes: 1_000_000 })
      expect(sha256(await b.bytes('to/深/b'))).toBe(sha256(bytes))
      expect((await b.driver.stat(b.key('to/深/b')))?.etag).toBe(moved.etag)
      expect(moved.modifiedAtMs).toBe(written.modifiedAtMs)
      expect(await b.remains()).toEqual(['to/深/b', 'to/'])
    })

    test('a move replaces, or refuses to', async () => {
      const b = bench()
      await b.put('a', 'new')
      await b.put('b', 'old')
      await expectError(move(b, 'a', 'b', { ifAbsent: true }), 'storage.exists')
      expect([await b.text('a'), await b.text('b')]).toEqual(['new', 'old'])
      await move(b, 'a', 'b')
      expect(await b.text('b')).toBe('new')
      expect((await b.list()).objects).toEqual(['b'])
      await move(b, 'b', 'c', { ifAbsent: true })
      expect((await b.list()).objects).toEqual(['c'])
    })

    test('a move to the same key keeps the object', async () => {
      const b = bench()
      const { etag } = await b.put('a', 'x')
      expect((await move(b, 'a', 'a')).etag).toBe(etag)
      expect(await b.text('a')).toBe('x')
    })

    test('a missing object cannot be moved', async () => {
      const b = bench()
      await b.put('folder/a', 'a')
      await b.put('b', 'kept')
      for (const name of ['nothing', 'folder', 'no/such/folder', 'folder/a/below'])
        await expectError(move(b, name, 'b'), 'storage.not_found')
      expect(await b.text('b')).toBe('kept')
    })

    test('an object cannot move onto a folder, nor below itself', async () => {
      const b = bench()
      await b.put('folder/a', 'a')
      await b.put('b', 'b')
      if (b.driver.capabilities.nestedKeys) return
      await expectError(move(b, 'b', 'folder'), 'storage.exists')
      await expectError(move(b, 'b', 'b/below'), 'storage.exists')
      expect([await b.text('folder/a'), await b.text('b')]).toEqual(['a', 'b'])
    })

    test('a folder marker moves like an object', async () => {
      const b = bench()
      await b.mark('a/')
      await b.driver.move?.(b.folderKey('a/'), b.folderKey('b/'))
      expect((await b.list()).objects).toEqual(['b/'])
    })

    test.each(Array.from({ length: 5 }, (_, round) => ({ round })))(
      'of 10 that move to one place which must be free, one wins; the others stay ($round)',
      async () => {
        const b = bench()
        const names = Array.from({ length: 10 }, (_, index) => `from ${index}/a`)
        await b.putMany(names)
        const outcomes = await Promise.allSettled(
          names.map((name) => move(b, name, 'to/one', { ifAbsent: true })),
        )
        const winners = names.filter((_, index) => outcomes[index]?.status === 'fulfilled')
        expect(winners).toHaveLength(1)
        expect(await b.text('to/one')).toBe(winners[0])
        const others = names.filter((name) => name !== winners[0])
        expect((await b.list()).objects.toSorted()).toEqual([...others, 'to/one'].toSorted())
      },
    )

    test('one of 10 concurrent moves wins, and the bytes exist once', async () => {
      const b = bench()
      await b.put('a', 'bytes')
      const targets = Array.from({ length: 10 }, (_, index) => `to ${index}`)
      const outcomes = await Promise.allSettled(
        targets.map((to, index) => move(b, 'a', to, { ifAbsent: index % 2 === 0 })),
      )
      const won = targets.filter((_, index) => outcomes[index]?.status === 'fulfilled')
      expect(won).toHaveLength(1)
      expect((await b.list()).objects).toEqual(won)
      expect(await b.text(won[0] ?? '')).toBe('bytes')
      for (const outcome of outcomes)
        if (outcome.status === 'rejected') expect(outcome.reason).toMatchObject({ code: 'storage.not_found' })
    })

    test('a folder moves to a free name with its content', async () => {
      const b = bench()
      const { moveFolder } = b.driver
      if (moveFolder === null) return
      const go = (from: string, to: string, intoFolder?: string) =>
        moveFolder(b.folderKey(from), b.folderKey(to), {
          intoFolder: intoFolder === undefined ? undefined : b.folderKey(intoFolder),
        })
      const { etag } = await b.put('from 源/deep/a', 'a')
      await b.mark('from 源/empty/')
      await b.put('taken/b', 'b')
      await b.put('file', 'file')
      await b.mark('bare/')
      for (const to of ['taken/', 'file/', 'bare/']) await expectError(go('from 源/', to), 'storage.exists')
      for (const from of ['nothing/', 'file/']) await expectError(go(from, 'to/'), 'storage.not_found')
      await expectError(go('from 源/', 'missing/to/', 'missing/'), 'storage.folder_missing')
      expect(await go('from 源/', 'new/to/')).toBe(true)
      expect((await b.driver.stat(b.key('new/to/deep/a')))?.etag).toBe(etag)
      expect((await b.list()).objects).toEqual(['bare/', 'file', 'new/to/deep/a', 'new/to/empty/', 'taken/b'])
      expect(await b.harness.leftovers?.()).toEqual([])
    })

    test('a write into a moving folder moves along, or is rejected', async () => {
      const b = bench()
      const { moveFolder } = b.driver
      if (moveFolder === null) return
      for (let turn = 0; turn < 20; turn += 1) {
        await b.put(`from ${turn}/a`, 'a')
        const intoFolder = b.folderKey(`from ${turn}/`)
        const write = async (n: number) => {
          const body = Readable.from([Buffer.alloc(n % 2 === 0 ? 10 : 300_000)])
          await b.driver.write(b.key(`from ${turn}/${n}`), body, { intoFolder })
          return n
        }
        const [, ...writes] = await Promise.allSettled([
          moveFolder(b.folderKey(`from ${turn}/`), b.folderKey(`to ${turn}/`)),
          ...Array.from({ length: 8 }, (_, n) => write(n)),
        ])
        expect(await b.driver.statFolder(b.folderKey(`from ${turn}/`))).toBeNull()
        for (const one of writes)
          if (one.status === 'rejected') expect(one.reason).toMatchObject({ code: 'storage.folder_missing' })
          else expect(await b.driver.stat(b.key(`to ${turn}/${one.value}`))).not.toBeNull()
      }
    })

    test('a write to the old key during its move loses nothing', async () => {
      const b = bench()
      for (let turn = 0; turn < 30; turn += 1) {
        const [from, to] = [`from/${turn}`, `to/${turn}`]
        await b.put(from, 'first')
        await Promise.all([move(b, from, to, { ifAbsent: true }), b.put(from, 'second')])
        const seen = [await b.text(to)]
        if (await b.driver.stat(b.key(from))) seen.push(await b.text(from))
        expect(seen).toContain('second')
      }
    })
  })
}
