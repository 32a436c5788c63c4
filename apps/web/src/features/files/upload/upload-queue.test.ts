import { createLanes, systemClock } from '@dropleaf/uploader'
import { expect, test, vi } from 'vitest'
import { ApiError } from '../../../lib/api-error.ts'
import { UploadStore } from '../../../domains/transfers/uploads/upload-store.ts'
import type { UploadOptions } from './upload-item.ts'
import { createUploadQueue } from './upload-queue.ts'
import type { UploadTransport } from './upload-transport.ts'

const options: UploadOptions = {
  configId: 'disk',
  folder: '',
  remark: '',
  slug: '',
  password: '',
  expiresInHours: 0,
  maxViews: 0,
  opening: 'direct',
  pin: '',
}

const textFile = (name: string, text = 'hello') => new File([text], name, { lastModified: 1 })

/** A transport that records its calls; parts of it are replaced per test. */
function fakeTransport(replaced: Partial<UploadTransport> = {}) {
  const calls: string[] = []
  const transport: UploadTransport = {
    async reserve({ file, slug }) {
      calls.push(`reserve ${file.name} ${slug}`.trim())
      return {
        fileId: `id-${file.name}`,
        uploadUrl: '/put',
        slug,
        contentType: 'text/plain',
        providerType: 'Local disk',
      }
    },
    async send({ file, reservation, onProgress }) {
      onProgress(file.size / 2)
      calls.push(`send ${reservation.fileId}`)
      return 'etag'
    },
    async commit({ file, reservation, etag }) {
      calls.push(`commit ${file.name} ${etag}`)
      return reservation.slug || 'random'
    },
    async discard(fileId) {
      calls.push(`discard ${fileId}`)
    },
    ...replaced,
  }
  return { transport, calls }
}

const newQueue = ({ transport }: { transport: UploadTransport }) =>
  createUploadQueue({
    store: new UploadStore(),
    lanes: createLanes(3),
    clock: systemClock,
    transport,
    judge: () => 'stop',
  })

const untilAborted = (signal: AbortSignal) =>
  new Promise<never>((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(new Error('aborted')))
  })

test('a file goes from pending over uploading to success', async () => {
  const { transport, calls } = fakeTransport()
  const queue = newQueue({ transport })
  const seen: string[] = []
  queue.subscribe(() =>
    seen.push(
      queue
        .getItems()
        .map((item) => `${item.status} ${item.sentBytes}`)
        .join(),
    ),
  )
  queue.add([textFile('a.txt')])
  const result = await queue.start({ ...options, slug: 'mine' })
  expect(result).toEqual({ succeeded: 1, failed: 0 })
  expect(calls).toEqual(['reserve a.txt mine', 'send id-a.txt', 'commit a.txt etag'])
  expect([seen[0], seen.at(-1)]).toEqual(['pending 0', 'success 5'])
  expect(seen.some((line) => line.startsWith('uploading'))).toBe(true)
  expect(queue.getItems()[0]?.slug).toBe('mine')
})

test('the same file is listed once, also when it is added again later', () => {
  const queue = newQueue(fakeTransport())
  expect(queue.add([textFile('a.txt'), textFile('a.txt'), textFile('b.txt')])).toBe(2)
  expect(queue.add([textFile('a.txt')])).toBe(0)
  expect(queue.add([textFile('a.txt', 'longer text')])).toBe(1)
})

test('several files get numbered suffixes, and keep their number when tried again', async () => {
  let isTaken = true
  const slugs: string[] = []
  const { transport } = fakeTransport()
  const queue = newQueue({
    transport: {
      ...transport,
      reserve(input) {
        slugs.push(input.slug)
        if (isTaken && input.slug === 'trip-2') {
          return Promise.reject(
            new ApiError({ kind: 'http', code: 'file.slug_taken', message: '', status: 409 }),
          )
        }
        return transport.reserve(input)
      },
    },
  })
  queue.add([textFile('a'), textFile('b'), textFile('c')])
  expect(await queue.start({ ...options, slug: 'trip' })).toEqual({ succeeded: 2, failed: 1 })
  expect(queue.getItems().map(({ status }) => status)).toEqual(['success', 'error', 'success'])
  isTaken = false
  await queue.start({ ...options, slug: 'trip' })
  expect(slugs).toEqual(['trip-1', 'trip-2', 'trip-3', 'trip-2'])
})

test('at most three files are under way at once', async () => {
  let current = 0
  let highest = 0
  const areThree = Promise.withResolvers<void>()
  const { transport } = fakeTransport({
    async send() {
      current += 1
      highest = Math.max(highest, current)
      if (current === 3) areThree.resolve()
      await areThree.promise
      current -= 1
      return null
    },
  })
  const queue = newQueue({ transport })
  queue.add(['a', 'b', 'c', 'd', 'e', 'f', 'g'].map((name) => textFile(name)))
  expect(await queue.start(options)).toEqual({ succeeded: 7, failed: 0 })
  expect(highest).toBe(3)
})

test('a failure after the reservation gives it up and says why in the row', async () => {
  const failure = new ApiError({ kind: 'network', code: 'client.network', message: 'broken' })
  const { transport, calls } = fakeTransport({ send: () => Promise.reject(failure) })
  const queue = newQueue({ transport })
  queue.add([textFile('a.txt')])
  await queue.start(options)
  expect(queue.getItems()[0]).toMatchObject({
    status: 'error',
    error: { code: 'upload.parts_failed', cause: failure },
  })
  expect(calls).toEqual(['reserve a.txt', 'discard id-a.txt'])
})

test('a failure before the reservation has nothing to give up', async () => {
  const failure = new ApiError({ kind: 'http', code: 'file.storage_full', message: 'full', status: 400 })
  const { transport, calls } = fakeTransport({ reserve: () => Promise.reject(failure) })
  const queue = newQueue({ transport })
  queue.add([textFile('a.txt')])
  await queue.start(options)
  expect(calls).toEqual([])
})

test('cancelling one file leaves the others alone', async () => {
  const { transport, calls } = fakeTransport({
    send: ({ reservation, signal }) =>
      reservation.fileId === 'id-slow' ? untilAborted(signal) : Promise.resolve(null),
  })
  const queue = newQueue({ transport })
  queue.add([textFile('slow'), textFile('fast')])
  const done = queue.start(options)
  await expect.poll(() => calls).toContain('commit fast null')
  queue.cancel(queue.getItems()[0]?.id ?? '')
  expect(await done).toEqual({ succeeded: 1, failed: 1 })
  expect(queue.getItems()[0]?.error).toMatchObject({ code: 'client.cancelled' })
  expect(calls).toContain('discard id-slow')
  expect(queue.isBusy()).toBe(false)
})

test('cancelling everything also stops what has not begun', async () => {
  const send = vi.fn<UploadTransport['send']>(({ signal }) => untilAborted(signal))
  const { transport, calls } = fakeTransport({ send })
  const queue = newQueue({ transport })
  queue.add(['a', 'b', 'c', 'd'].map((name) => textFile(name)))
  const done = queue.start(options)
  await expect.poll(() => send.mock.calls.length).toBe(3)
  queue.cancelAll()
  expect(await done).toEqual({ succeeded: 0, failed: 4 })
  expect(calls).not.toContain('reserve d')
})

test('a row under way cannot be taken off the list', async () => {
  const { transport } = fakeTransport({ send: ({ signal }) => untilAborted(signal) })
  const queue = newQueue({ transport })
  queue.add([textFile('a'), textFile('b')])
  const first = queue.getItems()[0]?.id ?? ''
  const done = queue.start(options, first)
  queue.clear()
  expect(queue.getItems().map(({ id }) => id)).toEqual([first])
  queue.cancelAll()
  await done
  queue.remove(first)
  expect(queue.getItems()).toEqual([])
})

test('a file that is tried again right after it was cancelled asks for its suffix when that is free', async () => {
  const held = new Set<string>()
  const answers: Array<() => void> = []
  const soon = () => new Promise<void>((resolve) => void answers.push(resolve))
  const { transport } = fakeTransport()
  const queue = newQueue({
    transport: {
      ...transport,
      async reserve(input) {
        const isTaken = held.has(input.slug)
        held.add(input.slug)
        await soon()
        if (isTaken) throw new ApiError({ kind: 'http', code: 'file.slug_taken', message: '', status: 409 })
        return transport.reserve(input)
      },
      async discard() {
        await soon()
        held.clear()
      },
    },
  })
  const answer = async () => {
    await expect.poll(() => answers.length).toBeGreaterThan(0)
    answers.shift()?.()
  }
  queue.add([textFile('a')])
  const first = queue.start({ ...options, slug: 'mine' })
  await expect.poll(() => held.size).toBe(1)
  queue.cancel('upload-1')
  expect(await first).toEqual({ succeeded: 0, failed: 1 })
  const second = queue.start({ ...options, slug: 'mine' })
  for (const _call of ['reserve', 'discard', 'reserve again']) await answer()
  expect(await second).toEqual({ succeeded: 1, failed: 0 })
})
