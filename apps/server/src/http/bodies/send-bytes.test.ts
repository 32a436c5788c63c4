import { Readable } from 'node:stream'
import Fastify from 'fastify'
import { expect, test } from 'vitest'
import { type BytesToSend, sendBytes } from './send-bytes.ts'

const seen = {
  sizeBytes: 4,
  etag: '0',
  modifiedAtMs: 0,
  contentType: 'text/plain',
  contentDisposition: 'inline',
  cacheControl: 'no-cache',
}

/** Simulates a file that is replaced each time before it is opened. Each version is longer than the previous one. */
function replacedFile(): BytesToSend & { opened: number } {
  const file = {
    ...seen,
    opened: 0,
    open: (range: { firstByte: number; lastByte: number } | undefined) => {
      file.opened += 1
      const text = String(file.opened).repeat(4 + file.opened)
      const stat = { ...seen, key: 'a' as never, etag: String(file.opened), sizeBytes: text.length }
      const part = range ? text.slice(range.firstByte, range.lastByte + 1) : text
      return Promise.resolve({ body: Readable.from([Buffer.from(part)]), stat, range: range ?? null })
    },
  }
  return file
}

async function ask(file: BytesToSend, headers: Record<string, string> = {}) {
  await using app = Fastify()
  app.get('/', (request, reply) => sendBytes(request, reply, file))
  return await app.inject({ url: '/', headers })
}

test('a file that is replaced during its opening is sent in the opened version', async () => {
  const file = replacedFile()
  const answer = await ask(file)
  expect([answer.statusCode, answer.body, answer.headers.etag]).toEqual([200, '11111', '"1"'])
  expect([answer.headers['content-length'], file.opened]).toEqual(['5', 1])
})

test('a range is sent if both versions contain it', async () => {
  const answer = await ask(replacedFile(), { range: 'bytes=1-2' })
  expect([answer.statusCode, answer.body]).toEqual([206, '11'])
  expect(answer.headers['content-range']).toBe('bytes 1-2/5')
})

test('the size of a growing file is checked a few times, and then the request fails', async () => {
  const file = replacedFile()
  const answer = await ask(file, { range: 'bytes=-1' })
  expect([answer.statusCode, file.opened]).toEqual([500, 5])
})

test('a client that has the new version gets 304', async () => {
  const answer = await ask(replacedFile(), { 'if-none-match': '"1"' })
  expect([answer.statusCode, answer.body]).toEqual([304, ''])
})
