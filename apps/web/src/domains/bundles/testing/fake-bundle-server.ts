import { vi } from 'vitest'

interface Answer {
  readonly data?: object
  readonly status?: number
  readonly code?: string
}

interface Sent {
  readonly method: string
  /** Path without query, or the whole URL of a request to a storage. */
  readonly path: string
  readonly query: URLSearchParams
  readonly body: Record<string, unknown>
}

export const STORAGE = 'https://s3.test'
const PART_BYTES = 8 * 1024 * 1024

/** Simulates the server and its storage for bundles. Tests can replace each response. */
export function stubBundleServer() {
  const sent: Sent[] = []
  const stored = new Set<number>()
  const begun = new Map<number, { size: number; partSize?: number; arrived: Set<number> }>()
  const bytes = new Map<string, Blob>()
  const published: Record<string, unknown>[] = []
  const server = {
    sent,
    stored,
    begun,
    /** Received parts by number of the object and of the part, such as `0/1`. */
    bytes,
    published,
    isReachable: true,
    /** Whether the connection fails while a part of an object is sent. */
    isCut: (_n: number, _part: number): boolean => false,
    refuse: (_sent: Sent): Answer | null => null,
    linesOf: (method: string) => sent.filter((one) => one.method === method).map(({ path }) => path),
  }
  const planOf = (n: number) => {
    const { size = 0, partSize = PART_BYTES, arrived = new Set<number>() } = begun.get(n) ?? {}
    const count = Math.max(1, Math.ceil(size / partSize))
    const numbers = Array.from({ length: count }, (_, index) => index + 1)
    const sizeOf = (part: number) => Math.min(partSize, size - (part - 1) * partSize)
    return {
      size,
      part_size: partSize,
      part_count: count,
      parts: [...arrived].map((partNumber) => ({ partNumber, size: sizeOf(partNumber), etag: 'tag' })),
      presigned_urls: numbers
        .filter((part) => !arrived.has(part))
        .map((partNumber) => ({ partNumber, url: `${STORAGE}/${n}/${partNumber}` })),
      is_completed: stored.has(n),
    }
  }
  const answerOfObject = (rest: string, { method, body }: Sent): Answer => {
    const [number = '', action = '', part = ''] = rest.split('/').filter(Boolean)
    const n = Number(number)
    if (rest === '') {
      const [object] = body['objects'] as { n: number; size?: number; stored?: number; part_size?: number }[]
      const size = object?.stored ?? object?.size ?? 0
      const partSize = object?.part_size
      if (object) begun.set(object.n, { size, ...(partSize && { partSize }), arrived: new Set() })
      return { data: { objects: object ? [{ n: object.n, ...planOf(object.n) }] : [] } }
    }
    if (action === 'parts' && method === 'PUT') {
      begun.get(n)?.arrived.add(Number(part))
      return { data: { part_number: Number(part), etag: 'relayed' } }
    }
    if (action === 'parts')
      return begun.has(n) ? { data: planOf(n) } : { status: 409, code: 'bundle.object_missing' }
    if (method === 'DELETE') return {}
    if (stored.has(n) && method === 'PUT') return { status: 409, code: 'bundle.object_exists' }
    stored.add(n)
    return { data: { n } }
  }
  const answerOfCreation = ({ body }: Sent): Answer => {
    const manifest = body['manifest'] as Record<string, unknown> | undefined
    if (manifest && published.length === 0) published.push(manifest)
    if (manifest && published[0] !== manifest) return { status: 409, code: 'bundle.changed' }
    return { status: 201, data: { id: body['id'], slug: body['slug'] || 'random', url: '' } }
  }
  const answer = (one: Sent): Answer => {
    const [, , , id = '', ...rest] = one.path.split('/')
    if (one.path === '/api/bundles') return answerOfCreation(one)
    if (one.path === '/api/bundles/delete') return { data: { success: 1, failed: [] } }
    if (rest[0] === 'objects') return answerOfObject(rest.slice(1).join('/'), one)
    if (rest[0] === 'own')
      return {
        data: { slug: 'random', revision: published.length, sealed_manifest: published.at(-1) ?? null },
      }
    if (rest[0] === 'revisions') {
      if (one.body['expected_revision'] !== published.length) return { status: 409, code: 'bundle.changed' }
      published.push(one.body['manifest'] as Record<string, unknown>)
      return { status: 201, data: { id, slug: 'random', url: '', revision: published.length } }
    }
    return { data: { id, slug: one.body['slug'] ?? 'random', url: '' } }
  }
  const receive = (method: string, url: string, body: unknown) => {
    const { origin, pathname, searchParams: query } = new URL(url, 'http://x')
    const path = origin === STORAGE ? `${STORAGE}${pathname}` : pathname
    const one = { method, path, query, body: typeof body === 'string' ? JSON.parse(body) : {} } as Sent
    sent.push(one)
    if (origin === STORAGE) {
      if (!server.isReachable) return null
      const [, n = '', part = ''] = pathname.split('/')
      if (server.isCut(Number(n), Number(part))) return null
      if (body instanceof Blob) bytes.set(`${n}/${part}`, body)
      begun.get(Number(n))?.arrived.add(Number(part))
      return { status: 200, text: '' }
    }
    const [, n, part] = /\/objects\/(\d+)\/parts\/(\d+)$/.exec(path) ?? []
    if (n !== undefined && body instanceof Blob) bytes.set(`${n}/${part}`, body)
    const { data, status = 200, code } = server.refuse(one) ?? answer(one)
    const error = code === undefined ? {} : { error: { code, requestId: '' } }
    return {
      status,
      text: JSON.stringify({ code: status, message: '', success: status < 300, data, ...error }),
    }
  }
  vi.stubGlobal('fetch', async (url: string, init: RequestInit = {}) => {
    const { status = 500, text = '' } = receive(init.method ?? 'GET', url, init.body) ?? {}
    return new Response(text, { status })
  })
  vi.stubGlobal('XMLHttpRequest', requestTo(receive))
  return server
}

type Receive = (method: string, url: string, body: unknown) => { status: number; text: string } | null

const requestTo = (receive: Receive) =>
  class FakeRequest extends EventTarget {
    readonly upload = new EventTarget()
    status = 0
    responseText = ''
    #line: [method: string, url: string] = ['', '']

    open(method: string, url: string) {
      this.#line = [method, url]
    }
    setRequestHeader = () => undefined
    getResponseHeader = () => '"tag"'
    abort() {
      this.#end('abort')
    }
    send(body: unknown) {
      const reply = receive(...this.#line, body)
      this.status = reply?.status ?? 0
      this.responseText = reply?.text ?? ''
      queueMicrotask(() => this.#end(reply ? 'load' : 'error'))
    }
    #end(type: string) {
      this.dispatchEvent(new Event(type))
      this.dispatchEvent(new Event('loadend'))
    }
  }
