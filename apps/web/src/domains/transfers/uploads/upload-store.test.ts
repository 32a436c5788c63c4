import { createLanes, systemClock, type Transport, Upload } from '@dropleaf/uploader'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { blobSource, type NewUpload, type UploadResult, UploadStore } from './upload-store.ts'

type Fake = Transport<Blob, UploadResult>

const batch = { id: 'b1', kind: 'mount', directory: '/m', addedAtMs: 0 } as const

function fakeTransport(replaced: Partial<Fake> = {}) {
  const calls: string[] = []
  const transport: Fake = {
    async begin() {
      calls.push('begin')
      return { id: 'id', plan: { partSizeBytes: 5, partCount: 1 }, addresses: new Map() }
    },
    async look() {
      calls.push('look')
      return { plan: { partSizeBytes: 5, partCount: 1 }, parts: [], addresses: new Map(), isCompleted: false }
    },
    async send({ onProgress }) {
      calls.push('send')
      onProgress(5)
      return 'etag'
    },
    async finish() {
      calls.push('finish')
      return { path: '/m/a.txt', slug: null }
    },
    async discard() {
      calls.push('discard')
    },
    judge: () => 'stop',
    ...replaced,
  }
  return { transport, calls }
}

const never = ({ signal }: { signal: AbortSignal }) =>
  new Promise<never>((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(new Error('aborted')))
  })

const lanes = createLanes(3)
function newUpload(transport: Fake, more: Partial<NewUpload> = {}): NewUpload {
  const file = new File(['hello'], 'a.txt', { lastModified: 1 })
  const upload = new Upload({ transport, clock: systemClock, lanes, source: blobSource(file) })
  return { batch, name: file.name, file, upload, canContinue: true, ...more }
}

const isThere = <T>(value: T | undefined): T => {
  if (value === undefined) throw new Error('It is missing.')
  return value
}

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.clearAllTimers()
  vi.useRealTimers()
})

test('an upload runs to its end, and state changes are reported immediately', async () => {
  const store = new UploadStore()
  const states: string[] = []
  store.onState(({ state }) => states.push(state))
  store.add([newUpload(fakeTransport().transport)])
  await vi.advanceTimersByTimeAsync(500)
  expect(states).toEqual(['uploading', 'completed'])
  expect(store.getAll()[0]).toMatchObject({ state: 'completed', sentBytes: 5, result: { path: '/m/a.txt' } })
  expect(store.isBusy()).toBe(false)
})

test('progress of many parts is reported a few times a second', async () => {
  const store = new UploadStore()
  let report = (_bytes: number) => {}
  const { transport } = fakeTransport({
    send: (part) => {
      report = part.onProgress
      return never(part)
    },
  })
  store.add([newUpload(transport)])
  await vi.advanceTimersByTimeAsync(500)
  let told = 0
  store.subscribe(() => {
    told += 1
  })
  for (let turn = 0; turn < 1000; turn += 1) report(turn % 6)
  await vi.advanceTimersByTimeAsync(100)
  expect(told).toBe(1)
})

test('the list stays the same object until something has changed', async () => {
  const store = new UploadStore()
  store.add([newUpload(fakeTransport().transport)])
  await vi.advanceTimersByTimeAsync(3000)
  expect(store.getAll()).toBe(store.getAll())
})

test('a lost connection is retried automatically with increasing delays, until the user has to act', async () => {
  const store = new UploadStore()
  const { transport, calls } = fakeTransport({ send: () => Promise.reject(new Error('offline')) })
  store.add([newUpload(transport, { isPassing: () => true })])
  await vi.advanceTimersByTimeAsync(200)
  expect(store.getAll()[0]).toMatchObject({ state: 'failed', retryAtMs: Date.now() - 200 + 5000 })
  await vi.advanceTimersByTimeAsync(5000)
  expect(calls.filter((name) => name === 'look')).toHaveLength(1)
  await vi.advanceTimersByTimeAsync(600_000)
  expect(calls.filter((name) => name === 'look')).toHaveLength(7)
  expect(store.getAll()[0]).toMatchObject({ state: 'failed', retryAtMs: null })
})

test('when the network returns, waiting uploads resume immediately', async () => {
  const store = new UploadStore()
  let isOffline = true
  const { transport } = fakeTransport({
    send: () => (isOffline ? Promise.reject(new Error('offline')) : Promise.resolve('etag')),
  })
  store.add([newUpload(transport, { isPassing: () => true })])
  await vi.advanceTimersByTimeAsync(200)
  isOffline = false
  store.setOffline(false)
  await vi.advanceTimersByTimeAsync(200)
  expect(store.getAll()[0]?.state).toBe('completed')
})

test('without a network an upload has no speed, and waits without a time limit', async () => {
  const store = new UploadStore()
  let isOffline = false
  const { transport } = fakeTransport({
    send: (part) => {
      if (isOffline) return Promise.reject(new Error('offline'))
      part.onProgress(1)
      setTimeout(() => part.onProgress(3), 600)
      return never(part)
    },
  })
  const [entry] = store.add([newUpload(transport, { isPassing: () => true })])
  const { key } = isThere(entry)
  await vi.advanceTimersByTimeAsync(1000)
  expect(store.get(key)).toMatchObject({ isCut: false, bytesPerSecond: 3 })
  store.setOffline(true)
  expect(store.get(key)).toMatchObject({ isCut: true, bytesPerSecond: null, remainingSeconds: null })
  store.pause([key])
  expect(store.get(key)?.isCut).toBe(false)
  isOffline = true
  store.resume([key])
  await vi.advanceTimersByTimeAsync(3_600_000)
  expect(store.get(key)).toMatchObject({ state: 'failed', isCut: true })
  store.setOffline(false)
  await vi.advanceTimersByTimeAsync(1)
  expect(store.get(key)).toMatchObject({ isCut: false })
})

test('pausing, resuming and cancelling reach the upload and the server', async () => {
  const store = new UploadStore()
  const { transport, calls } = fakeTransport({ send: never })
  const [entry] = store.add([newUpload(transport)])
  const { key } = isThere(entry)
  await vi.advanceTimersByTimeAsync(200)
  store.pause([key])
  expect(store.get(key)?.state).toBe('paused')
  store.resume([key])
  expect(store.get(key)?.state).toBe('uploading')
  store.forget([key])
  expect(store.getAll()).toHaveLength(1)
  store.cancel([key])
  await vi.advanceTimersByTimeAsync(200)
  expect(store.get(key)?.state).toBe('aborted')
  expect(calls.at(-1)).toBe('discard')
  store.forget([key])
  expect(store.getAll()).toEqual([])
})

test('a queued upload can be paused and does not start', async () => {
  const store = new UploadStore()
  const fakes = Array.from({ length: 4 }, () => fakeTransport({ send: never }))
  const entries = store.add(fakes.map(({ transport }) => newUpload(transport)))
  const last = isThere(entries.at(-1))
  expect(last.isWaiting).toBe(true)
  store.pause([last.key])
  store.cancel(entries.slice(0, 3).map(({ key }) => key))
  await vi.advanceTimersByTimeAsync(500)
  expect(store.get(last.key)).toMatchObject({ state: 'paused', isWaiting: false })
  expect(fakes.at(-1)?.calls).toEqual([])
})

test('pausing or cancelling all starts no queued uploads', async () => {
  for (const action of ['pause', 'cancel'] as const) {
    const store = new UploadStore()
    const fakes = Array.from({ length: 5 }, () => fakeTransport({ send: never }))
    const keys = store.add(fakes.map(({ transport }) => newUpload(transport))).map(({ key }) => key)
    await vi.advanceTimersByTimeAsync(200)
    store[action](keys)
    await vi.advanceTimersByTimeAsync(500)
    expect(fakes.slice(3).flatMap(({ calls }) => calls)).toEqual([])
    expect(store.isBusy()).toBe(false)
  }
})

test('without a login all uploads pause, and resume afterwards with the files in memory', async () => {
  const store = new UploadStore()
  const fakes = Array.from({ length: 5 }, () => fakeTransport({ send: never }))
  const keys = store
    .add(fakes.map(({ transport }) => newUpload(transport, { canContinue: false })))
    .map(({ key }) => key)
  await vi.advanceTimersByTimeAsync(200)
  store.pause(keys.slice(0, 1))
  await vi.advanceTimersByTimeAsync(200)
  store.rest()
  const [late] = store.add([newUpload(fakeTransport({ send: never }).transport)])
  await vi.advanceTimersByTimeAsync(500)
  expect(store.getAll().map(({ state }) => state)).toEqual(Array.from({ length: 6 }, () => 'paused'))
  expect(fakes.flatMap(({ calls }) => calls)).not.toContain('discard')
  expect(fakes[4]?.calls).toEqual([])
  expect(store.isBusy()).toBe(true)
  store.wake()
  await vi.advanceTimersByTimeAsync(500)
  expect(store.get(isThere(keys[0]))?.state).toBe('paused')
  expect(keys.slice(1, 4).map((key) => store.get(key)?.state)).toEqual([
    'uploading',
    'uploading',
    'uploading',
  ])
  expect([isThere(keys[4]), isThere(late).key].map((key) => store.get(key)?.isWaiting)).toEqual([true, true])
})

test('an upload whose owner does not return is removed from the list, and can be resumed elsewhere', async () => {
  const store = new UploadStore()
  const lasting = fakeTransport({ send: never })
  const letGo = vi.fn<() => void>()
  store.add([newUpload(lasting.transport, { letGo })])
  await vi.advanceTimersByTimeAsync(200)
  store.rest()
  expect(letGo).not.toHaveBeenCalled()
  store.leave({ isForGood: false })
  store.wake()
  await vi.advanceTimersByTimeAsync(200)
  expect(letGo).toHaveBeenCalledOnce()
  expect(lasting.calls).not.toContain('discard')
  expect([store.getAll(), store.isBusy()]).toEqual([[], false])
})

test('at the end of a session resumable uploads stay on the server, all others are cancelled', async () => {
  const store = new UploadStore()
  const lasting = fakeTransport({ send: never })
  const passing = fakeTransport({ send: never })
  store.add([newUpload(lasting.transport), newUpload(passing.transport, { canContinue: false })])
  await vi.advanceTimersByTimeAsync(200)
  store.leave({ isForGood: false })
  await vi.advanceTimersByTimeAsync(200)
  expect(lasting.calls).not.toContain('discard')
  expect(passing.calls).toContain('discard')
  expect(store.getAll()).toEqual([])
})
