import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, inject, onTestFinished, test, vi } from 'vitest'
import { mapBounded } from '../concurrency.ts'
import { randomBody, sha256, stuckBody, textBody } from '../conformance/fixture.ts'
import { compareKeys, parseFolderKey, parseStorageKey } from '../keys.ts'
import { PART_MIN_BYTES } from '../parts.ts'
import { removeAll } from '../remove-all.ts'
import type { S3DriverOptions } from './client.ts'
import type { S3Driver } from './driver.ts'
import { copyObject } from './copying.ts'
import { at, openClient } from './client.ts'
import { PART_LEAST_BYTES } from './part-plan.ts'
import { temporaryBucket } from './testing/temporary-bucket.ts'

const MIB = 1024 ** 2
const HOUR = { expiresInSeconds: 3600 }

describe.skipIf(inject('s3Gateway') === null)('S3 beyond the conformance [s3]', () => {
  let bucket: Awaited<ReturnType<typeof temporaryBucket>>
  let driver: S3Driver
  beforeAll(async () => {
    bucket = await temporaryBucket()
    driver = bucket.driver
  })
  afterAll(() => bucket.remove())
  const newKey = (name = 'a') => parseStorageKey(`${randomUUID()}/${name}`)
  const uploadsOf = async (prefix: string) =>
    (await bucket.s3.listMultipartUploads({ Bucket: bucket.bucket, Prefix: prefix })).Uploads ?? []

  test.each(["a b+c&d=e?f#g%!'()*.txt", '照片/🍃.png', '%2e%2e%2f'])(
    'an object and a part under %j',
    async (name) => {
      const key = newKey(name)
      const o = { contentType: 'text/plain', ifAbsent: true }
      await driver.write(key, Buffer.from('its bytes'), o)
      await expect(driver.write(key, Buffer.from('others'), o)).rejects.toMatchObject({
        code: 'storage.exists',
      })
      const { body, stat } = await driver.read(key, { range: { firstByte: 4, lastByte: 6 } })
      expect(await text(body)).toBe('byt')
      expect(stat).toMatchObject({ key, sizeBytes: 9, contentType: 'text/plain' })
      const multipart = driver.multipart ?? expect.fail('It takes no parts.')
      const upload = await multipart.create(key)
      const part = await multipart.uploadPart(upload, 1, textBody('a part'))
      expect((await multipart.listParts(upload)).parts).toEqual([part])
      await multipart.abort(upload)
    },
  )

  describe('signed links', () => {
    test.each(['plain.txt', 'a b+c&d=e?f#g%.txt', '照片/🍃.png'])('PUT, then GET, of %j', async (name) => {
      const key = newKey(name)
      const put = await fetch(await driver.links.put(key, HOUR), { method: 'PUT', body: 'text of it' })
      expect(put.status).toBe(200)
      expect(put.headers.get('etag')?.replaceAll('"', '')).toBe((await driver.stat(key))?.etag)
      const got = await fetch(await driver.links.get(key, HOUR))
      expect(await got.text()).toBe('text of it')
    })

    test('only the host is signed: a client may send other headers', async () => {
      const key = newKey()
      const url = await driver.links.put(key, { ...HOUR, contentType: 'text/plain' })
      expect(new URL(url).searchParams.get('X-Amz-SignedHeaders')).toBe('host')
      expect(new URL(url).search).not.toContain('hecksum')
      const headers = { 'content-type': 'image/x-mine', 'cache-control': 'no-store', 'x-mine': 'yes' }
      expect((await fetch(url, { method: 'PUT', body: 'x', headers })).status).toBe(200)
      expect(await driver.stat(key)).toMatchObject({ contentType: 'image/x-mine' })
      const range = await fetch(await driver.links.get(key, HOUR), { headers: { range: 'bytes=0-0' } })
      expect(range.status).toBe(206)
    })

    test('GET answers with the type and disposition of the link', async () => {
      const key = newKey()
      await driver.write(key, textBody('x'), { contentType: 'text/plain' })
      const contentDisposition = `attachment; filename="${encodeURIComponent('文件 1.txt')}"`
      const url = await driver.links.get(key, { ...HOUR, contentType: 'text/x-other', contentDisposition })
      const { headers } = await fetch(url)
      expect(headers.get('content-type')).toBe('text/x-other')
      expect(headers.get('content-disposition')).toBe(contentDisposition)
    })

    test('Aliyun OSS: the disposition only', async () => {
      const oss = await bucket.open({ provider: 'Aliyun OSS' })
      const url = new URL(
        await oss.links.get(newKey(), { ...HOUR, contentType: 'a/b', contentDisposition: 'inline' }),
      )
      expect(url.searchParams.get('response-content-disposition')).toBe('inline')
      expect(url.searchParams.has('response-content-type')).toBe(false)
      await oss.close()
    })

    test('parts by links, completed by the driver', async () => {
      const key = newKey('照片 1')
      const upload = await driver.multipart?.create(key, { contentType: 'image/png' })
      if (!upload) throw new Error('No upload.')
      const pieces = [randomBody(PART_MIN_BYTES).bytes, Buffer.from('end')]
      const parts = await mapBounded([...pieces.entries()], 2, async ([index, body]) => {
        const url = await driver.links.part(upload, index + 1, HOUR)
        expect(new URL(url).searchParams.get('X-Amz-SignedHeaders')).toBe('host')
        const { headers } = await fetch(url, { method: 'PUT', body: new Uint8Array(body) })
        return { partNumber: index + 1, etag: (headers.get('etag') ?? '').replaceAll('"', '') }
      })
      expect(await driver.multipart?.complete(upload, parts)).toMatchObject({
        sizeBytes: PART_MIN_BYTES + 3,
        contentType: 'image/png',
      })
    })

    test('another method, another key, another signature, another time: rejected', async () => {
      const key = newKey()
      await driver.write(key, textBody('x'))
      const get = await driver.links.get(key, HOUR)
      const put = await driver.links.put(key, HOUR)
      const late = await bucket.open({ clock: { nowMs: () => Date.now() - 7_200_000 } })
      const other = await bucket.open({ secretAccessKey: 'wrong' })
      const upload = await driver.multipart?.create(key)
      const part = await driver.links.part(upload ?? { key, uploadId: '' }, 1, HOUR)
      const refused: [string, RequestInit?][] = [
        [get, { method: 'PUT', body: 'y' }],
        [get, { method: 'DELETE' }],
        [put],
        [put, { method: 'DELETE' }],
        [get.replace('/a?', '/b?')],
        [put.replace('/a?', '/b?'), { method: 'PUT', body: 'y' }],
        [part.replace('partNumber=1', 'partNumber=2'), { method: 'PUT', body: 'y' }],
        [await late.links.get(key, HOUR)],
        [await late.links.put(key, HOUR), { method: 'PUT', body: 'y' }],
        [await other.links.get(key, HOUR)],
      ]
      for (const [url, request] of refused) expect((await fetch(url, request)).status).toBe(403)
      expect(await text((await driver.read(key)).body)).toBe('x')
      await Promise.all([late.close(), other.close()])
    })
  })

  describe('large bodies', () => {
    /** Creates a stream of zeros in chunks whose size matches no part size. */
    const zeros = (sizeBytes: number) => {
      const chunk = Buffer.alloc(100_003)
      let leftBytes = sizeBytes
      return new Readable({
        read() {
          this.push(leftBytes > 0 ? chunk.subarray(0, Math.min(leftBytes, chunk.length)) : null)
          leftBytes -= chunk.length
        },
      })
    }

    test('200 MB of unknown size, then of known size, with flat memory', async () => {
      const key = newKey()
      const sizeBytes = 200_000_000
      await driver.write(key, zeros(20_000_000))
      const measure = async (work: () => Promise<unknown>) => {
        const before = process.memoryUsage.rss()
        let rssMax = 0
        const look = () => {
          rssMax = Math.max(rssMax, process.memoryUsage.rss())
        }
        const timer = setInterval(look, 10)
        await work()
        clearInterval(timer)
        look()
        return Math.round((rssMax - before) / MIB)
      }
      const unknown = await measure(() => driver.write(key, zeros(sizeBytes), { maxBytes: 10_000_000_000 }))
      const known = await measure(() => driver.write(key, zeros(sizeBytes), { sizeBytes }))
      const read = await measure(async () => {
        let readBytes = 0
        const { body } = await driver.read(key)
        for await (const chunk of body as AsyncIterable<Buffer>) readBytes += chunk.length
        expect(readBytes).toBe(sizeBytes)
      })
      console.log(`200 MB: +${unknown} MiB of memory with unknown size, +${known} with known, +${read} read`)
      expect(Math.max(unknown, known, read)).toBeLessThan(120)
      expect((await driver.stat(key))?.etag).toMatch(/-\d+$/)
    })

    test.each([
      ['one byte less than a part', PART_LEAST_BYTES - 1, false],
      ['exactly a part', PART_LEAST_BYTES, false],
      ['one byte more', PART_LEAST_BYTES + 1, true],
      ['seven parts', 7 * PART_LEAST_BYTES - 3, true],
    ])('of unknown size: %s', async (_name, sizeBytes, isInParts) => {
      const key = newKey()
      const { bytes, body } = randomBody(sizeBytes)
      const written = await driver.write(key, body(), { contentType: 'video/mp4', maxBytes: 1e9 })
      expect(written.etag.includes('-')).toBe(isInParts)
      const read = await driver.read(key)
      expect(read.stat).toMatchObject({ sizeBytes, etag: written.etag, contentType: 'video/mp4' })
      expect(sha256(Buffer.concat(await read.body.toArray()))).toBe(sha256(bytes))
    })

    test.each([
      ['a limit', { maxBytes: 12_000_000 }, 'storage.too_large'],
      ['a size that is too small', { sizeBytes: 70_000_000 }, 'storage.too_large'],
      ['a size that is too large', { sizeBytes: 90_000_000 }, 'storage.incomplete'],
    ])('%s detected in the middle leaves neither object nor parts', async (_name, limits, code) => {
      const key = newKey()
      const call = driver.write(key, zeros(80_000_000), limits)
      await expect(call).rejects.toMatchObject({ code })
      expect(await driver.stat(key)).toBeNull()
      expect(await uploadsOf(key)).toEqual([])
    })

    test('an abort in the middle of the parts leaves nothing', async () => {
      const key = newKey()
      const abort = new AbortController()
      const reason = new Error('cancelled')
      const body = Readable.from(
        (async function* () {
          for (let index = 0; index < 30; index += 1) yield Buffer.alloc(MIB)
          setImmediate(() => abort.abort(reason))
          yield* stuckBody()
        })(),
      )
      await expect(driver.write(key, body, { signal: abort.signal })).rejects.toBe(reason)
      expect(body.destroyed).toBe(true)
      expect(await uploadsOf(key)).toEqual([])
    })

    test('a body of exact size that fails at its end is not written', async () => {
      const key = newKey()
      const failure = new Error('The checksum is wrong.')
      let hasCome = false
      // A body that yields all its bytes and then fails instead of ending.
      const body = new Readable({
        highWaterMark: 1,
        read() {
          if (hasCome) this.destroy(failure)
          else this.push(Buffer.alloc(2 * MIB))
          hasCome = true
        },
      })
      await expect(driver.write(key, body, { sizeBytes: 2 * MIB })).rejects.toBe(failure)
      expect(await driver.stat(key)).toBeNull()
    })

    test('a copy in parts, as above 5 GiB', async () => {
      const [from, to] = [newKey('源 + %'), newKey('b')]
      const { bytes } = randomBody(12_000_000)
      const { virtualHostUrl: _, ...gateway } = inject('s3Gateway') ?? { virtualHostUrl: null }
      const { close, ...ctx } = await openClient({ ...optionsFor(bucket.bucket), ...gateway })
      const stored = { ContentType: 'video/mp4', ContentEncoding: 'gzip' }
      await ctx.s3.putObject({ ...at(ctx, from), Body: bytes, ...stored })
      const copied = await copyObject(ctx, from, to, { copyMaxBytes: PART_MIN_BYTES })
      close()
      const facts = { key: to, sizeBytes: 12_000_000, contentType: 'video/mp4', contentEncoding: 'gzip' }
      expect(copied).toMatchObject(facts)
      expect(await driver.stat(to)).toMatchObject({ ...facts, etag: copied.etag })
      expect(sha256(Buffer.concat(await (await driver.read(to)).body.toArray()))).toBe(sha256(bytes))
    })
  })

  test('a pausing reader, and a stopping one, affect nobody', async () => {
    const key = newKey()
    const { bytes, body } = randomBody(20_000_000)
    await driver.write(key, body())
    for (let turn = 0; turn < 300; turn += 1) (await driver.read(key)).body.destroy()
    const { body: resting } = await driver.read(key)
    for (let turn = 0; turn < 20; turn += 1) await (await driver.read(key)).body.resume().toArray()
    expect(sha256(Buffer.concat(await resting.toArray()))).toBe(sha256(bytes))
    const abort = new AbortController()
    const { body: stopped } = await driver.read(key, { signal: abort.signal })
    const reason = new Error('cancelled')
    abort.abort(reason)
    await expect(stopped.toArray()).rejects.toBe(reason)
  })

  test('a listing equals a direct one, with any names of other programs', async () => {
    const prefix = `${randomUUID()}/`
    const names = Array.from({ length: 1100 }, (_, index) => `dir ${index % 3}/文件 +%${index}.txt`)
    const foreign = ['/slash', 'a//b', '../up', 'line\nfeed', '\u0001', '.dropleaf-x']
    const put = (name: string) =>
      bucket.s3.putObject({ Bucket: bucket.bucket, Key: prefix + name, Body: 'x' })
    await mapBounded([...names, ...foreign, 'marked/'], 32, put)
    const walked: string[] = []
    let token: string | undefined
    do {
      const page = await bucket.s3.listObjectsV2({
        Bucket: bucket.bucket,
        Prefix: prefix,
        EncodingType: 'url',
        ...(token !== undefined && { ContinuationToken: token }),
      })
      walked.push(
        ...(page.Contents ?? []).map(({ Key = '' }) => decodeURIComponent(Key.replaceAll('+', ' '))),
      )
      token = page.NextContinuationToken
    } while (token !== undefined)
    const listed: string[] = []
    const unnamed: string[] = []
    let cursor: string | undefined
    do {
      const page = await driver.list({ prefix, limit: 1000, cursor })
      listed.push(...page.objects.map(({ key }) => key))
      unnamed.push(...page.unnamed)
      cursor = page.nextCursor ?? undefined
    } while (cursor !== undefined)
    const isForeign = (key: string) => foreign.includes(key.slice(prefix.length))
    expect(walked).toHaveLength(1100 + foreign.length + 1)
    expect(listed).toEqual(walked.filter((key) => !isForeign(key)).toSorted(compareKeys))
    const told = foreign.filter((name) => name !== '.dropleaf-x')
    expect(unnamed.toSorted()).toEqual(told.map((name) => prefix + name).toSorted())
    const level = await driver.list({ prefix, delimiter: '/', limit: 1000 })
    expect(level.unnamed.map((name) => name.slice(prefix.length)).toSorted()).toEqual(
      ['../', '/', 'line\nfeed', '\u0001'].toSorted(),
    )
    expect(level.folders.map(({ key }) => key.slice(prefix.length))).toEqual([
      'a/',
      'dir 0/',
      'dir 1/',
      'dir 2/',
      'marked/',
    ])
    expect(level.objects).toEqual([])
  })

  test('keys that need XML escapes are removed', async () => {
    const names = [' a ', 'b&amp;<c>"\'', 'd\u2028e', 'f%2Bg+', '\u{1f343}']
    const keys = names.map((name) => newKey(name))
    for (const key of keys) await driver.write(key, textBody('x'))
    expect(await driver.remove(keys)).toEqual({ removed: keys.length, failed: [] })
    for (const key of keys) expect(await driver.stat(key)).toBeNull()
  })

  test('a folder marker has the type of a folder', async () => {
    const key = parseFolderKey(`${randomUUID()}/`)
    await driver.write(key, textBody(''))
    expect(await driver.stat(key)).toMatchObject({ sizeBytes: 0, contentType: 'application/x-directory' })
  })

  test('the sweep aborts inactive uploads, and no others', async () => {
    await using own = await temporaryBucket()
    const key = parseStorageKey('照片 + 1')
    const upload = await own.driver.multipart?.create(key)
    if (!upload) throw new Error('No upload.')
    await own.driver.multipart?.uploadPart(upload, 1, textBody('abc'))
    await own.driver.multipart?.create(parseStorageKey('empty'))
    expect(await own.driver.sweepTemporary({ olderThanMs: 60_000 })).toEqual({ files: 0, sizeBytes: 0 })
    expect(await own.driver.sweepTemporary({ olderThanMs: 0, uploadsOlderThanMs: 60_000 })).toMatchObject({
      files: 0,
    })
    // Advances the clock, because the storage reports times in full seconds.
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 2000 })
    onTestFinished(() => void vi.useRealTimers())
    expect(await own.driver.sweepTemporary({ olderThanMs: 1 })).toEqual({ files: 2, sizeBytes: 3 })
    expect(await own.driver.sweepTemporary({ olderThanMs: 1 })).toEqual({ files: 0, sizeBytes: 0 })
  })

  describe('failures', () => {
    /** Returns one function for each call of a driver. */
    const callsOf = (it: S3Driver) => [
      () => it.stat(parseStorageKey('a')),
      () => it.read(parseStorageKey('a')),
      () => it.list({ prefix: '', limit: 10 }),
      () => it.write(parseStorageKey('b'), textBody('x')),
      () => it.write(parseStorageKey('b'), randomBody(6_000_000).body(), { maxBytes: 1e9 }),
      () => it.write(parseStorageKey('b'), randomBody(20_000_000).body(), { sizeBytes: 20_000_000 }),
      () => it.copy(parseStorageKey('a'), parseStorageKey('b')),
      // Uses `removeAll`, because `remove` returns a result for each key instead of throwing.
      () => removeAll(it, [parseStorageKey('a')]),
      () => it.multipart?.create(parseStorageKey('a')),
      () => it.sweepTemporary({ olderThanMs: 0 }),
      () => it.probe(),
    ]

    test.each<[string, Partial<S3DriverOptions>, string]>([
      ['no such bucket', { bucket: 'dropleaf-no-such-bucket' }, 'storage.bucket_missing'],
      ['a wrong secret', { secretAccessKey: 'wrong' }, 'storage.denied'],
      ['an unknown key', { accessKeyId: 'unknown' }, 'storage.denied'],
    ])('%s', async (_name, changes, code) => {
      const it = await bucket.open(changes)
      for (const call of callsOf(it))
        await expect(call()).rejects.toMatchObject({ name: 'StorageError', code })
      await it.close()
    })

    test('an invalid cursor', async () => {
      const call = driver.list({ prefix: '', limit: 10, cursor: 'nothing of the kind' })
      await call.then(
        ({ nextCursor }) => expect(nextCursor).toBeNull(),
        (error: unknown) => expect(error).toMatchObject({ code: 'storage.invalid_key' }),
      )
    })

    test('nobody at the endpoint: every call fails', async () => {
      const it = await bucket.open({ endpointUrl: `http://127.0.0.1:${await closedPort()}` })
      const calls = callsOf(it).map((call) =>
        expect(call()).rejects.toMatchObject({ name: 'StorageError', code: 'storage.unavailable' }),
      )
      await Promise.all(calls)
      await it.close()
    })

    test('a pause before a retry ends with the signal', async () => {
      const abort = new AbortController()
      const reason = new Error('cancelled')
      let attempts = 0
      const server = createServer((socket) => {
        attempts += 1
        socket.destroy()
        abort.abort(reason)
      })
      server.listen(0, '127.0.0.1')
      await once(server, 'listening')
      const { port } = server.address() as AddressInfo
      const it = await bucket.open({ endpointUrl: `http://127.0.0.1:${port}` })
      await expect(it.stat(parseStorageKey('a'), { signal: abort.signal })).rejects.toBe(reason)
      expect(attempts).toBe(1)
      await it.close()
      server.close()
    })

    test('an unknown host name, and a server without TLS', async () => {
      const { host } = new URL(inject('s3Gateway')?.endpointUrl ?? '')
      for (const endpointUrl of ['http://no-such-host.invalid', `https://${host}`]) {
        const it = await bucket.open({ endpointUrl })
        await expect(it.stat(parseStorageKey('a'))).rejects.toMatchObject({ code: 'storage.unavailable' })
        await it.close()
      }
    })
  })
})

function optionsFor(bucket: string): S3DriverOptions {
  return {
    provider: 'Other',
    endpointUrl: 'http://127.0.0.1',
    bucket,
    region: '',
    accessKeyId: 'key',
    secretAccessKey: 'secret',
    pathStyle: true,
    customHost: null,
  }
}

function closedPort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer().once('error', reject)
    probe.listen(0, '127.0.0.1', () => {
      const { port } = probe.address() as { port: number }
      probe.close(() => resolve(port))
    })
  })
}
