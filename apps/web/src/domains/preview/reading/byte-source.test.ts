import { afterEach, expect, test, vi } from 'vitest'
import { openStream, readAll, readEnd, readRange } from './byte-source.ts'
import type { PreviewSource } from '../preview-source.ts'

const BYTES = Uint8Array.from({ length: 10 }, (_, index) => index)
const source: PreviewSource = {
  name: 'a',
  sizeBytes: 10,
  url: '/',
  textUrl: '/bytes',
  headers: { Authorization: 'x' },
}
afterEach(() => vi.unstubAllGlobals())

/** @param knowsRanges whether the server supports range requests */
function serve(knowsRanges: boolean, status = 200) {
  const asked: (string | undefined)[] = []
  vi.stubGlobal('fetch', (_url: string, { headers }: { headers: Record<string, string> }) => {
    asked.push(headers['Range'])
    expect(headers['Authorization']).toBe('x')
    const [, first, last] = /bytes=(\d+)-(\d+)/.exec(headers['Range'] ?? '') ?? []
    const isPart = knowsRanges && first !== undefined
    const body = isPart ? BYTES.subarray(Number(first), Number(last) + 1) : BYTES
    // Sends the body in chunks of one byte, as a network might.
    const stream = new ReadableStream({
      start(controller) {
        for (const byte of body) controller.enqueue(new Uint8Array([byte]))
        controller.close()
      },
    })
    return Promise.resolve(new Response(stream, { status: isPart ? 206 : status }))
  })
  return asked
}

test.each([true, false])(
  'a part is the same with and without range support of the server (%s)',
  async (knows) => {
    serve(knows)
    expect([...(await readRange(source, { firstByte: 3, lastByte: 5 }))]).toEqual([3, 4, 5])
    expect([...(await readRange(source, { firstByte: 8, lastByte: 99 }))]).toEqual([8, 9])
    expect([...(await readEnd(source, 4, {}))]).toEqual([6, 7, 8, 9])
    expect((await readRange(source, { firstByte: 3, lastByte: 4 })).buffer.byteLength).toBe(2)
  },
)

test('the whole file is read without a range, up to the allowed size', async () => {
  const asked = serve(true)
  expect([...(await readAll(source, { maxBytes: 10 }))]).toEqual([...BYTES])
  expect(asked).toEqual([undefined])
  await expect(readAll(source, { maxBytes: 9 })).rejects.toThrow('too_large')
  expect(asked).toHaveLength(1)
  await expect(readAll({ ...source, sizeBytes: 1 }, { maxBytes: 9 })).rejects.toThrow('too_large')
})

test('a refusal and a lost connection are distinguished from a damaged file', async () => {
  serve(false, 410)
  await expect(readAll(source, { maxBytes: 99 })).rejects.toMatchObject({ name: 'ApiError', status: 410 })
  vi.stubGlobal('fetch', () => Promise.reject(new TypeError('failed')))
  await expect(readAll(source, { maxBytes: 99 })).rejects.toMatchObject({ code: 'client.network' })
  const left = AbortSignal.abort()
  await expect(readAll(source, { maxBytes: 99, signal: left })).rejects.toMatchObject({
    code: 'client.cancelled',
  })
})

test('a connection that is lost during the download is not an error of the file', async () => {
  vi.stubGlobal('fetch', () => {
    const stream = new ReadableStream<Uint8Array>({
      pull: (controller) => controller.error(new TypeError('network error')),
      start: (controller) => controller.enqueue(BYTES),
    })
    return Promise.resolve(new Response(stream))
  })
  const broken = { name: 'ApiError', code: 'client.network' }
  await expect(readAll(source, { maxBytes: 99 })).rejects.toMatchObject(broken)
  await expect(readRange(source, { firstByte: 0, lastByte: 99 })).rejects.toMatchObject(broken)
  const stream = await openStream(source, new AbortController().signal)
  await expect(new Response(stream).arrayBuffer()).rejects.toMatchObject(broken)
})
