import { IncomingMessage } from 'node:http'
import { type Readable, Transform } from 'node:stream'
import { handOver, isHandedOver, StorageError } from '@dropleaf/storage'

interface RelayOptions {
  /** Receives every chunk that passes. */
  readonly look?: (chunk: Buffer) => void
  /** Called before each chunk; the chunk waits for the result, and an error aborts the body. */
  readonly makeRoom?: ((chunkBytes: number) => Promise<void> | undefined) | undefined
  /** Called for every chunk before it is passed on; returning false aborts the body. */
  readonly isWithin?: () => boolean
  /** Runs after the last byte. If this function fails, the body fails too, and nothing is stored. */
  readonly beforeEnd?: (() => Promise<void>) | undefined
}

/**
 * Returns a stream between the request and the storage. A storage that refuses a body destroys this stream, but not
 * the request's socket, because the response must still be written.
 */
export function relayBody(
  source: Readable,
  { look, makeRoom, isWithin, beforeEnd }: RelayOptions = {},
): Readable {
  const body = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      look?.(chunk)
      if (isWithin?.() === false) {
        done(new StorageError('storage.too_large', 'The body is longer than it may be.'))
        return
      }
      const pass = () => done(null, chunk)
      const room = makeRoom?.(chunk.length)
      if (room) room.then(pass, done)
      else pass()
    },
    flush: (done) => void finish(done),
  })
  async function finish(done: (error?: Error) => void): Promise<void> {
    try {
      await beforeEnd?.()
    } catch (error) {
      done(error instanceof Error ? error : new Error('The body could not be ended.', { cause: error }))
      return
    }
    done()
  }
  // Keeps an early failure from ending the process. A reader that is added later still gets the error.
  body.on('error', () => undefined)
  const breakOff = (cause?: unknown) =>
    body.destroy(new StorageError('storage.incomplete', 'The body broke off.', { cause }))
  // Checks the source, because it may have failed before the listeners were added.
  if (source.errored || (source.destroyed && !source.readableEnded)) breakOff(source.errored)
  source.on('error', breakOff)
  source.on('aborted', () => breakOff())
  source.pipe(body)
  body.on('close', () => source.unpipe(body))
  // Chunks of a connection have no other owner, so they can be handed over.
  return source instanceof IncomingMessage || isHandedOver(source) ? handOver(body) : body
}

/** Returns a callback that accepts the size of each chunk, and passes the total size so far to the given callback. */
export function roomByChunks(
  grow: (totalBytes: number) => Promise<void> | undefined,
): (chunkBytes: number) => Promise<void> | undefined {
  let total = 0
  return (chunkBytes) => grow((total += chunkBytes))
}

/** Passes a body on, and aborts it after `maxBytes`. */
export function limitBytes(source: Readable, maxBytes: number): Readable {
  let passed = 0
  return relayBody(source, {
    look: (chunk) => void (passed += chunk.length),
    isWithin: () => passed <= maxBytes,
  })
}
