import { describe, expect, test } from 'vitest'
import { type Bench, expectError, randomBody, sha256, textBody } from './fixture.ts'

const NAMES = [
  'plain.txt',
  'with space.txt',
  ' leading and trailing ',
  '中文文件名.txt',
  '目录/子目录/文件.md',
  'hash#tag.txt',
  '100%.txt',
  '%2e%2e%2f',
  'a+b&c=d?e.txt',
  '🍃 leaf/👨‍👩‍👧.png',
  'quote"\'`$(x);.txt',
  'back\\slash',
  'e\u0301 and \u00e9',
  '...dots...',
]

/** Tests round trips, `stat`, reads of whole objects and of ranges, and copies. */
export function objectCases(bench: () => Bench): void {
  describe('objects', () => {
    test.each(NAMES)('round trip under the name %j', async (name) => {
      const b = bench()
      const written = await b.put(name, `bytes of ${name}`)
      expect(await b.text(name)).toBe(`bytes of ${name}`)
      expect(await b.driver.stat(b.key(name))).toMatchObject({ key: b.key(name), etag: written.etag })
      expect((await b.list()).objects).toEqual([name])
    })

    test('an empty object', async () => {
      const b = bench()
      expect(await b.put('empty', '')).toMatchObject({ sizeBytes: 0 })
      const { body, stat, range } = await b.driver.read(b.key('empty'))
      expect(await body.toArray()).toEqual([])
      expect({ sizeBytes: stat.sizeBytes, range }).toEqual({ sizeBytes: 0, range: null })
    })

    test('20 MB keep their hash', async () => {
      const b = bench()
      const { bytes, body } = randomBody(20_000_000)
      const options = { sizeBytes: bytes.length, maxBytes: bytes.length }
      const written = await b.driver.write(b.key('big'), body(), options)
      expect(written.sizeBytes).toBe(20_000_000)
      expect(sha256(await b.bytes('big'))).toBe(sha256(bytes))
    })

    test('stat, read and list return the same as write', async () => {
      const b = bench()
      const before = Date.now()
      const written = await b.driver.write(b.key('a'), textBody('hello'), { contentType: 'text/x-test' })
      const { body, stat } = await b.driver.read(b.key('a'))
      body.destroy()
      const [listed] = (await b.list()).pages[0]?.objects ?? []
      for (const seen of [written, stat, listed, await b.driver.stat(b.key('a'))]) {
        expect(seen).toMatchObject({ key: b.key('a'), sizeBytes: 5, etag: written.etag })
        expect(seen?.etag).not.toContain('"')
        expect(Math.abs((seen?.modifiedAtMs ?? 0) - before)).toBeLessThan(60_000)
        expect([undefined, 'text/x-test']).toContain(seen?.contentType)
      }
    })

    test('a missing object has no stat and cannot be read or copied', async () => {
      const b = bench()
      await b.put('folder/a', 'a')
      for (const name of ['nothing', 'folder', 'no/such/folder', 'folder/a/below']) {
        expect(await b.driver.stat(b.key(name))).toBeNull()
        await expectError(b.driver.read(b.key(name)), 'storage.not_found')
        await expectError(b.driver.copy(b.key(name), b.key('copy')), 'storage.not_found')
      }
    })

    test.each([
      ['the first byte', 0, 0, '0', 0],
      ['the middle', 3, 5, '345', 5],
      ['the last byte', 9, 9, '9', 9],
      ['everything', 0, 9, '0123456789', 9],
      ['past the end', 7, 99, '789', 9],
      ['to the end', 8, Number.MAX_SAFE_INTEGER, '89', 9],
    ])('a range: %s', async (_name, firstByte, lastByte, expected, lastSent) => {
      const b = bench()
      await b.put('digits', '0123456789')
      const { body, stat, range } = await b.driver.read(b.key('digits'), { range: { firstByte, lastByte } })
      expect(Buffer.concat(await body.toArray()).toString()).toBe(expected)
      expect(range).toEqual({ firstByte, lastByte: lastSent })
      expect(stat.sizeBytes).toBe(10)
    })

    test.each([
      ['at the end', '0123456789', 10, 10],
      ['after the end', '0123456789', 500, 600],
      ['backwards', '0123456789', 5, 4],
      ['of nothing', '', 0, 0],
    ])('a range %s is rejected', async (_name, text, firstByte, lastByte) => {
      const b = bench()
      await b.put('digits', text)
      const call = b.driver.read(b.key('digits'), { range: { firstByte, lastByte } })
      await expect(call).rejects.toMatchObject({ code: 'storage.range' })
    })

    test('a reader finishes the version it started with', async () => {
      const b = bench()
      const { bytes, body } = randomBody(3_000_000)
      await b.driver.write(b.key('a'), body())
      const reading = await b.driver.read(b.key('a'))
      await b.put('a', 'another version')
      expect(sha256(Buffer.concat(await reading.body.toArray()))).toBe(sha256(bytes))
    })

    test('an aborted signal prevents a read', async () => {
      const b = bench()
      await b.put('a', 'a')
      const signal = AbortSignal.abort()
      await expect(b.driver.read(b.key('a'), { signal })).rejects.toMatchObject({ name: 'AbortError' })
    })

    test('a copy is a second object', async () => {
      const b = bench()
      await b.put('from 源/a', 'text')
      const copied = await b.driver.copy(b.key('from 源/a'), b.key('to/深/b'))
      expect(copied).toMatchObject({ key: b.key('to/深/b'), sizeBytes: 4 })
      await b.driver.remove([b.key('from 源/a')])
      expect(await b.text('to/深/b')).toBe('text')
      expect((await b.driver.stat(b.key('to/深/b')))?.etag).toBe(copied.etag)
    })

    test('a copy replaces, or refuses to', async () => {
      const b = bench()
      await b.put('a', 'new')
      await b.put('b', 'old')
      await expectError(b.driver.copy(b.key('a'), b.key('b'), { ifAbsent: true }), 'storage.exists')
      expect(await b.text('b')).toBe('old')
      await b.driver.copy(b.key('a'), b.key('b'))
      expect(await b.text('b')).toBe('new')
    })

    test('another driver on the same storage sees a written object', async () => {
      const b = bench()
      const written = await b.put('a', 'kept')
      const other = await b.harness.reopen()
      expect(await other.stat(b.key('a'))).toMatchObject({ etag: written.etag, sizeBytes: 4 })
      await other.close()
    })

    test('an unread body can be destroyed', async () => {
      const b = bench()
      const { body } = randomBody(1_000_000)
      await b.driver.write(b.key('a'), body())
      const reading = await b.driver.read(b.key('a'))
      reading.body.destroy()
      expect(reading.body.destroyed).toBe(true)
    })
  })
}
