import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { promisify } from 'node:util'
import { expect, test, vi } from 'vitest'
import { parseStorageKey } from '../keys.ts'
import { createS3Driver } from './driver.ts'

const MIB = 1024 * 1024
const KEY = parseStorageKey('large.bin')

interface Told {
  etag?: string
  /** Whether to send the whole object, even if a range is requested. */
  isWhole?: boolean
  /** Whether to close the connection instead of responding. */
  breaks?: boolean
}

/** Creates a bucket with one object. @param tell decides the response to each request; requests are counted from 0 */
async function openBucket(content: Buffer, tell: (at: number) => Told = () => ({})) {
  const asked: Array<string | undefined> = []
  const server = createServer((request, response) => {
    const { etag = '"one"', isWhole = false, breaks = false } = tell(asked.length)
    const { range } = request.headers
    asked.push(range)
    if (breaks) {
      request.socket.destroy()
      return
    }
    const [, first = '0', last = ''] = /^bytes=(\d+)-(\d*)$/.exec(range ?? '') ?? []
    const end = Math.min(last === '' ? Infinity : Number(last) + 1, content.length)
    const isRange = range !== undefined && !isWhole
    const bytes = isRange ? content.subarray(Number(first), end) : content
    response.writeHead(isRange ? (bytes.length > 0 ? 206 : 416) : 200, {
      etag,
      'content-length': bytes.length,
      'last-modified': 'Mon, 23 Nov 2026 10:00:00 GMT',
      ...(isRange && { 'content-range': `bytes ${first}-${end - 1}/${content.length}` }),
    })
    response.end(bytes)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const driver = await createS3Driver({
    endpointUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    accessKeyId: 'id',
    secretAccessKey: 'secret',
    provider: 'Other',
    bucket: 'bucket',
    region: 'us-east-1',
    pathStyle: true,
    customHost: null,
  })
  return {
    driver,
    asked,
    connections: promisify(server.getConnections.bind(server)),
    async [Symbol.asyncDispose]() {
      await driver.close()
      server.closeAllConnections()
      server.close()
    },
  }
}

const isSame = async (body: Readable, content: Buffer) => (await buffer(body)).equals(content)

const large = randomBytes(20 * MIB)
const TWO = ['bytes=0-262143', `bytes=262144-${large.length - 1}`]

test('a large object starts with a short request, and the rest follows', async () => {
  await using bucket = await openBucket(large)
  const { body, stat, range } = await bucket.driver.read(KEY, { sizeBytes: large.length })
  expect(stat).toMatchObject({ sizeBytes: large.length, etag: 'one' })
  expect(range).toBeNull()
  expect(await isSame(body, large)).toBe(true)
  expect(bucket.asked).toEqual(TWO)
})

test('so does a long range, to its end or the object’s', async () => {
  await using bucket = await openBucket(large)
  for (const lastByte of [17 * MIB, Number.MAX_SAFE_INTEGER]) {
    const { body, stat, range } = await bucket.driver.read(KEY, { range: { firstByte: 5, lastByte } })
    const end = Math.min(lastByte, large.length - 1)
    expect(stat.sizeBytes).toBe(large.length)
    expect(range).toEqual({ firstByte: 5, lastByte: end })
    expect(await isSame(body, large.subarray(5, end + 1))).toBe(true)
  }
  expect(bucket.asked).toHaveLength(4)
})

test('one request reads short objects, and those of unknown size', async () => {
  await using bucket = await openBucket(large)
  const range = { firstByte: 10, lastByte: MIB }
  const part = await bucket.driver.read(KEY, { range, sizeBytes: large.length })
  expect(await isSame(part.body, large.subarray(10, MIB + 1))).toBe(true)
  expect(await isSame((await bucket.driver.read(KEY)).body, large)).toBe(true)
  expect(bucket.asked).toEqual([`bytes=10-${MIB}`, undefined])
})

test.each([0, 1, 262_144, 262_145])('an object of %d bytes that was announced as large', async (bytes) => {
  const content = large.subarray(0, bytes)
  await using bucket = await openBucket(content)
  const { body, stat, range } = await bucket.driver.read(KEY, { sizeBytes: large.length })
  expect([stat.sizeBytes, range]).toEqual([bytes, null])
  expect(await isSame(body, content)).toBe(true)
})

test('a storage without ranges returns the whole object', async () => {
  await using bucket = await openBucket(large, () => ({ isWhole: true }))
  const { body } = await bucket.driver.read(KEY, { sizeBytes: large.length })
  expect(await isSame(body, large)).toBe(true)
})

test('bytes of two versions are never mixed', async () => {
  await using bucket = await openBucket(large, (at) => ({ etag: at === 0 ? '"one"' : '"two"' }))
  const { body } = await bucket.driver.read(KEY, { sizeBytes: large.length })
  await expect(buffer(body)).rejects.toMatchObject({ code: 'storage.changed' })
})

test('an interrupted rest is requested again', async () => {
  await using bucket = await openBucket(large, (at) => ({ breaks: at === 1 }))
  const { body } = await bucket.driver.read(KEY, { sizeBytes: large.length })
  expect(await isSame(body, large)).toBe(true)
  expect(bucket.asked).toEqual([...TWO, TWO[1]])
})

test('a reader that stops, or gives up, leaves no connection behind', async () => {
  await using bucket = await openBucket(large)
  const first = await bucket.driver.read(KEY, { sizeBytes: large.length })
  first.body.destroy()
  const giving = new AbortController()
  const second = await bucket.driver.read(KEY, { sizeBytes: large.length, signal: giving.signal })
  const read = buffer(second.body)
  giving.abort(new Error('Enough.'))
  await expect(read).rejects.toThrow('Enough.')
  await vi.waitFor(async () => expect(await bucket.connections()).toBe(0))
})
