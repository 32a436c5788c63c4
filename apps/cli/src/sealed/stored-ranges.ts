import { setTimeout as sleep } from 'node:timers/promises'
import { bundleReadingRoutes, SEALED_ADDRESSES_MAX } from '@dropleaf/contract'
import type { ReadRange, StoredBytes, StoredRange } from '@dropleaf/seal'
import {
  addressOf,
  arriving,
  BYTES_HEADERS,
  call,
  type Connection,
  refusalOf,
  request,
  textOf,
} from '../client.ts'
import { CliError, EXIT, isUnreachable } from '../errors.ts'

/** The opened bundle whose objects are read. */
interface Opened {
  readonly connection: Connection
  readonly slug: string
  readonly ticket: string
  /** All objects of the bundle. */
  readonly numbers: readonly number[]
}

const TRIES = 4
const RETRY_DELAY_MS = 1000
const OK = 200
const PARTIAL = 206
const OUT_OF_RANGE = 416
/** Statuses with which storages reject expired URLs. */
const STALE: ReadonlySet<number> = new Set([400, 401, 403, 404, 410])

/** Caches the URLs of objects in their storages. One request returns the URLs of many objects. */
function createAddresses({ connection, slug, ticket, numbers }: Opened) {
  const known = new Map<number, Promise<string>>()
  function ask(n: number): Promise<string> {
    const at = Math.floor(numbers.indexOf(n) / SEALED_ADDRESSES_MAX) * SEALED_ADDRESSES_MAX
    const objects = numbers.slice(at, at + SEALED_ADDRESSES_MAX)
    const body = { ticket, objects }
    const asked = call(connection, bundleReadingRoutes.addresses, { params: { slug }, body }).then(
      ({ data }) => new Map(data.map(({ n, url }) => [n, url])),
    )
    for (const number of objects) {
      const found = asked.then((urls) => URL.parse(urls.get(number) ?? '', connection.server)?.href ?? '')
      // The reader of the requested object gets the error. The other objects may have no reader, so their rejections
      // are handled here.
      found.catch(() => known.delete(number))
      known.set(number, found)
    }
    return known.get(n) ?? Promise.resolve('')
  }
  return {
    find: (n: number) => known.get(n) ?? ask(n),
    /** Forgets a URL that has expired. */
    forget: (n: number) => void known.delete(n),
  }
}

/**
 * Collects the bytes of a response that contains only the range. If more bytes arrive than requested, returns an array
 * that is too long, which the reader rejects.
 */
async function collect(address: string, answer: Response, length: number): Promise<StoredBytes['bytes']> {
  const bytes = new Uint8Array(length)
  let at = 0
  for await (const chunk of arriving(address, answer)) {
    if (at + chunk.length > length) return new Uint8Array(length + 1)
    bytes.set(chunk, at)
    at += chunk.length
  }
  return bytes.subarray(0, at)
}

/** Cuts the range out of a response that contains the whole object. The rest of the response is not read. */
async function cut(
  address: string,
  answer: Response,
  { firstByte, endByte }: StoredRange,
): Promise<StoredBytes['bytes']> {
  const bytes = new Uint8Array(endByte - firstByte)
  let at = 0
  let position = 0
  for await (const chunk of arriving(address, answer)) {
    const piece = chunk.subarray(Math.max(0, firstByte - position)).subarray(0, bytes.length - at)
    bytes.set(piece, at)
    at += piece.length
    position += chunk.length
    if (at === bytes.length) break
  }
  return bytes.subarray(0, at)
}

/** Returns the size of the whole object from the `content-range` header; `null` if the header does not contain it. */
function objectBytesOf({ headers }: Response): number | null {
  const [, size] = /^bytes (?:\d+-\d+|\*)\/(\d+)$/.exec(headers.get('content-range') ?? '') ?? []
  return size === undefined ? null : Number(size)
}

async function readFrom(
  address: string,
  range: StoredRange,
): Promise<StoredBytes | { readonly isStale: true; readonly error: CliError }> {
  const { firstByte, endByte, signal } = range
  const headers = { ...BYTES_HEADERS, range: `bytes=${firstByte}-${endByte - 1}` }
  const answer = await request(address, { headers, signal })
  const { status } = answer
  if (status === PARTIAL)
    return { bytes: await collect(address, answer, endByte - firstByte), objectBytes: objectBytesOf(answer) }
  // The storage ignores ranges and sends the whole object.
  if (status === OK) return { bytes: await cut(address, answer, range), objectBytes: null }
  if (status === OUT_OF_RANGE) {
    await answer.body?.cancel()
    return { bytes: new Uint8Array(), objectBytes: objectBytesOf(answer) }
  }
  const error = refusalOf(address, { status, text: await textOf(address, answer) })
  if (STALE.has(status)) return { isStale: true, error }
  throw error
}

/** Reads a range from the storage, or through the server if this machine cannot reach the storage. */
function createReader(opened: Opened) {
  const { connection, slug, ticket } = opened
  const addresses = createAddresses(opened)
  let isRelayed = false
  const relayOf = (n: number) =>
    addressOf(connection.server, bundleReadingRoutes.object.path, { params: { slug, n }, query: { ticket } })

  async function relay(n: number, range: StoredRange): Promise<StoredBytes> {
    const read = await readFrom(relayOf(n), range)
    if ('isStale' in read) throw read.error
    return read
  }

  async function direct(n: number, range: StoredRange): Promise<StoredBytes> {
    const read = await readFrom(await addresses.find(n), range)
    if (!('isStale' in read)) return read
    addresses.forget(n)
    const again = await readFrom(await addresses.find(n), range)
    if ('isStale' in again) throw again.error
    return again
  }

  return async (n: number, range: StoredRange): Promise<StoredBytes> => {
    if (isRelayed) return relay(n, range)
    try {
      return await direct(n, range)
    } catch (error) {
      if (!isUnreachable(error)) throw error
      const read = await relay(n, range)
      isRelayed = true
      return read
    }
  }
}

/** Returns functions that read the objects of an opened bundle. They retry after a broken connection. */
export function storedRanges(opened: Opened): (n: number) => ReadRange {
  const read = createReader(opened)
  return (n) => async (range) => {
    for (let tries = 1; ; tries += 1) {
      try {
        return await read(n, range)
      } catch (error) {
        range.signal.throwIfAborted()
        const mayTryAgain = error instanceof CliError && error.exitCode === EXIT.network && tries < TRIES
        if (!mayTryAgain) throw error
        await sleep(RETRY_DELAY_MS * tries, undefined, { signal: range.signal })
      }
    }
  }
}
