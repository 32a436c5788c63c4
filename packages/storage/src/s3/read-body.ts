import { Readable } from 'node:stream'
import { StorageError } from '../errors.ts'
import { translate } from './errors.ts'

interface BodyWatch {
  /** Completes "The storage failed to …". */
  what: string
  /** Longest silence while somebody waits for bytes. A reader that rests may do so for ever. */
  timeoutMs: number
  signal: AbortSignal | undefined
}

/** What may come before the reader asks for it: a reader that always waits for the storage gets a third of what it could. */
const AHEAD_BYTES = 256 * 1024

/** The body of an answer, whose failures are those of a storage. Destroying it closes the connection. */
export function readBody(source: Readable, { what, timeoutMs, signal }: BodyWatch): Readable {
  let silence: NodeJS.Timeout | undefined
  const body = new Readable({
    highWaterMark: AHEAD_BYTES,
    read() {
      silence ??= setTimeout(() => {
        body.destroy(new StorageError('storage.unavailable', `The storage failed to ${what}: no bytes came.`))
      }, timeoutMs).unref()
      source.resume()
    },
    destroy(error, done) {
      clearTimeout(silence)
      signal?.removeEventListener('abort', stop)
      source.destroy()
      done(error)
    },
  })
  const stop = () => body.destroy(signal?.reason instanceof Error ? signal.reason : new Error('Aborted.'))
  signal?.addEventListener('abort', stop, { once: true })
  source.on('data', (chunk: Buffer) => {
    clearTimeout(silence)
    silence = undefined
    if (!body.push(chunk)) source.pause()
  })
  source.on('end', () => body.push(null))
  source.on('error', (error) => body.destroy(translate(error, what)))
  source.on('close', () => {
    if (!source.readableEnded) body.destroy(translate(new Error('The connection closed early.'), what))
  })
  source.pause()
  return body
}
