import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import type { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { expect, test, vi } from 'vitest'
import { parseStorageKey } from '../keys.ts'
import type { S3Context } from './client.ts'
import { PartCutter } from './part-cutter.ts'
import type { PartsPlan } from './part-plan.ts'
import { sendParts } from './uploads.ts'

const upload = { key: parseStorageKey('a'), uploadId: 'id' }
const gathered: PartsPlan = { kind: 'parts', partSizeBytes: 10, partsAtOnce: 3, isGathered: true }
const streamed: PartsPlan = { ...gathered, partsAtOnce: 1, isGathered: false }

/** Simulates a storage that stores parts slowly, and counts concurrent requests. */
function fakeStorage(onPart: (partNumber: number) => Promise<void> = () => nextTurn(), attempts = 1) {
  const parts = new Map<number, string>()
  const memories = new Set<ArrayBufferLike>()
  let underWay = 0
  let mostUnderWay = 0
  const uploadPart = async (input: { PartNumber: number; Body: Buffer | Readable }) => {
    underWay += 1
    mostUnderWay = Math.max(mostUnderWay, underWay)
    await onPart(input.PartNumber)
    if (Buffer.isBuffer(input.Body)) memories.add(input.Body.buffer)
    const bytes = Buffer.isBuffer(input.Body) ? input.Body : await buffer(input.Body)
    parts.set(input.PartNumber, bytes.toString())
    underWay -= 1
    return { ETag: `"${input.PartNumber}"`, $metadata: { attempts } }
  }
  const ctx = { bucket: 'b', s3: { uploadPart } } as unknown as S3Context
  return { ctx, parts, memories, mostUnderWay: () => mostUnderWay }
}

async function* chunksOf(text: string, chunkLength: number, onChunk?: () => void) {
  for (let index = 0; index < text.length; index += chunkLength) {
    onChunk?.()
    yield await Promise.resolve(Buffer.from(text.slice(index, index + chunkLength)))
  }
}

const TEXT = Array.from({ length: 95 }, (_, index) => String.fromCodePoint(32 + index)).join('')

test.each([
  ['gathered', gathered, 3],
  ['gathered', gathered, 10],
  ['gathered', gathered, 37],
  ['streamed', streamed, 3],
  ['streamed', streamed, 37],
])(
  '%s parts contain the body in order, from chunks of another size (%#)',
  async (_name, plan, chunkLength) => {
    const storage = fakeStorage()
    const cutter = new PartCutter(chunksOf(TEXT, chunkLength))
    const parts = await sendParts(
      storage.ctx,
      upload,
      { cutter, plan, first: null },
      { sizeBytes: TEXT.length },
    )
    expect(parts.map(({ partNumber }) => partNumber)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10])
    expect(parts.map(({ partNumber }) => storage.parts.get(partNumber)).join('')).toBe(TEXT)
    expect(storage.mostUnderWay()).toBe(plan.partsAtOnce)
  },
)

test('parts reuse a little memory, except that of a failed attempt that may still be sending', async () => {
  for (const attempts of [1, 2]) {
    const storage = fakeStorage(undefined, attempts)
    const cutter = new PartCutter(chunksOf(TEXT, 7))
    await sendParts(storage.ctx, upload, { cutter, plan: gathered, first: null }, {})
    expect(
      [...storage.parts]
        .toSorted(([a], [b]) => a - b)
        .map(([, part]) => part)
        .join(''),
    ).toBe(TEXT)
    if (attempts > 1) expect(storage.memories.size).toBe(10)
    else expect(storage.memories.size).toBeLessThanOrEqual(gathered.partsAtOnce + 1)
  }
})

test('a body is not read further than the running parts and one more', async () => {
  let takenBytes = 0
  const storage = fakeStorage(() => sleep(60_000, undefined, { ref: false }))
  const chunks = chunksOf('x'.repeat(1000), 5, () => {
    takenBytes += 5
  })
  void sendParts(storage.ctx, upload, { cutter: new PartCutter(chunks), plan: gathered, first: null }, {})
  await vi.waitFor(() => expect(storage.mostUnderWay()).toBe(3))
  // Gives code that reads ahead without a limit enough turns to exceed the limit below.
  for (let turn = 0; turn < 100; turn += 1) await nextTurn()
  expect(takenBytes).toBeLessThanOrEqual(40)
})

test('a failed part ends the upload, even if the body stalls', async () => {
  const failure = Object.assign(new Error('No.'), { name: 'SlowDown', $metadata: { httpStatusCode: 503 } })
  const storage = fakeStorage((partNumber) => (partNumber === 2 ? Promise.reject(failure) : sleep(1)))
  const endless = (async function* () {
    yield Buffer.alloc(25)
    await sleep(60_000, undefined, { ref: false })
  })()
  const source = { cutter: new PartCutter(endless), plan: gathered, first: null }
  await expect(sendParts(storage.ctx, upload, source, {})).rejects.toMatchObject({
    code: 'storage.unavailable',
    cause: failure,
  })
})
