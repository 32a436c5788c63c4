import { vi } from 'vitest'

/** A request that the page has sent. */
export interface Call {
  readonly method: string
  /** Path with query, or the whole URL of a request to a storage. */
  readonly url: string
  readonly body: Readonly<Record<string, string | number | undefined>>
}

interface Answer {
  readonly data?: object
  readonly status?: number
  readonly code?: string
}

const PART_BYTES = 5 * 1024 * 1024
export const STORAGE = 'https://s3.test'

/** Simulates the server and its storage for uploads of shares. Tests can replace each response. */
export function stubShareServer() {
  const calls: Call[] = []
  const server = {
    calls,
    isReachable: true,
    /** Whether PUT requests stay pending until they are aborted. */
    isHeld: false,
    /** Sizes of the multipart uploads that the server knows, by id. */
    known: new Map<string, number>(),
    /** Numbers of the received parts, by upload. */
    arrived: new Map<string, Set<number>>(),
    refuse: (_call: Call): Answer | null => null,
    /** Awaited before each response of the server. */
    wait: (_call: Call): Promise<void> | undefined => undefined,
  }
  let lastId = 0
  const newId = (body: Call['body']) => {
    lastId += 1
    return `${lastId}-${String(body['filename'])}`
  }
  const cut = (id: string) => {
    const size = server.known.get(id) ?? 0
    const partCount = Math.max(1, Math.ceil(size / PART_BYTES))
    const arrived = server.arrived.get(id) ?? new Set()
    const numbers = Array.from({ length: partCount }, (_, index) => index + 1)
    const sizeOf = (number: number) => Math.min(PART_BYTES, size - (number - 1) * PART_BYTES)
    return {
      size,
      part_size: PART_BYTES,
      part_count: partCount,
      presigned_urls: numbers
        .filter((number) => !arrived.has(number))
        .map((partNumber) => ({ partNumber, url: `${STORAGE}/${id}/${partNumber}` })),
      parts: [...arrived].map((partNumber) => ({ partNumber, size: sizeOf(partNumber), etag: 'tag' })),
      is_completed: false,
    }
  }
  const slugs = new Map<string, string>()
  const answer = ({ url, body }: Call): Answer => {
    const { pathname, searchParams } = new URL(url, 'http://x')
    const id = String(body['file_id'] ?? searchParams.get('file_id'))
    switch (pathname) {
      case '/api/s3/presign': {
        const fileId = newId(body)
        slugs.set(fileId, String(body['slug'] ?? '') || 'random')
        return {
          data: {
            file_id: fileId,
            upload_url: `${STORAGE}/${fileId}`,
            slug: '',
            contentType: 'text/plain',
            provider_type: 'Other',
          },
        }
      }
      case '/api/s3/multipart/init': {
        const fileId = newId(body)
        slugs.set(fileId, String(body['slug'] ?? '') || 'random')
        server.known.set(fileId, Number(body['size']))
        return { data: { file_id: fileId, slug: '', ...cut(fileId) } }
      }
      case '/api/s3/multipart/parts':
        return server.known.has(id) ? { data: cut(id) } : { status: 404, code: 'file.not_found' }
      case '/api/s3/commit':
      case '/api/s3/multipart/complete':
        return { data: { slug: slugs.get(id) ?? 'random' } }
      case '/api/s3/multipart/abort':
        server.known.delete(id)
        return {}
      case '/api/admin/files/batch-delete':
      case '/api/user/files/batch-delete':
        return { data: { success: 1, failed: [] } }
      default:
        return { status: 500, code: 'internal' }
    }
  }
  vi.stubGlobal('fetch', async (address: string, init: RequestInit = {}) => {
    const call = {
      method: init.method ?? 'GET',
      url: address,
      body: typeof init.body === 'string' ? (JSON.parse(init.body) as Call['body']) : {},
    }
    calls.push(call)
    await server.wait(call)
    const { data, status = 200, code } = server.refuse(call) ?? answer(call)
    const error = code === undefined ? {} : { error: { code, requestId: '' } }
    return Response.json({ code: status, message: '', success: status < 300, data, ...error }, { status })
  })
  vi.stubGlobal('XMLHttpRequest', fakeRequest(server, calls))
  return server
}

interface Reach {
  readonly isReachable: boolean
  readonly isHeld: boolean
  readonly arrived: Map<string, Set<number>>
}

const fakeRequest = (server: Reach, calls: Call[]) =>
  class FakeRequest extends EventTarget {
    readonly upload = new EventTarget()
    status = 0
    responseText = ''
    #url = ''
    #method = ''

    open(method: string, url: string) {
      this.#method = method
      this.#url = url
    }
    setRequestHeader = () => undefined
    getResponseHeader = () => '"tag"'
    abort() {
      this.#end('abort')
    }

    send() {
      calls.push({ method: this.#method, url: this.#url, body: {} })
      const isAtStorage = this.#url.startsWith(STORAGE)
      if (server.isHeld) return
      if (isAtStorage && !server.isReachable) {
        queueMicrotask(() => this.#end('error'))
        return
      }
      const { pathname, searchParams } = new URL(this.#url, 'http://x')
      const [, id = '', part = ''] = pathname.split('/')
      const [upload, number] = isAtStorage
        ? [id, part]
        : [searchParams.get('file_id'), searchParams.get('part_number')]
      if (upload && number)
        server.arrived.set(upload, (server.arrived.get(upload) ?? new Set()).add(Number(number)))
      this.status = 200
      this.responseText = isAtStorage
        ? ''
        : '{"code":200,"success":true,"message":"","data":{"etag":"relayed"}}'
      queueMicrotask(() => this.#end('load'))
    }

    #end(type: string) {
      this.dispatchEvent(new Event(type))
      this.dispatchEvent(new Event('loadend'))
    }
  }
