// @vitest-environment jsdom
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { mountTransport } from './mount-transports.ts'

interface Sent {
  readonly method: string
  readonly url: string
  readonly headers: Record<string, string>
}

const sent: Sent[] = []
/** Returns the response to a PUT. `null` simulates a connection error. */
let answers: (url: string) => { status: number; text?: string } | null = () => ({ status: 200 })
let replies: Record<string, { status: number; body: object }> = {}

class FakeRequest extends EventTarget {
  readonly upload = new EventTarget()
  status = 0
  responseText = ''
  #sent: Sent = { method: '', url: '', headers: {} }

  open(method: string, url: string) {
    this.#sent = { method, url, headers: {} }
  }

  setRequestHeader(name: string, value: string) {
    this.#sent.headers[name] = value
  }
  getResponseHeader = () => '"tag"'

  send() {
    sent.push(this.#sent)
    const answer = answers(this.#sent.url)
    this.status = answer?.status ?? 0
    this.responseText = answer?.text ?? ''
    queueMicrotask(() => {
      this.dispatchEvent(new Event(answer ? 'load' : 'error'))
      this.dispatchEvent(new Event('loadend'))
    })
  }
}

beforeEach(() => {
  sent.length = 0
  vi.stubGlobal('XMLHttpRequest', FakeRequest)
  vi.stubGlobal('fetch', (address: string) => {
    const { status, body } = replies[new URL(address, 'http://x').pathname] ?? { status: 500, body: {} }
    return Promise.resolve(
      Response.json({ code: status, message: '', success: status < 300, ...body }, { status }),
    )
  })
})
afterEach(() => {
  vi.unstubAllGlobals()
})

const target = { directory: '/m', name: 'a.bin', sizeBytes: 10 }
const signal = new AbortController().signal
const part = (partNumber: number, address: string | null) => ({
  id: 'u1',
  partNumber,
  address,
  body: new Blob(['x']),
  sizeBytes: 1,
  signal,
  onProgress: () => undefined,
})

test('parts are sent to the storage, or through the server if the browser never reached the storage', async () => {
  const storage = 'https://s3.test/part'
  const transport = mountTransport('multipart', target)
  answers = (url) =>
    url.startsWith(storage)
      ? null
      : { status: 200, text: '{"code":200,"success":true,"data":{"etag":"relayed"}}' }
  await expect(transport.send(part(1, storage))).rejects.toMatchObject({ code: 'client.network' })
  expect(await transport.send(part(1, storage))).toBe('relayed')
  expect(sent.map(({ url }) => url)).toEqual([storage, '/api/fs/multipart/part?uploadId=u1&partNumber=1'])
})

test('an upload waits for a storage that was reachable before', async () => {
  const storage = 'https://s3.test/part'
  const transport = mountTransport('multipart', target)
  let isCut = false
  answers = () => (isCut ? null : { status: 200 })
  expect(await transport.send(part(1, storage))).toBe('tag')
  isCut = true
  for (let turn = 0; turn < 3; turn += 1)
    await expect(transport.send(part(2, storage))).rejects.toMatchObject({ code: 'client.network' })
  expect(new Set(sent.map(({ url }) => url))).toEqual(new Set([storage]))
})

test('each upload method sends its bytes to the right URL, with the required headers', async () => {
  const storage = 'https://s3.us-west-004.backblazeb2.com/bucket/a.bin?X-Amz-Signature=1'
  answers = () => ({ status: 200 })
  replies = {
    '/api/fs/presign': {
      status: 200,
      body: { data: { presignedUrl: storage, fileId: 'f1', contentType: 'text/plain' } },
    },
  }
  const presigned = mountTransport('presigned', target)
  const begun = await presigned.begin(signal)
  await presigned.send(part(1, begun.addresses.get(1) ?? null))
  await mountTransport('multipart', target).send(part(2, storage))
  answers = () => ({ status: 200, text: '{"code":200,"success":true,"data":{}}' })
  await mountTransport('direct', target).send(part(1, null))
  expect(sent).toEqual([
    {
      method: 'PUT',
      url: storage,
      headers: {
        'Content-Type': 'text/plain',
        'X-Bz-Content-Sha1': 'do_not_verify',
        'X-Requested-With': 'XMLHttpRequest',
      },
    },
    { method: 'PUT', url: storage, headers: { 'Content-Type': 'application/octet-stream' } },
    {
      method: 'PUT',
      url: '/api/fs/upload?path=%2Fm%2Fa.bin',
      headers: expect.objectContaining({ 'Content-Type': 'application/octet-stream' }) as object,
    },
  ])
})

test('an upload that the server no longer knows is distinguished from an unreachable server', async () => {
  const transport = mountTransport('multipart', target)
  replies = {
    '/api/fs/multipart/parts': {
      status: 404,
      body: { error: { code: 'fs.upload_not_found', requestId: '' } },
    },
  }
  expect(await transport.look?.('u1', signal)).toBeNull()
  replies = {
    '/api/fs/multipart/parts': {
      status: 503,
      body: { error: { code: 'storage.unavailable', requestId: '' } },
    },
  }
  await expect(transport.look?.('u1', signal)).rejects.toMatchObject({ code: 'storage.unavailable' })
})

test('lost connections are retried, expired URLs renewed, and refusals are final', async () => {
  const transport = mountTransport('presigned', target)
  const verdictOf = async (answer: { status: number; text?: string } | null) => {
    answers = () => answer
    return transport.send(part(1, 'https://s3.test/x')).then(
      () => 'none',
      (error: unknown) => transport.judge(error),
    )
  }
  const refusal = (code: string) => JSON.stringify({ code: 400, message: '', error: { code, requestId: '' } })
  expect(await verdictOf(null)).toBe('again')
  expect(await verdictOf({ status: 503 })).toBe('again')
  expect(await verdictOf({ status: 403, text: '<Error>Request has expired</Error>' })).toBe('refresh')
  expect(await verdictOf({ status: 403, text: refusal('storage.link_expired') })).toBe('refresh')
  expect(await verdictOf({ status: 413, text: refusal('file.too_large') })).toBe('stop')
})
