import { expect, test } from 'vitest'
import { createLanes } from './lanes.ts'
import { UploadQueue } from './queue.ts'
import { FakeClock, settle } from './testing/fake-clock.ts'
import { bytesOf, FakeServer, sourceOf } from './testing/fake-server.ts'
import { Upload } from './upload.ts'

function make(count: number) {
  const lanes = createLanes(3)
  const servers = Array.from(
    { length: count },
    () => new FakeServer({ sizeBytes: 40, partSizeBytes: 10, canLook: true }),
  )
  const clock = new FakeClock()
  const source = sourceOf(bytesOf(40))
  const uploads = servers.map((server) => new Upload({ transport: server.transport(), clock, lanes, source }))
  const openSends = () => servers.flatMap(({ open }) => open.filter(({ name }) => name === 'send'))
  const answerAll = async () => {
    for (const call of servers.flatMap(({ open }) => open)) call.succeed()
    await settle()
  }
  return { uploads, openSends, answerAll }
}

test('three files run at once, and three requests with bytes over all of them', async () => {
  const { uploads, openSends, answerAll } = make(7)
  const queue = new UploadQueue()
  for (const upload of uploads) queue.enqueue(upload)
  let most = 0
  for (let turn = 0; turn < 200 && !uploads.every(({ state }) => state === 'completed'); turn += 1) {
    await settle()
    expect(uploads.filter(({ state }) => state === 'uploading').length).toBeLessThanOrEqual(3)
    most = Math.max(most, openSends().length)
    await answerAll()
  }
  expect(uploads.map(({ state }) => state)).toEqual(uploads.map(() => 'completed'))
  expect(most).toBe(3)
})

test('a paused upload frees its lane, and queues when it is resumed', async () => {
  const { uploads } = make(4)
  const queue = new UploadQueue()
  for (const upload of uploads) queue.enqueue(upload)
  expect(uploads.map(({ state }) => state)).toEqual(['uploading', 'uploading', 'uploading', 'idle'])
  uploads[0]?.pause()
  expect(uploads.map(({ state }) => state)).toEqual(['paused', 'uploading', 'uploading', 'uploading'])
  queue.enqueue(uploads[0]!)
  expect(queue.isWaiting(uploads[0]!)).toBe(true)
  await uploads[1]?.abort()
  expect(uploads[0]?.state).toBe('uploading')
  expect(queue.isWaiting(uploads[0]!)).toBe(false)
})

test('an upload without a source takes no lane, whether it starts at once or after it has waited', async () => {
  const { uploads } = make(5)
  const queue = new UploadQueue({ limit: 1 })
  const server = new FakeServer({ sizeBytes: 40, partSizeBytes: 10, canLook: true })
  const saved = { id: 'a', sizeBytes: 40, sentBytes: 0 }
  const withoutSource = () =>
    new Upload({
      transport: server.transport(),
      clock: new FakeClock(),
      lanes: createLanes(3),
      saved,
      source: null,
    })
  expect(() => queue.enqueue(withoutSource())).toThrow('The file has to be chosen again.')
  queue.enqueue(uploads[0]!)
  expect(uploads[0]?.state).toBe('uploading')
  const waiting = withoutSource()
  const { state } = waiting
  queue.enqueue(waiting)
  queue.enqueue(uploads[1]!)
  uploads[0]?.pause()
  expect([waiting.state, uploads[1]?.state]).toEqual([state, 'uploading'])
  expect(queue.isWaiting(waiting)).toBe(false)
})

test('an upload aborted while it waited does not start', async () => {
  const { uploads } = make(4)
  const queue = new UploadQueue()
  for (const upload of uploads) queue.enqueue(upload)
  queue.withdraw(uploads[3]!)
  uploads[0]?.pause()
  expect(uploads[3]?.state).toBe('idle')
  expect(() => queue.enqueue(uploads[1]!)).toThrow('Only paused uploads can be resumed.')
})
