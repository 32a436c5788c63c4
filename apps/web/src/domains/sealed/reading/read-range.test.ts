import { expect, test } from 'vitest'
import type { Addresses } from './addresses.ts'
import { createRangeReaders } from './read-range.ts'

const OBJECT = Uint8Array.from({ length: 100 }, (_, index) => index)
const never = new AbortController().signal
const range = { firstByte: 10, endByte: 13, signal: never }

type Answer = (url: string, first: number, last: number) => Response | 'cut'

const part = (first: number, last: number) =>
  new Response(OBJECT.slice(first, last + 1), {
    status: 206,
    headers: { 'Content-Range': `bytes ${first}-${last}/100` },
  })

/**
 * Creates a storage and a server. A storage URL contains a version, which rises with each request for a fresh URL.
 */
function world(answer: Answer) {
  const asked: string[] = []
  const waits: number[] = []
  let version = 1
  const addresses: Addresses = {
    find: async (_n, { isFresh = false } = {}) => {
      if (isFresh) version += 1
      return { url: `s3/${version}`, relayUrl: 'relay', expiresAtMs: Infinity }
    },
  }
  const send = (async (url: string, { headers }: { headers: Record<string, string> }) => {
    asked.push(url)
    const [, first = '', last = ''] = /^bytes=(\d+)-(\d+)$/.exec(headers['Range'] ?? '') ?? []
    const response = answer(url, Number(first), Number(last))
    if (response === 'cut') throw new TypeError('Failed to fetch')
    return response
  }) as unknown as typeof fetch
  const read = createRangeReaders({ addresses, send, wait: async (ms) => void waits.push(ms) })(0)
  return { asked, waits, read }
}

test('a range comes from the storage, which tells the size of the object', async () => {
  const { asked, read } = world((_url, first, last) => part(first, last))
  const { bytes, objectBytes } = await read(range)
  expect([...bytes]).toEqual([10, 11, 12])
  expect(objectBytes).toBe(100)
  expect(asked).toEqual(['s3/1'])
})

test('an ended address is renewed once', async () => {
  const { asked, read } = world((url, first, last) =>
    url === 's3/1' ? new Response('', { status: 403 }) : part(first, last),
  )
  expect([...(await read(range)).bytes]).toEqual([10, 11, 12])
  expect(asked).toEqual(['s3/1', 's3/2'])
  const refused = world(() => new Response('', { status: 403 }))
  await expect(refused.read(range)).rejects.toThrow('403')
  expect(refused.asked).toEqual(['s3/1', 's3/2'])
})

test('a storage that scripts cannot reach is read through the server at once, and from then on', async () => {
  const { asked, waits, read } = world((url, first, last) => (url === 'relay' ? part(first, last) : 'cut'))
  await read(range)
  await read(range)
  expect(asked).toEqual(['s3/1', 'relay', 'relay'])
  expect(waits).toEqual([])
})

test('a connection that breaks later is tried again before the server has to relay', async () => {
  let count = 0
  const { asked, waits, read } = world((_url, first, last) => {
    count += 1
    return count === 2 || count === 3 ? 'cut' : part(first, last)
  })
  await read(range)
  await read(range)
  expect(asked).toEqual(['s3/1', 's3/1', 's3/1', 's3/1'])
  expect(waits).toEqual([1000, 2000])
})

test('a lasting failure ends, and an aborted read is not repeated', async () => {
  const { asked, read } = world(() => 'cut')
  await expect(read(range)).rejects.toThrow('Failed to fetch')
  expect(asked).toHaveLength(5)
  const left = world(() => 'cut')
  await expect(left.read({ ...range, signal: AbortSignal.abort() })).rejects.toThrow()
  expect(left.asked).toHaveLength(1)
})

test('a storage without ranges is cut here, and an object that ends early is told as such', async () => {
  const whole = world(() => new Response(OBJECT))
  expect([...(await whole.read(range)).bytes]).toEqual([10, 11, 12])
  const short = world(() => new Response('', { status: 416, headers: { 'Content-Range': 'bytes */5' } }))
  expect(await short.read(range)).toEqual({ bytes: new Uint8Array(), objectBytes: 5 })
})

test('a refusal tells the reason of the server, and a storage that answers in XML has none', async () => {
  const body = JSON.stringify({ code: 404, error: { code: 'storage.object_missing' } })
  const server = world(() => new Response(body, { status: 404 }))
  await expect(server.read(range)).rejects.toMatchObject({ status: 404, code: 'storage.object_missing' })
  const storage = world(() => new Response('<Error><Code>NoSuchKey</Code></Error>', { status: 404 }))
  await expect(storage.read(range)).rejects.toMatchObject({ status: 404, code: null })
})
