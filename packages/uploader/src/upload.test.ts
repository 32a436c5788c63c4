import { describe, expect, test } from 'vitest'
import { createLanes } from './lanes.ts'
import { MULTIPART_FROM_BYTES, PARTS_AT_ONCE } from './limits.ts'
import { FakeClock, settle } from './testing/fake-clock.ts'
import {
  bytesOf,
  FakeServer,
  type FakeServerSettings,
  fingerprintOf,
  sourceOf,
} from './testing/fake-server.ts'
import { Upload } from './upload.ts'

function begin(
  settings: Partial<FakeServerSettings> = {},
  saved?: { id: string | null; sentBytes: number; fingerprint?: string },
) {
  const sizeBytes = settings.sizeBytes ?? 50
  const server = new FakeServer({ sizeBytes, partSizeBytes: 10, canLook: true, ...settings })
  const clock = new FakeClock()
  const bytes = bytesOf(sizeBytes)
  const upload = new Upload({
    transport: server.transport(),
    clock,
    lanes: createLanes(PARTS_AT_ONCE),
    source: saved ? null : sourceOf(bytes),
    ...(saved && { saved: { ...saved, sizeBytes } }),
  })
  return { server, clock, bytes, upload }
}

const namesOf = (server: FakeServer) =>
  server.open.map(({ name, partNumber }) => `${name} ${partNumber ?? ''}`.trim())
const succeed = async (server: FakeServer, count = 1) => {
  for (let turn = 0; turn < count; turn += 1) {
    server.open[0]?.succeed()
    await settle()
  }
}

test('a file goes through all stages and arrives byte by byte', async () => {
  const { server, bytes, upload } = begin({ isAutomatic: true })
  const stages: string[] = []
  upload.subscribe(() => {
    const { stage } = upload.snapshot()
    if (stage !== null && stages.at(-1) !== stage) stages.push(stage)
  })
  upload.start()
  await settle()
  expect(upload.snapshot()).toMatchObject({
    state: 'completed',
    sentBytes: 50,
    result: 'stored',
    error: null,
  })
  expect(server.file).toEqual(bytes)
  expect(stages).toEqual(['starting', 'initializing', 'uploading', 'processing', 'completing', 'completed'])
  expect(server.traffic.most).toBe(3)
})

test('when every byte is sent and the response is awaited, the upload is processing', async () => {
  const { server, upload } = begin({ sizeBytes: 8 })
  upload.start()
  await settle()
  await succeed(server)
  server.open[0]?.progress(8)
  expect(upload.snapshot().stage).toBe('processing')
})

test('an empty file is one part without bytes', async () => {
  const { server, upload } = begin({ sizeBytes: 0, isAutomatic: true })
  upload.start()
  await settle()
  expect(upload.state).toBe('completed')
  expect(server.file).toEqual(new Uint8Array())
})

test('a pause aborts the running parts, a resume sends only what has not arrived', async () => {
  const { server, bytes, upload } = begin()
  upload.start()
  await settle()
  await succeed(server, 2)
  expect(namesOf(server)).toEqual(['send 2', 'send 3', 'send 4'])
  server.open[0]?.progress(7)
  expect(upload.snapshot().sentBytes).toBe(17)
  upload.pause()
  await settle()
  expect(namesOf(server)).toEqual([])
  expect(upload.snapshot()).toMatchObject({ state: 'paused', stage: null, sentBytes: 10 })
  upload.resume()
  await settle()
  expect(namesOf(server)).toEqual(['look'])
  await succeed(server, 1)
  expect(namesOf(server)).toEqual(['send 2', 'send 3', 'send 4'])
  await succeed(server, 5)
  expect(upload.state).toBe('completed')
  expect(server.file).toEqual(bytes)
  expect(server.sentTwice).toBe(0)
})

test('only paused and failed uploads can be resumed', async () => {
  const { server, upload } = begin()
  const refusal = { code: 'upload.not_resumable', message: 'Only paused uploads can be resumed.' }
  expect(() => upload.resume()).toThrow(expect.objectContaining(refusal))
  upload.start()
  expect(() => upload.resume()).toThrow(expect.objectContaining(refusal))
  await settle()
  await succeed(server, 7)
  expect(upload.state).toBe('completed')
  expect(() => upload.resume()).toThrow(expect.objectContaining(refusal))
})

test('a part is retried three times, after one, two and three seconds', async () => {
  const { server, clock, upload } = begin({ sizeBytes: 10 })
  upload.start()
  await settle()
  await succeed(server)
  for (const waitMs of [1000, 2000, 3000]) {
    server.open[0]?.fail('again')
    await settle()
    clock.advance(waitMs - 1)
    await settle()
    expect(namesOf(server)).toEqual([])
    clock.advance(1)
    await settle()
    expect(namesOf(server)).toEqual(['send 1'])
  }
  server.open[0]?.fail('again')
  await settle()
  expect(upload.snapshot()).toMatchObject({ state: 'failed', error: { code: 'upload.parts_failed' } })
  expect(upload.snapshot().parts[0]?.state).toBe('failed')
  expect(clock.timerCount).toBe(0)
})

test('a failed upload in parts resumes from the arrived ones', async () => {
  const { server, bytes, upload } = begin()
  upload.start()
  await settle()
  await succeed(server, 3)
  server.open[0]?.fail('stop')
  await settle()
  expect(upload.snapshot()).toMatchObject({ state: 'failed', sentBytes: 20 })
  upload.resume()
  await settle()
  await succeed(server, 9)
  expect(server.file).toEqual(bytes)
  expect(server.sentTwice).toBe(0)
  expect([...server.sessions.keys()]).toEqual(['upload-1'])
})

test('a part that takes longer than five minutes is retried', async () => {
  const { server, clock, upload } = begin()
  upload.start()
  await settle()
  await succeed(server)
  clock.advance(299_999)
  await settle()
  expect(server.log.filter((line) => line === 'send 1')).toHaveLength(1)
  server.open.at(0)?.progress(5)
  clock.advance(1)
  await settle()
  clock.advance(1000)
  await settle()
  expect(server.log.filter((line) => line === 'send 1')).toHaveLength(2)
})

test('a file sent whole may take any time while its bytes move', async () => {
  const { server, clock, upload } = begin({ sizeBytes: 10, canLook: false })
  upload.start()
  await settle()
  await succeed(server)
  for (let turn = 1; turn <= 5; turn += 1) {
    clock.advance(200_000)
    server.open[0]?.progress(turn)
  }
  await settle()
  expect(server.log).toEqual(['begin', 'send 1'])
  clock.advance(300_000)
  await settle()
  clock.advance(1000)
  await settle()
  expect(server.log).toEqual(['begin', 'send 1', 'send 1'])
})

test('a part as large as a whole file may take any time while its bytes move', async () => {
  const partSizeBytes = MULTIPART_FROM_BYTES + 1
  const { server, clock, upload } = begin({ sizeBytes: partSizeBytes + 1, partSizeBytes })
  upload.start()
  await settle()
  await succeed(server)
  for (let turn = 1; turn <= 5; turn += 1) {
    clock.advance(200_000)
    server.open[0]?.progress(turn)
  }
  await settle()
  // Part 2 is small, so it has a time limit.
  clock.advance(1000)
  await settle()
  expect(server.log).toEqual(['begin', 'send 1', 'send 2', 'send 2'])
})

test('expired URLs are renewed once, and the new ones are used', async () => {
  const { server, clock, bytes, upload } = begin()
  upload.start()
  await settle()
  await succeed(server)
  for (const call of server.open.slice()) call.fail('refresh')
  await settle()
  expect(namesOf(server)).toEqual(['look'])
  await succeed(server)
  clock.advance(1000)
  await settle()
  expect(server.addressesUsed.slice(3, 6)).toEqual(['1@2', '2@2', '3@2'])
  await succeed(server, 6)
  expect(server.file).toEqual(bytes)
})

test('an expired URL of a whole file restarts the upload, and leaves nothing behind', async () => {
  const { server, clock, bytes, upload } = begin({ sizeBytes: 10, canLook: false })
  upload.start()
  await settle()
  await succeed(server)
  server.open[0]?.fail('refresh')
  await settle()
  await succeed(server, 2)
  clock.advance(1000)
  await settle()
  await succeed(server, 2)
  expect(server.file).toEqual(bytes)
  expect([...server.sessions.values()].map(({ state }) => state)).toEqual(['discarded', 'committed'])
})

test('a failure of a whole file after its id was issued aborts the upload on the server', async () => {
  const { server, bytes, upload } = begin({ sizeBytes: 10, canLook: false })
  upload.start()
  await settle()
  await succeed(server)
  server.open[0]?.fail('stop')
  await settle()
  expect(namesOf(server)).toEqual(['discard'])
  await succeed(server)
  expect(upload.snapshot()).toMatchObject({ state: 'failed', id: null })
  upload.resume()
  await settle()
  await succeed(server, 3)
  expect(server.file).toEqual(bytes)
})

test('an abort reaches the server, even if the upload id arrives late', async () => {
  const { server, upload } = begin({ abortsSlowly: true })
  upload.start()
  await settle()
  const done = upload.abort()
  await done
  await succeed(server, 2)
  expect(upload.state).toBe('aborted')
  expect(server.log).toEqual(['begin', 'discard'])
  expect([...server.sessions.values()].map(({ state }) => state)).toEqual(['discarded'])
})

test('after a reload, an upload unknown to the server starts once the file is provided', async () => {
  const { server, bytes, upload } = begin({ isAutomatic: true, canLook: false }, { id: null, sentBytes: 0 })
  expect(upload.snapshot()).toMatchObject({ state: 'paused', sentBytes: 0, hasSource: false })
  upload.provide(sourceOf(bytes))
  upload.resume()
  await settle()
  expect(server.file).toEqual(bytes)
  expect(server.log[0]).toBe('begin')
})

test('after a reload an upload resumes from the server’s state, once the file is provided', async () => {
  const { server, bytes, upload } = begin({ isAutomatic: true }, { id: 'upload-1', sentBytes: 20 })
  server.sessions.set('upload-1', {
    parts: new Map([1, 3].map((number) => [number, bytes.slice((number - 1) * 10, number * 10)])),
    state: 'open',
  })
  expect(upload.snapshot()).toMatchObject({ state: 'paused', sentBytes: 20, hasSource: false })
  expect(() => upload.resume()).toThrow(expect.objectContaining({ code: 'upload.source_missing' }))
  expect(() => upload.provide(sourceOf(bytesOf(49)))).toThrow(
    expect.objectContaining({ code: 'upload.source_changed' }),
  )
  upload.provide(sourceOf(bytes))
  upload.resume()
  await settle()
  expect(server.file).toEqual(bytes)
  expect(server.log).toEqual(['look', 'send 2', 'send 4', 'send 5', 'finish'])
})

test('an upload that the server no longer knows restarts', async () => {
  const { server, bytes, upload } = begin({ isAutomatic: true }, { id: 'long-gone', sentBytes: 20 })
  upload.provide(sourceOf(bytes))
  upload.resume()
  await settle()
  expect(server.log.slice(0, 2)).toEqual(['look', 'begin'])
  expect(server.file).toEqual(bytes)
})

test('a lost response to the last call is repaired by a repetition', async () => {
  const { server, clock, bytes, upload } = begin({ sizeBytes: 10 })
  upload.start()
  await settle()
  await succeed(server, 2)
  server.open[0]?.loseAnswer()
  await settle()
  clock.advance(1000)
  await settle()
  await succeed(server)
  expect(upload.snapshot()).toMatchObject({ state: 'completed', result: 'stored' })
  expect(server.file).toEqual(bytes)
})

test('parts that the storage has lost are sent again before it is completed', async () => {
  const { server, bytes, upload } = begin({ sizeBytes: 20 })
  upload.start()
  await settle()
  await succeed(server, 3)
  server.sessions.get('upload-1')?.parts.delete(1)
  await succeed(server, 4)
  expect(server.log).toEqual(['begin', 'send 1', 'send 2', 'finish', 'look', 'send 1', 'finish'])
  expect(server.file).toEqual(bytes)
})

test('a plan that does not cover the file is rejected', async () => {
  const { server, upload } = begin({ sizeBytes: 50 })
  const transport = server.transport()
  const wrong = new Upload({
    transport: {
      ...transport,
      begin: () =>
        Promise.resolve({ id: 'x', plan: { partSizeBytes: 10, partCount: 4 }, addresses: new Map() }),
    },
    clock: new FakeClock(),
    lanes: createLanes(3),
    source: sourceOf(bytesOf(50)),
  })
  wrong.start()
  await settle()
  expect(wrong.snapshot()).toMatchObject({ state: 'failed', error: { code: 'upload.begin_failed' } })
  expect(upload.state).toBe('idle')
})

test('speed and remaining time follow the last seconds', async () => {
  const { server, clock, upload } = begin({ sizeBytes: 10_000, partSizeBytes: 10_000 })
  upload.start()
  await settle()
  await succeed(server)
  expect(upload.snapshot().bytesPerSecond).toBeNull()
  for (let turn = 1; turn <= 4; turn += 1) {
    clock.advance(500)
    server.open[0]?.progress(turn * 500)
  }
  expect(upload.snapshot()).toMatchObject({ bytesPerSecond: 1000, remainingSeconds: 8, isStill: false })
  // When the connection stalls, the earlier speed is no longer reported.
  clock.advance(11_000)
  expect(upload.snapshot()).toMatchObject({ bytesPerSecond: null, remainingSeconds: null, isStill: true })
  server.open[0]?.progress(3000)
  expect(upload.snapshot().isStill).toBe(false)
})

describe('a file that is chosen again', () => {
  const bytes = bytesOf(50)
  /** A file of the same size in which one byte differs. */
  const changedAt = (index: number) => bytes.with(index, (bytes[index] ?? 0) ^ 1)

  /** An upload whose first part has arrived before a reload. */
  async function interrupted(isKnown: boolean) {
    const run = begin(
      {},
      { id: 'upload-1', sentBytes: 10, ...(isKnown && { fingerprint: fingerprintOf(bytes) }) },
    )
    run.server.sessions.set('upload-1', { parts: new Map([[1, bytes.slice(0, 10)]]), state: 'open' })
    return run
  }
  async function answerAll(server: FakeServer) {
    for (let turn = 0; turn < 20 && server.open.length > 0; turn += 1) await succeed(server)
  }

  test('continues the upload if it is the same', async () => {
    const { server, upload } = await interrupted(true)
    upload.provide(sourceOf(bytes))
    upload.resume()
    await settle()
    await answerAll(server)
    expect(upload.state).toBe('completed')
    expect(server.log.filter((call) => call.startsWith('send'))).toHaveLength(4)
    expect(server.file).toEqual(bytes)
  })

  test.each([0, 49])(
    'is refused before anything is sent if byte %i differs; then the right one continues',
    async (at) => {
      const { server, upload } = await interrupted(true)
      upload.provide(sourceOf(changedAt(at)))
      upload.resume()
      await settle()
      expect(upload.snapshot()).toMatchObject({
        state: 'paused',
        hasSource: false,
        error: { code: 'upload.source_changed' },
      })
      expect(server.log).toEqual([])
      upload.provide(sourceOf(bytes))
      upload.resume()
      await settle()
      await answerAll(server)
      expect(upload.snapshot()).toMatchObject({ state: 'completed', error: null })
      expect(server.file).toEqual(bytes)
    },
  )

  test('continues an upload of an older version, and is known from then on', async () => {
    const { server, upload } = await interrupted(false)
    upload.provide(sourceOf(bytes))
    upload.resume()
    await settle()
    await answerAll(server)
    expect(upload.snapshot()).toMatchObject({ state: 'completed', fingerprint: fingerprintOf(bytes) })
  })

  test('continues if its fingerprint cannot be computed', async () => {
    const { server, upload } = await interrupted(true)
    upload.provide({ ...sourceOf(bytes), fingerprint: () => Promise.reject(new Error('unreadable')) })
    upload.resume()
    await settle()
    await answerAll(server)
    expect(upload.state).toBe('completed')
  })
})

test('the fingerprint is computed once, while the parts are being sent', async () => {
  let computed = 0
  const server = new FakeServer({ sizeBytes: 50, partSizeBytes: 10, canLook: true })
  const source = sourceOf(bytesOf(50))
  const fingerprint = () => {
    computed += 1
    return source.fingerprint()
  }
  const upload = new Upload({
    transport: server.transport(),
    clock: new FakeClock(),
    lanes: createLanes(PARTS_AT_ONCE),
    source: { ...source, fingerprint },
  })
  upload.start()
  await settle()
  expect(computed).toBe(0)
  await succeed(server)
  expect(upload.snapshot().fingerprint).toBe(fingerprintOf(bytesOf(50)))
  upload.pause()
  upload.resume()
  await settle()
  await succeed(server, 2)
  expect(computed).toBe(1)
})
