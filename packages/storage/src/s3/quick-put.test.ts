import { once } from 'node:events'
import { Agent as HttpAgent, createServer, type RequestListener } from 'node:http'
import { Agent as HttpsAgent, createServer as createTlsServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, expect, test } from 'vitest'
import { parseStorageKey } from '../keys.ts'
import { CERTIFICATE, PRIVATE_KEY } from '../testing/certificate.ts'
import { createQuickPuts, type QuickPuts } from './quick-put.ts'
import { createSigner, type Signer } from './signer.ts'

const MIB = 1024 ** 2
const key = parseStorageKey('a b+c.bin')
const part = { partNumber: 2, uploadId: 'a+b/c=d~e&f%g' }

const open: Array<{ close: () => unknown }> = []
afterEach(() => {
  for (const one of open.splice(0)) one.close()
})

interface Storage {
  readonly puts: QuickPuts
  readonly signer: Signer
}

/** Over TLS a storage is spoken to by Node's HTTP client. */
async function storage(
  listener: RequestListener,
  { timeoutMs = 5000, isTls = false } = {},
): Promise<Storage> {
  const server = isTls
    ? createTlsServer({ cert: CERTIFICATE, key: PRIVATE_KEY }, listener)
    : createServer(listener)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const signer = createSigner(
    {
      provider: 'Other',
      endpointUrl: `${isTls ? 'https' : 'http'}://127.0.0.1:${port}/pre`,
      bucket: 'b',
      region: 'us-east-1',
      accessKeyId: 'id',
      secretAccessKey: 'secret',
      pathStyle: true,
      customHost: null,
    },
    { region: 'us-east-1', nowMs: Date.now },
  )
  const agents = { httpAgent: new HttpAgent(), httpsAgent: new HttpsAgent({ ca: CERTIFICATE }) }
  const puts = createQuickPuts(signer, { timeoutMs, agents })
  open.push(puts, server, { close: () => server.closeAllConnections() })
  return { puts, signer }
}

const answerTo: (status: number) => RequestListener = (status) => (request, answer) => {
  request.resume().on('end', () => answer.writeHead(status, { etag: '"e"', 'content-length': 0 }).end())
}

test('a part is asked for by its number and its upload, with a signed query', async () => {
  const urls: string[] = []
  const { puts } = await storage((request, answer) => {
    urls.push(request.url ?? '')
    answerTo(200)(request, answer)
  })
  expect(await puts.put({ key, part, bytes: Buffer.from('x') })).toEqual({ etag: '"e"', isRefused: false })
  expect(urls).toEqual(['/pre/b/a%20b%2Bc.bin?partNumber=2&uploadId=a%2Bb%2Fc%3Dd~e%26f%25g'])
})

test.each([
  [400, true],
  [403, true],
  [501, false],
  [503, false],
  [408, false],
  [409, false],
  [429, false],
  [307, false],
])('after %i it is %s that the storage says no to how it was asked', async (status, isRefused) => {
  const { puts } = await storage(answerTo(status))
  expect(await puts.put({ key, bytes: Buffer.from('x') })).toEqual({ etag: null, isRefused })
})

test('what is refused three times in turn, and done by the SDK, is left to it', async () => {
  let status = 403
  const { puts, signer } = await storage((request, answer) => answerTo(status)(request, answer))
  const link = () => signer.signLink({ method: 'GET', key, query: {}, nowMs: 0, expiresInSeconds: 60 })
  const wrong = async () => {
    expect((await puts.put({ key, bytes: Buffer.from('x') })).isRefused).toBe(true)
    puts.noteWrong()
  }
  for (const _turn of [1, 2]) await wrong()
  status = 200
  await puts.put({ key, bytes: Buffer.from('x') })
  status = 403
  for (const _turn of [1, 2]) await wrong()
  expect(link()).not.toBeNull()
  await wrong()
  expect(link()).toBeNull()
  expect(await puts.put({ key, bytes: Buffer.from('x') })).toEqual({ etag: null, isRefused: false })
})

/** 36 MiB take three times as long as a silence may last; what the system holds back at a time comes through within half of that. */
const BYTES_PER_MS = 12_000

test('over TLS a storage that takes a body slowly is not given up', { timeout: 20_000 }, async () => {
  const takeSlowly: RequestListener = (request, answer) => {
    const read = async () => {
      let bytes = 0
      for await (const chunk of request as AsyncIterable<Buffer>) {
        bytes += chunk.length
        await sleep(chunk.length / BYTES_PER_MS)
      }
      answer.writeHead(200, { etag: `"${bytes}"`, 'content-length': 0 }).end()
    }
    void read()
  }
  const { puts } = await storage(takeSlowly, { timeoutMs: 1000, isTls: true })
  expect(await puts.put({ key, part, bytes: Buffer.alloc(36 * MIB) })).toEqual({
    etag: `"${36 * MIB}"`,
    isRefused: false,
  })
})

test('over TLS who answers before all was sent has refused it, and the rest is not sent', async () => {
  const ended: Array<Promise<unknown>> = []
  const refuse: RequestListener = (request, answer) => {
    ended.push(once(request.socket, 'close'))
    answer.writeHead(503, { 'content-length': 0 }).end()
  }
  const { puts } = await storage(refuse, { isTls: true })
  expect(await puts.put({ key, part, bytes: Buffer.alloc(32 * MIB) })).toEqual({
    etag: null,
    isRefused: false,
  })
  await Promise.all(ended)
})
