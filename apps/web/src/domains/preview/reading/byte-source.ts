import { ApiError } from '../../../lib/api-error.ts'
import { fetchOnce } from '../../api/early-requests.ts'
import { PreviewError } from '../preview-error.ts'
import type { PreviewBytes, PreviewSource } from '../preview-source.ts'

type Bytes = Uint8Array<ArrayBuffer>

interface ReadOptions {
  readonly signal?: AbortSignal | undefined
}

interface RangeOptions extends ReadOptions {
  readonly firstByte: number
  /** Position of the last byte, inclusive. */
  readonly lastByte: number
}

type Readable = Pick<PreviewSource, 'textUrl' | 'headers' | 'bytes'>

/** The properties of a response that this module reads. */
type Answer = Pick<Response, 'status' | 'body'>

/** Creates the error for a failed connection or an abort. Neither is a fault of the file. */
const lineError = (cause: unknown, signal?: AbortSignal): Error => {
  // Errors of decryption already have one of the types that callers expect.
  if (cause instanceof PreviewError || cause instanceof ApiError) return cause
  return signal?.aborted
    ? new ApiError({ kind: 'cancelled', code: 'client.cancelled', message: '', cause })
    : new ApiError({ kind: 'network', code: 'client.network', message: '', cause })
}

/** Returns decrypted bytes like the response of a server that supports ranges. */
function answerOf(bytes: PreviewBytes, range: string | null, signal?: AbortSignal): Answer {
  const [, first = '0', last = ''] = /^bytes=(\d+)-(\d+)$/.exec(range ?? '') ?? []
  const offset = Math.min(Number(first), bytes.size)
  const end = Math.min(last === '' ? bytes.size : Number(last) + 1, bytes.size)
  const left = new AbortController()
  const either = signal ? AbortSignal.any([signal, left.signal]) : left.signal
  const pieces = bytes.stream({ offset, length: Math.max(0, end - offset) }, either)[Symbol.asyncIterator]()
  const body = new ReadableStream<Bytes>(
    {
      async pull(controller) {
        const { done, value } = await pieces.next()
        if (done) controller.close()
        else controller.enqueue(value)
      },
      async cancel() {
        left.abort()
        await pieces.return?.(undefined)
      },
    },
    { highWaterMark: 0 },
  )
  return { status: range === null ? 200 : 206, body }
}

async function request(
  { textUrl, headers, bytes }: Readable,
  range: string | null,
  signal?: AbortSignal,
): Promise<Answer> {
  if (bytes) return answerOf(bytes, range, signal)
  const response = await fetchOnce(textUrl, {
    headers: { ...headers, ...(range !== null && { Range: range }) },
    ...(signal && { signal }),
  }).catch((cause: unknown) => {
    throw lineError(cause, signal)
  })
  if (response.ok) return response
  throw new ApiError({
    kind: 'http',
    status: response.status,
    code: 'client.unknown',
    message: `HTTP ${response.status}`,
  })
}

/** Reads a body. Connection errors differ between browsers, so this function converts them to one error. */
function readerOf(body: ReadableStream<Bytes>, signal: AbortSignal | undefined) {
  const reader = body.getReader()
  return {
    read: () =>
      reader.read().catch((cause: unknown) => {
        throw lineError(cause, signal)
      }),
    cancel: (reason?: unknown) => reader.cancel(reason),
  }
}

/** Extracts the requested range from a response. */
async function cut(
  response: Answer,
  { skip, length, signal }: ReadOptions & { readonly skip: number; readonly length: number },
): Promise<Bytes> {
  const reader = response.body && readerOf(response.body, signal)
  if (!reader) return new Uint8Array(0)
  const parts: Bytes[] = []
  let position = 0
  let filled = 0
  while (filled < length) {
    const { done, value } = await reader.read()
    if (done) break
    const part = value.subarray(Math.max(0, skip - position)).subarray(0, length - filled)
    parts.push(part)
    filled += part.length
    position += value.length
  }
  await reader.cancel()
  return join(parts, filled)
}

/** Copies the parts into a buffer of exactly this size. Parsers read the whole buffer, so it must not be larger. */
function join(parts: readonly Bytes[], sizeBytes: number): Bytes {
  const whole = new Uint8Array(sizeBytes)
  let at = 0
  for (const part of parts) {
    whole.set(part, at)
    at += part.length
  }
  return whole
}

/**
 * Reads a range of the file. The result is shorter at the end of the file.
 * @throws {ApiError} `client.network`, `client.cancelled`, or with the status of the response
 * @throws {PreviewError} if this page cannot decrypt the file
 */
export async function readRange(source: Readable, options: RangeOptions): Promise<Bytes> {
  const { firstByte, lastByte, signal } = options
  if (lastByte < firstByte) return new Uint8Array(0)
  const response = await request(source, `bytes=${firstByte}-${lastByte}`, signal)
  const length = lastByte - firstByte + 1
  // A server without range support sends the whole file.
  return cut(response, { skip: response.status === 206 ? 0 : firstByte, length, signal })
}

/**
 * Distinguishes an invalid file from a failed load, because browsers report the same error for both. Returns `fault`
 * for an invalid file, otherwise the load error.
 */
export const unlessUnread = (source: Readable, fault: PreviewError): Promise<Error> =>
  readRange(source, { firstByte: 0, lastByte: 0 }).then(
    () => fault,
    (error: unknown) =>
      error instanceof ApiError || (error instanceof PreviewError && error.fault === 'tampered')
        ? error
        : fault,
  )

/** Reads the last bytes of a file, or the whole file if it is shorter. */
export const readEnd = (source: PreviewSource, length: number, options: ReadOptions): Promise<Bytes> =>
  readRange(source, {
    ...options,
    firstByte: Math.max(0, source.sizeBytes - length),
    lastByte: source.sizeBytes - 1,
  })

/**
 * Reads the whole file.
 * @throws {PreviewError} `too_large` if the declared size or the actual size exceeds `maxBytes`
 * @throws the errors of {@link readRange}
 */
export async function readAll(
  source: PreviewSource,
  { maxBytes, signal }: ReadOptions & { readonly maxBytes: number },
): Promise<Bytes> {
  if (source.sizeBytes > maxBytes) throw new PreviewError('too_large')
  const response = await request(source, null, signal)
  const bytes = await cut(response, { skip: 0, length: maxBytes + 1, signal })
  if (bytes.length > maxBytes) throw new PreviewError('too_large')
  return bytes
}

/** Reads at most `maxBytes` of a file that is in the folder of the previewed file. */
export async function readBeside(source: Readable, maxBytes: number, signal?: AbortSignal): Promise<Bytes> {
  return cut(await request(source, null, signal), { skip: 0, length: maxBytes, signal })
}

/** Opens a stream of the file's bytes. Cancelling the stream ends the transfer. */
export async function openStream(source: PreviewSource, signal: AbortSignal): Promise<ReadableStream<Bytes>> {
  const { body } = await request(source, null, signal)
  if (!body) throw new PreviewError('damaged')
  const reader = readerOf(body, signal)
  return new ReadableStream({
    pull: async (controller) => {
      const { done, value } = await reader.read()
      if (done) controller.close()
      else controller.enqueue(value)
    },
    cancel: reader.cancel,
  })
}
