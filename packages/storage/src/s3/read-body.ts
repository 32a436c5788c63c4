import { Readable } from 'node:stream'
import { StorageError } from '../errors.ts'
import { translate } from './errors.ts'

interface BodyWatch {
  /** Completes "The storage failed to …". */
  what: string
  /** Longest silence while somebody waits for bytes. A reader that rests may do so for ever. */
  timeoutMs: number
  signal: AbortSignal | undefined
  /** Asked for what follows when the bytes of the answer have come. */
  rest?: (() => Promise<Readable>) | undefined
}

/** What may come before the reader asks for it: a reader that always waits for the storage gets a third of what it could. */
const AHEAD_BYTES = 256 * 1024

/** The body of an answer, whose failures are those of a storage. Destroying it closes the connection. */
export function readBody(answer: Readable, { what, timeoutMs, signal, rest }: BodyWatch): Readable {
  let source = answer
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
  const fail = (error: Error) => body.destroy(translate(error, what))
  const follow = (from: Readable, next: BodyWatch['rest']) => {
    source = from
    from.on('data', (chunk: Buffer) => {
      clearTimeout(silence)
      silence = undefined
      if (!body.push(chunk)) from.pause()
    })
    from.on('end', () => {
      if (next) void goOn(next)
      else body.push(null)
    })
    from.on('error', fail)
    from.on('close', () => {
      if (!from.readableEnded) fail(new Error('The connection closed early.'))
    })
  }
  const goOn = async (next: () => Promise<Readable>) => {
    try {
      const from = await next()
      if (body.destroyed) from.destroy()
      else follow(from, undefined)
    } catch (error) {
      fail(error as Error)
    }
  }
  follow(answer, rest)
  answer.pause()
  return body
}
