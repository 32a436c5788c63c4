import { Readable } from 'node:stream'

/**
 * Sends chunks as the body of a request. When they fail, the request is cut off, so that the storage keeps nothing, and
 * their error is the answer; when the request fails, the chunks are closed.
 */
export async function sendStream<T>(
  chunks: AsyncIterable<Buffer>,
  send: (body: Readable, signal: AbortSignal) => Promise<T>,
  signal?: AbortSignal,
): Promise<T> {
  const stop = new AbortController()
  const body = Readable.from(chunks, { objectMode: false })
  body.on('error', (error) => stop.abort(error))
  try {
    return await send(body, signal ? AbortSignal.any([signal, stop.signal]) : stop.signal)
  } catch (error) {
    stop.abort(error)
    throw error
  } finally {
    body.destroy()
  }
}

/** Holds each chunk until the next one, or the end, proves it wanted: a body that fails at its end was not sent whole. */
export async function* holdLast(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let held: Buffer | null = null
  for await (const chunk of chunks) {
    if (held !== null) yield held
    held = chunk
  }
  if (held !== null) yield held
}
