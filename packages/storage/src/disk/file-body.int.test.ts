import { hash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, open, rm, truncate, writeFile } from 'node:fs/promises'
import { createServer, get, OutgoingMessage, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { FileBody } from './file-body.ts'

const bytes = randomBytes(8 * 1024 * 1024 + 7)
const whole = { firstByte: 0, lastByte: bytes.length - 1 }
let folder = ''
let path = ''

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'dropleaf-body-'))
  path = join(folder, 'a.bin')
  await writeFile(path, bytes)
})

afterAll(() => rm(folder, { recursive: true, force: true }))

const openBody = async (span = whole) => new FileBody(await open(path), span)

/** Sends a body to a client that can inspect the response while it arrives. */
async function send<T>(body: FileBody, use: (answer: IncomingMessage) => Promise<T>): Promise<T> {
  const server = createServer((_request, response) => {
    response.on('close', () => body.destroy())
    body.pipe(response)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  try {
    const call = get({ port: (server.address() as AddressInfo).port, host: '127.0.0.1', agent: false })
    call.on('error', () => undefined)
    const [answer] = (await once(call, 'response')) as [IncomingMessage]
    return await use(answer)
  } finally {
    server.close()
  }
}

test('a slow connection gets the right bytes, whole or in part [disk]', async () => {
  const slowly = async (answer: IncomingMessage) => {
    const chunks: Buffer[] = []
    for await (const chunk of answer as AsyncIterable<Buffer>) {
      chunks.push(chunk)
      if (chunks.length % 16 === 0) await sleep(1)
    }
    return Buffer.concat(chunks)
  }
  expect(hash('sha256', await send(await openBody(), slowly))).toBe(hash('sha256', bytes))
  const span = { firstByte: 700_000, lastByte: 2_345_678 }
  const part = await send(await openBody(span), slowly)
  expect(part.equals(bytes.subarray(span.firstByte, span.lastByte + 1))).toBe(true)
})

test('a connection that is cut off closes the file [disk]', async () => {
  const handle = await open(path)
  const body = new FileBody(handle, whole)
  const closed = once(body, 'close')
  await send(body, async (answer) => {
    await once(answer, 'data')
    answer.destroy()
  })
  await closed
  expect(handle.fd).toBe(-1)
})

test('a failed connection closes the file, and is not an error of the body [disk]', async () => {
  const handle = await open(path)
  const body = new FileBody(handle, whole)
  const closed = once(body, 'close')
  const message = new OutgoingMessage()
  message.write = (_piece: unknown, told: unknown) => {
    ;(told as (error: Error) => void)(new Error('write ECONNRESET'))
    return false
  }
  body.pipe(message)
  await closed
  expect(handle.fd).toBe(-1)
})

test('other streams, which may pass chunks on, get separate memory [disk]', async () => {
  const between = new PassThrough({ highWaterMark: bytes.length })
  const body = await openBody()
  body.pipe(between)
  await once(body, 'end')
  expect((await buffer(between)).equals(bytes)).toBe(true)
  expect((await buffer(await openBody())).equals(bytes)).toBe(true)
})

test('a file that became shorter ends at its new end [disk]', async () => {
  const shorter = join(folder, 'shorter.bin')
  await writeFile(shorter, bytes)
  const body = new FileBody(await open(shorter), whole)
  await truncate(shorter, 3_000_000)
  const got = await send(body, (answer) => buffer(answer))
  expect(got.equals(bytes.subarray(0, 3_000_000))).toBe(true)
})
