import { Readable } from 'node:stream'
import { describe, expect, test } from 'vitest'
import type { StorageDriver } from '../driver.ts'
import { type Bench, expectError, slowBody, stuckBody, textBody } from './fixture.ts'

/** Tests that a write stores a whole object or nothing: conditions, concurrent writes, limits and failing bodies. */
export function writeCases(bench: () => Bench): void {
  describe('writes', () => {
    test('a second write replaces the first and changes the etag', async () => {
      const b = bench()
      const first = await b.put('a', 'one')
      const second = await b.put('a', 'two')
      expect(second.etag).not.toBe(first.etag)
      expect(await b.text('a')).toBe('two')
    })

    test('buffered bytes are written like streamed ones, with the same limits', async () => {
      const b = bench()
      for (const sizeBytes of [0, 7, 300_000, 2_000_000]) {
        const bytes = Buffer.alloc(sizeBytes, 'ab')
        const stat = await b.driver.write(b.key('a'), bytes, { sizeBytes })
        expect([stat.sizeBytes, await b.text('a')]).toEqual([sizeBytes, bytes.toString()])
      }
      const bytes = Buffer.from('abcdef')
      const refused = {
        'storage.too_large': { maxBytes: 5 },
        'storage.incomplete': { sizeBytes: 7 },
      } as const
      for (const [code, o] of Object.entries(refused))
        await expectError(b.driver.write(b.key('b'), bytes, o), code as keyof typeof refused)
      await expectError(b.driver.write(b.key('a'), bytes, { ifAbsent: true }), 'storage.exists')
      await expectError(b.driver.write(b.key('a'), bytes, { ifMatch: 'other' }), 'storage.changed')
      await expectError(b.driver.write(b.folderKey('c/'), bytes), 'storage.too_large')
      expect(await b.driver.stat(b.key('b'))).toBeNull()
    })

    test('concurrent readers see whole versions only', async () => {
      const b = bench()
      const version = (index: number) => `${index % 10}`.repeat(200_000)
      await b.put('a', version(0))
      const done = new AbortController()
      const write = async () => {
        for (let index = 1; index <= 30; index += 1) await b.put('a', version(index))
        done.abort()
      }
      const read = async () => {
        let reads = 0
        for (; !done.signal.aborted; reads += 1) {
          const text = await b.text('a')
          expect(text === version(Number(text[0]))).toBe(true)
        }
        return reads
      }
      const [, ...reads] = await Promise.all([write(), read(), read(), read()])
      expect(Math.min(...reads)).toBeGreaterThan(0)
    })

    test.each(Array.from({ length: 10 }, (_, round) => ({ round })))(
      'of 20 writers that demand absence, one wins where the storage can tell ($round)',
      async () => {
        const b = bench()
        const writers = Array.from({ length: 20 }, (_, index) =>
          b.driver.write(b.key('one'), textBody(`writer ${index}`), { ifAbsent: true }),
        )
        const outcomes = await Promise.allSettled(writers)
        const winners = outcomes.flatMap(({ status }, index) => (status === 'fulfilled' ? [index] : []))
        const refusals = outcomes.flatMap((outcome) =>
          outcome.status === 'rejected' ? [outcome.reason] : [],
        )
        const winnersMax = b.driver.capabilities.conditionalWrite ? 1 : 20
        expect(winners.length).toBeGreaterThanOrEqual(1)
        expect(winners.length).toBeLessThanOrEqual(winnersMax)
        expect(winners.map((index) => `writer ${index}`)).toContain(await b.text('one'))
        for (const error of refusals) expect(error).toMatchObject({ code: 'storage.exists' })
      },
    )

    test('a write with ifAbsent keeps the existing object', async () => {
      const b = bench()
      await b.put('a', 'first')
      await expectError(b.driver.write(b.key('a'), textBody('second'), { ifAbsent: true }), 'storage.exists')
      expect(await b.text('a')).toBe('first')
    })

    test('a write with ifMatch', async () => {
      const b = bench()
      const first = await b.put('a', 'first')
      const second = await b.driver.write(b.key('a'), textBody('second'), { ifMatch: first.etag })
      expect(second.etag).not.toBe(first.etag)
      const late = b.driver.write(b.key('a'), textBody('late'), { ifMatch: first.etag })
      await expectError(late, 'storage.changed')
      expect(await b.text('a')).toBe('second')
      expect((await b.driver.stat(b.key('a')))?.etag).toBe(second.etag)
    })

    test('a write with ifMatch without an object, or with a folder', async () => {
      const b = bench()
      const { etag } = await b.put('folder/a', 'x')
      for (const name of ['nothing', 'no/such/folder'])
        await expectError(b.driver.write(b.key(name), textBody('y'), { ifMatch: etag }), 'storage.changed')
      await expect(b.driver.write(b.key('folder'), textBody('y'), { ifMatch: etag })).rejects.toMatchObject({
        name: 'StorageError',
      })
      expect((await b.list()).objects).toEqual(['folder/a'])
    })

    test.each([
      ['small', 7],
      ['streamed', 2_000_000],
      ['in parts', 6_000_000],
    ])('a %s body for a version that changed meanwhile is rejected', async (_name, sizeBytes) => {
      const b = bench()
      const { etag } = await b.put('a', 'first')
      const body = Readable.from(
        (async function* () {
          await b.put('a', 'meanwhile')
          yield Buffer.alloc(sizeBytes)
        })(),
      )
      const options = { ifMatch: etag, ...(sizeBytes === 2_000_000 ? { sizeBytes } : { maxBytes: 1e9 }) }
      const write = b.driver.write(b.key('a'), body, options)
      if (!b.driver.capabilities.conditionalWrite) return void (await write.catch(() => undefined))
      await expectError(write, 'storage.changed')
      expect(await b.text('a')).toBe('meanwhile')
      expect(await b.remains()).toEqual(['a', 'a'])
    })

    test.each(Array.from({ length: 5 }, (_, round) => ({ round })))(
      'of 12 writers that replace the same version, one wins where the storage can tell ($round)',
      async () => {
        const b = bench()
        const { etag } = await b.put('one', 'before')
        const writers = Array.from({ length: 12 }, (_, index) =>
          b.driver.write(b.key('one'), textBody(`writer ${index}`), { ifMatch: etag }),
        )
        const outcomes = await Promise.allSettled(writers)
        const winners = outcomes.flatMap(({ status }, index) => (status === 'fulfilled' ? [index] : []))
        expect(winners.length).toBeGreaterThanOrEqual(1)
        expect(winners.length).toBeLessThanOrEqual(b.driver.capabilities.conditionalWrite ? 1 : 12)
        expect(winners.map((index) => `writer ${index}`)).toContain(await b.text('one'))
        for (const outcome of outcomes)
          if (outcome.status === 'rejected') {
            const { code, message } = outcome.reason as { code: string; message: string }
            expect(`${code}: ${message}`).toMatch(/^storage\.changed:/)
          }
      },
    )

    const broken: [string, string, (driver: StorageDriver, b: Bench) => Promise<unknown>][] = [
      [
        'a body shorter than declared',
        'storage.incomplete',
        (driver, b) => driver.write(b.key('x/a'), slowBody(['abc', 'def']), { sizeBytes: 7 }),
      ],
      [
        'an empty body where bytes were declared',
        'storage.incomplete',
        (driver, b) => driver.write(b.key('x/a'), textBody(''), { sizeBytes: 1 }),
      ],
      [
        'a body longer than declared',
        'storage.too_large',
        (driver, b) => driver.write(b.key('x/a'), slowBody(['abc', 'def']), { sizeBytes: 5 }),
      ],
      [
        'a body longer than allowed',
        'storage.too_large',
        (driver, b) => driver.write(b.key('x/a'), slowBody(['abc', 'def']), { maxBytes: 5 }),
      ],
      [
        'a declared size larger than allowed',
        'storage.too_large',
        (driver, b) => driver.write(b.key('x/a'), textBody('abcdef'), { sizeBytes: 6, maxBytes: 5 }),
      ],
      [
        'a body that breaks off',
        'storage.incomplete',
        (driver, b) => {
          const body = stuckBody()
          setTimeout(() => body.destroy(), 20)
          return driver.write(b.key('x/a'), body, { sizeBytes: 100 })
        },
      ],
    ]
    test.each(broken)('%s fails with %s and leaves nothing', async (_name, code, write) => {
      const b = bench()
      await expect(write(b.driver, b)).rejects.toMatchObject({ name: 'StorageError', code })
      expect(await b.remains()).toEqual([])
    })

    test('a body that fails gives its own error and leaves nothing', async () => {
      const b = bench()
      const failure = new Error('The source failed.')
      await expect(b.driver.write(b.key('x/a'), slowBody(['abc', failure]))).rejects.toBe(failure)
      expect(await b.remains()).toEqual([])
    })

    test('a body that fails before it is read gives its own error, to the caller only', async () => {
      const b = bench()
      const failure = new Error('The source failed at once.')
      const failing = () => new Readable({ construct: (done) => setImmediate(done, failure) })
      await expect(b.driver.write(b.key('x/a'), failing())).rejects.toBe(failure)
      const failed = failing().on('error', () => undefined)
      await new Promise((resolve) => setTimeout(resolve, 10))
      await expect(b.driver.write(b.key('x/a'), failed)).rejects.toBe(failure)
      expect(await b.remains()).toEqual([])
    })

    test('a failed write keeps the existing object', async () => {
      const b = bench()
      const before = await b.put('a', 'kept')
      await expectError(
        b.driver.write(b.key('a'), slowBody(['abc', 'def']), { maxBytes: 4 }),
        'storage.too_large',
      )
      expect(await b.text('a')).toBe('kept')
      expect((await b.driver.stat(b.key('a')))?.etag).toBe(before.etag)
    })

    test('exactly the allowed size is allowed', async () => {
      const b = bench()
      const limits = { sizeBytes: 6, maxBytes: 6 }
      expect(await b.driver.write(b.key('a'), slowBody(['abc', 'def']), limits)).toMatchObject({
        sizeBytes: 6,
      })
    })

    test('an abort in the middle rejects with its reason, destroys the body, leaves nothing', async () => {
      const b = bench()
      const abort = new AbortController()
      const body = stuckBody()
      const reason = new Error('cancelled')
      setTimeout(() => abort.abort(reason), 30)
      await expect(b.driver.write(b.key('x/a'), body, { signal: abort.signal })).rejects.toBe(reason)
      expect(body.destroyed).toBe(true)
      expect(await b.remains()).toEqual([])
    })

    test('a signal that is aborted already writes nothing', async () => {
      const b = bench()
      const body = textBody('abc')
      const write = b.driver.write(b.key('x/a'), body, { signal: AbortSignal.abort() })
      await expect(write).rejects.toMatchObject({ name: 'AbortError' })
      expect(body.destroyed).toBe(true)
      expect(await b.remains()).toEqual([])
    })

    test('a body of strings is written as UTF-8', async () => {
      const b = bench()
      await b.driver.write(b.key('a'), Readable.from(['剪贴板 ', '🍃']), { sizeBytes: 14 })
      expect(await b.text('a')).toBe('剪贴板 🍃')
    })

    test('a name used as a file and as a folder', async () => {
      const b = bench()
      await b.put('file', 'file')
      await b.put('folder/a', 'a')
      const writes = [
        () => b.put('file/below', 'x'),
        () => b.put('file/far/below', 'x'),
        () => b.put('folder', 'x'),
      ]
      for (const write of writes) {
        if (b.driver.capabilities.nestedKeys) await write()
        else await expectError(write(), 'storage.exists')
      }
      expect(await b.text('file')).toBe('file')
      expect(await b.text('folder/a')).toBe('a')
    })
  })
}
