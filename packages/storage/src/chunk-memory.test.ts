import { createServer, get, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { PassThrough, Readable } from 'node:stream'
import { expect, test } from 'vitest'
import { free, handOver, releaseOf } from './chunk-memory.ts'
import { PartCutter } from './s3/part-cutter.ts'
import { readBody } from './s3/read-body.ts'

const isFreed = ({ buffer }: Buffer) => buffer instanceof ArrayBuffer && buffer.detached
const chunk = (text: string) => Buffer.from(new TextEncoder().encode(text).buffer)

test('a chunk with its own memory is freed; a view of shared memory is not', () => {
  const own = chunk('own')
  free(own)
  expect([isFreed(own), own.length]).toEqual([true, 0])
  const shared = chunk('shared by two')
  free(shared.subarray(2))
  expect(shared.toString()).toBe('shared by two')
})

test('only a handed-over body releases its chunks', async () => {
  for (const isHandedOver of [false, true]) {
    const chunks = [chunk('first'), chunk('second')]
    const body = Readable.from(chunks)
    if (isHandedOver) handOver(body)
    const cutter = new PartCutter(body as AsyncIterable<Buffer>, releaseOf(body))
    expect((await cutter.take(100)).toString()).toBe('firstsecond')
    expect(chunks.map(isFreed)).toEqual([isHandedOver, isHandedOver])
  }
})

test('chunks sent to a client are freed; chunks given to another stream stay', async () => {
  const source = new PassThrough()
  const chunks = Array.from({ length: 20 }, (_, index) => chunk(`${index} `.repeat(1000)))
  const whole = Buffer.concat(chunks).toString()
  const watch = { what: 'read', timeoutMs: 60_000, signal: undefined }
  const server = createServer((_request, response) => readBody(source, watch).pipe(response)).listen(0)
  const answered = new Promise<IncomingMessage>((resolve) =>
    get({ port: (server.address() as AddressInfo).port }, resolve),
  )
  for (const one of chunks) source.write(one)
  source.end()
  expect(Buffer.concat(await (await answered).toArray()).toString()).toBe(whole)
  server.close()
  expect(chunks.every(isFreed)).toBe(true)

  const others = [chunk('kept'), chunk('as well')]
  const kept: Buffer[] = []
  for await (const one of readBody(Readable.from(others), watch).pipe(new PassThrough()))
    kept.push(one as Buffer)
  expect(Buffer.concat(kept).toString()).toBe('keptas well')
  expect(others.some(isFreed)).toBe(false)
})
