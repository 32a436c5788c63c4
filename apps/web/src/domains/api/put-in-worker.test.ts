// @vitest-environment jsdom
import { afterEach, expect, test, vi } from 'vitest'
import { ApiError } from '../../lib/api-error.ts'
import { putInWorker, type PutWorker } from './put-in-worker.ts'
import { sendBytes } from './send-bytes.ts'

const REQUEST = { method: 'PUT', url: 'https://s3.test/part', headers: {} } as const

class FakeWorker extends EventTarget implements PutWorker {
  posted: unknown[] = []
  isEnded = false
  postMessage(...message: unknown[]) {
    this.posted = message
  }
  terminate() {
    this.isEnded = true
  }
  say(data: object) {
    this.dispatchEvent(new MessageEvent('message', { data }))
  }
}

function sending() {
  const worker = new FakeWorker()
  const stop = new AbortController()
  const progress: number[] = []
  const bytes = new Uint8Array([1, 2, 3])
  const onProgress = (sentBytes: number) => void progress.push(sentBytes)
  const reply = putInWorker(REQUEST, { bytes, signal: stop.signal, onProgress, start: () => worker })
  return { worker, stop, progress, bytes, reply }
}

afterEach(() => vi.unstubAllGlobals())

test('the bytes move to a worker that ends with the reply', async () => {
  const { worker, progress, bytes, reply } = sending()
  expect(worker.posted).toEqual([{ request: REQUEST, bytes }, [bytes.buffer]])
  worker.say({ sentBytes: 2 })
  expect(worker.isEnded).toBe(false)
  worker.say({ reply: { kind: 'reply', status: 200, text: '', etag: 'tag' } })
  expect(await reply).toMatchObject({ status: 200, etag: 'tag' })
  expect(progress).toEqual([2])
  expect(worker.isEnded).toBe(true)
})

test('a cancelled request ends its worker, and a script that does not load is a network error', async () => {
  const cancelled = sending()
  cancelled.stop.abort()
  expect(await cancelled.reply).toEqual({ kind: 'cancelled' })
  expect(cancelled.worker.isEnded).toBe(true)
  const broken = sending()
  broken.worker.dispatchEvent(new Event('error'))
  expect(await broken.reply).toEqual({ kind: 'network' })
  expect(broken.worker.isEnded).toBe(true)
})

test('what the storage refuses becomes an error of the API', async () => {
  const worker = new FakeWorker()
  vi.stubGlobal('Worker', function startWorker() {
    return worker
  })
  const sent = sendBytes({
    ...REQUEST,
    url: '/relayed',
    body: new Uint8Array(3),
    signal: new AbortController().signal,
    onProgress: () => undefined,
  })
  // A worker resolves relative URLs against its own script.
  expect(worker.posted[0]).toMatchObject({ request: { url: new URL('/relayed', window.location.href).href } })
  worker.say({ reply: { kind: 'reply', status: 507, text: '<Error/>', etag: null } })
  const error = await sent.catch((reason: unknown) => reason)
  expect(error).toBeInstanceOf(ApiError)
  expect(error).toMatchObject({ status: 507 })
})
