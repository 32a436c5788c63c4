import { BlobReader, TextWriter, ZipReader, ZipWriter } from '@zip.js/zip.js/lib/zip-core-custom.js'
import { expect, test, vi } from 'vitest'
import { type ListMembers, type ZipMember, zipStream } from './zip-stream.ts'

type Bytes = Uint8Array<ArrayBuffer>

const CHUNK_BYTES = 64 * 1024
const modifiedAt = new Date('2024-02-29T12:34:56Z')
const textMember = (name: string, text: string): ZipMember => {
  const content = new Blob([text])
  return { name, input: content.stream(), modifiedAt, sizeBytes: content.size }
}
const read = (list: ListMembers): Promise<Blob> => new Response(zipStream(list)).blob()

/** Creates a stream that produces chunks as long as it is read. */
function endless() {
  const chunk = new Uint8Array(CHUNK_BYTES)
  const pull = vi.fn<(controller: ReadableStreamDefaultController<Bytes>) => void>((controller) =>
    controller.enqueue(chunk),
  )
  const cancel = vi.fn<(reason: unknown) => void>()
  return { input: new ReadableStream<Bytes>({ pull, cancel }), pull, cancel }
}

/** Waits until the streams have done everything that they can do without a reader. */
const settle = async () => {
  for (let n = 0; n < 50; n += 1) await new Promise((resolve) => setTimeout(resolve))
}

test('an archive has every member in order, with its name, its time and its bytes', async () => {
  const members = [
    textMember('旅行/照片 é.txt', 'first'),
    textMember('empty', ''),
    { name: 'plain.txt', input: new Blob(['unknown size']).stream(), modifiedAt },
  ]
  const archive = await read(() => members)
  const entries = await new ZipReader(new BlobReader(archive), { strictness: 'strict' }).getEntries()
  const found = await Promise.all(
    entries.map(async (entry) => {
      if (entry.directory) throw new Error('A member became a folder.')
      const { filename, compressionMethod, lastModDate } = entry
      const text = await entry.getData(new TextWriter(), { checkSignature: true })
      return { filename, compressionMethod, text, modifiedAtMs: lastModDate.getTime() }
    }),
  )
  const common = { compressionMethod: 0, modifiedAtMs: modifiedAt.getTime() }
  expect(found).toEqual([
    { filename: '旅行/照片 é.txt', text: 'first', ...common },
    { filename: 'empty', text: '', ...common },
    { filename: 'plain.txt', text: 'unknown size', ...common },
  ])
})

test('members with a known size have headers that programs without 64-bit sizes read', async () => {
  const ZIP64_VERSION = 45
  const versionAt = 4
  const known = new DataView(await (await read(() => [textMember('a', 'x')])).arrayBuffer())
  expect(known.getUint16(versionAt, true)).toBeLessThan(ZIP64_VERSION)
  const { sizeBytes, ...unknown } = textMember('a', 'x')
  expect(sizeBytes).toBe(1)
  const long = new DataView(await (await read(() => [unknown])).arrayBuffer())
  expect(long.getUint16(versionAt, true)).toBe(ZIP64_VERSION)
})

test('a member that fails fails the archive', async () => {
  const cut = new ReadableStream<Bytes>({
    pull(controller) {
      controller.enqueue(new Uint8Array(10))
      controller.error(new Error('The connection is gone.'))
    },
  })
  const after = vi.fn<() => void>()
  async function* members() {
    yield textMember('a', 'whole')
    yield { name: 'b', input: cut, modifiedAt, sizeBytes: 100 }
    after()
  }
  await expect(read(members)).rejects.toThrow('The connection is gone.')
  expect(after).not.toHaveBeenCalled()
})

test('a list that fails fails the archive', async () => {
  async function* members() {
    yield textMember('a', 'whole')
    throw new Error('The folder is gone.')
  }
  await expect(read(members)).rejects.toThrow('The folder is gone.')
})

test('a name that is used twice fails the archive, and the second input is released', async () => {
  const { input, cancel } = endless()
  const members = [textMember('a', 'x'), { name: 'a', input, modifiedAt }]
  await expect(read(() => members)).rejects.toThrow('already exists')
  expect(cancel).toHaveBeenCalledOnce()
})

test('a member is read only as fast as the archive', async () => {
  const { input, pull } = endless()
  const reader = zipStream(() => [{ name: 'a', input, modifiedAt }]).getReader()
  const aheadMax = 8 * 1024 * 1024
  let readBytes = 0
  for (let n = 0; n < 100; n += 1) {
    readBytes += (await reader.read()).value?.length ?? 0
    if (n % 50 === 0) await settle()
    expect(pull.mock.calls.length * CHUNK_BYTES - readBytes).toBeLessThan(aheadMax)
  }
  expect(readBytes).toBeGreaterThan(aheadMax)
  await settle()
  const { length } = pull.mock.calls
  await settle()
  expect(pull).toHaveBeenCalledTimes(length)
  await reader.cancel()
})

test('an archive that is not read any more cancels its member and its list', async () => {
  const { input, cancel } = endless()
  const ended = vi.fn<() => void>()
  let unread: AbortSignal | undefined
  const reader = zipStream(async function* members(signal) {
    unread = signal
    try {
      yield { name: 'a', input, modifiedAt }
    } finally {
      ended()
    }
  }).getReader()
  await reader.read()
  expect(unread?.aborted).toBe(false)
  await reader.cancel(new Error('The disk is full.'))
  expect(unread?.aborted).toBe(true)
  await vi.waitFor(() => expect(cancel).toHaveBeenCalledOnce())
  await vi.waitFor(() => expect(ended).toHaveBeenCalledOnce())
})

test('a member that arrives after the archive was cancelled is released', async () => {
  const { input, cancel } = endless()
  const { promise, resolve } = Promise.withResolvers<void>()
  const reader = zipStream(async function* members() {
    await promise
    yield { name: 'late', input, modifiedAt }
  }).getReader()
  await reader.cancel()
  resolve()
  await vi.waitFor(() => expect(cancel).toHaveBeenCalledOnce())
})

test('the library still has the list of promises that is emptied', () => {
  expect(new ZipWriter(new WritableStream())).toHaveProperty('pendingErrors', [])
})
