import { Readable } from 'node:stream'

/**
 * Sends chunks as the body of a request. If reading the chunks fails, the request is aborted so that the storage stores
 * nothing, and the reading error is thrown. If the request fails, the chunks are closed.
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

/**
 * Delays each chunk until the next chunk or the end of the body arrives. So a body that fails at its end is never sent
 * completely.
 */
export async function* holdLast(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let held: Buffer | null = null
  for await (const chunk of chunks) {
    if (held !== null) yield held
    held = chunk
  }
  if (held !== null) yield held
}
