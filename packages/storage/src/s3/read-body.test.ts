import { once } from 'node:events'
import { PassThrough } from 'node:stream'
import { expect, onTestFinished, test, vi } from 'vitest'
import { readBody } from './read-body.ts'

const watch = { what: 'read "a"', timeoutMs: 30, signal: undefined }

test('a storage that stalls while a reader waits is unavailable', async () => {
  const source = new PassThrough()
  source.write('begin')
  const body = readBody(source, watch)
  await expect(body.toArray()).rejects.toMatchObject({ code: 'storage.unavailable' })
  expect(source.destroyed).toBe(true)
})

test('a reader may pause for longer', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const source = new PassThrough()
  const body = readBody(source, watch)
  const chunks = body[Symbol.asyncIterator]()
  source.write(Buffer.alloc(100_000))
  await chunks.next()
  // Sends more than the body reads ahead.
  source.write(Buffer.alloc(400_000))
  await vi.advanceTimersByTimeAsync(60_000)
  expect(body.destroyed).toBe(false)
  source.end()
  let sizeBytes = 0
  for (let next = await chunks.next(); !next.done; next = await chunks.next()) {
    sizeBytes += (next.value as Buffer).length
  }
  expect(sizeBytes).toBe(400_000)
})

test('a connection that breaks is unavailable', async () => {
  const source = new PassThrough()
  const body = readBody(source, watch)
  setImmediate(() => source.destroy(Object.assign(new Error('aborted'), { code: 'ECONNRESET' })))
  await expect(body.toArray()).rejects.toMatchObject({ name: 'StorageError', code: 'storage.unavailable' })
  const closed = new PassThrough()
  setImmediate(() => closed.destroy())
  await expect(readBody(closed, watch).toArray()).rejects.toMatchObject({ code: 'storage.unavailable' })
})

test('the signal ends the body with its reason, and destroying it closes the source', async () => {
  const abort = new AbortController()
  const reason = new Error('cancelled')
  const body = readBody(new PassThrough(), { ...watch, timeoutMs: 60_000, signal: abort.signal })
  setImmediate(() => abort.abort(reason))
  await expect(body.toArray()).rejects.toBe(reason)
  const source = new PassThrough()
  readBody(source, watch).destroy()
  await once(source, 'close')
})
