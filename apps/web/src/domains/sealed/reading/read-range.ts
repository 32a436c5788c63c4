import type { Bytes, ReadRange, StoredBytes, StoredRange } from '@dropleaf/seal'
import { backend } from '../../../lib/server-address.ts'
import type { Addresses } from './addresses.ts'

/** A response that contains no bytes of the object. */
export class RangeRefusedError extends Error {
  override readonly name = 'RangeRefusedError'
  readonly status: number
  /** Error code of the server; `null` if the response is from a storage. */
  readonly code: string | null

  constructor(status: number, code: string | null = null) {
    super(`HTTP ${status}`)
    this.status = status
    this.code = code
  }
}

async function codeIn(response: Response): Promise<string | null> {
  try {
    const { error } = (await response.json()) as { error?: { code?: unknown } }
    return typeof error?.code === 'string' ? error.code : null
  } catch {
    // Storages answer in XML.
    return null
  }
}

/** How the storage of a bundle can be reached. The reader finds this out while reading. */
interface Route {
  isRelayed: boolean
  /** Whether the storage has responded to this browser directly. Its CORS rule then allows direct requests. */
  wasDirect: boolean
}

/** Maximum number of attempts to read one range. */
const ATTEMPTS = 5
const PAUSE_MS = 1000

const sleep = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))

/**
 * Returns the size of the whole object from a header such as `bytes 0-9/100`; `null` if the header does not state the
 * size.
 */
function objectBytesOf(header: string | null): number | null {
  const [, total] = /\/(\d+)$/.exec(header ?? '') ?? []
  return total === undefined ? null : Number(total)
}

/** Reads a range from a body that contains the whole object. */
async function cut(response: Response, { firstByte, endByte }: StoredRange): Promise<Bytes> {
  const out = new Uint8Array(endByte - firstByte)
  const reader = response.body?.getReader()
  if (!reader) return new Uint8Array()
  let position = 0
  let filled = 0
  while (filled < out.length) {
    const { done, value } = await reader.read()
    if (done) break
    const piece = value.subarray(Math.max(0, firstByte - position)).subarray(0, out.length - filled)
    out.set(piece, filled)
    filled += piece.length
    position += value.length
  }
  await reader.cancel()
  return out.subarray(0, filled)
}

async function request(url: string, range: StoredRange, send: typeof fetch): Promise<StoredBytes> {
  const { firstByte, endByte, signal } = range
  const response = await send(url, {
    headers: { Range: `bytes=${firstByte}-${endByte - 1}` },
    signal,
    credentials: 'omit',
    referrerPolicy: 'no-referrer',
    cache: 'no-store',
  })
  const told = objectBytesOf(response.headers.get('Content-Range'))
  if (response.status === 206)
    return { bytes: new Uint8Array(await response.arrayBuffer()), objectBytes: told }
  // The storage does not support ranges and has sent the whole object.
  if (response.status === 200) return { bytes: await cut(response, range), objectBytes: null }
  // The object ends before the range.
  if (response.status === 416) return { bytes: new Uint8Array(), objectBytes: told }
  throw new RangeRefusedError(response.status, await codeIn(response))
}

interface Setting {
  readonly addresses: Addresses
  readonly send?: typeof fetch
  readonly wait?: (ms: number) => Promise<void>
}

/**
 * Creates readers for the encrypted objects of one bundle. They read from the storage, or through the server if that
 * fails.
 */
export function createRangeReaders({ addresses, send = fetch, wait = sleep }: Setting) {
  const route: Route = { isRelayed: false, wasDirect: false }
  return (n: number): ReadRange =>
    async (range) => {
      let isFresh = false
      for (let attempt = 1; ; attempt += 1) {
        const { url, relayUrl } = await addresses.find(n, { isFresh })
        const { isRelayed } = route
        try {
          const read = await request(isRelayed ? relayAddress(relayUrl) : url, range, send)
          if (!isRelayed) route.wasDirect = true
          return read
        } catch (error) {
          range.signal.throwIfAborted()
          if (attempt === ATTEMPTS) throw error
          const isRefused = error instanceof RangeRefusedError && error.status < 500
          // The storage has refused a new URL, so an expired URL is not the reason.
          if (isRefused && isFresh) throw error
          isFresh = isRefused
          if (!isRelayed && !isRefused && (!route.wasDirect || attempt > 2)) route.isRelayed = true
          else if (!isRefused) await wait(PAUSE_MS * attempt)
        }
      }
    }
}

const relayAddress = (url: string) => (url.startsWith('/') ? backendOrigin() + url : url)
const backendOrigin = () => (/^https?:/.test(backend) ? new URL(backend).origin : '')
