import type { Readable } from 'node:stream'
import { PulledBody } from '../pulled-body.ts'

/** A body that goes on in another one, which may still be on its way. */
export class JoinedBody extends PulledBody {
  readonly #beginning: PulledBody
  readonly #rest: Promise<Readable>
  #restChunks: AsyncIterator<Buffer> | null = null
  #isBegun = true

  constructor(beginning: PulledBody, rest: Promise<Readable>) {
    super()
    this.#beginning = beginning
    this.#rest = rest
    const fail = (error: Error) => void this.destroy(error)
    beginning.on('error', fail)
    // That it does not come is told to who asks for its bytes.
    rest.then(
      (body) => body.on('error', fail),
      () => undefined,
    )
  }

  protected override async pull(isKept: boolean): Promise<Buffer> {
    if (this.#isBegun) {
      const bytes = await PulledBody.next(this.#beginning, isKept)
      if (bytes.length > 0) return bytes
      this.#isBegun = false
      this.#beginning.destroy()
    }
    const rest = await this.#rest
    if (rest instanceof PulledBody) return PulledBody.next(rest, isKept)
    this.#restChunks ??= rest[Symbol.asyncIterator]() as AsyncIterator<Buffer>
    const { done, value } = await this.#restChunks.next()
    return done === true ? Buffer.alloc(0) : value
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    this.#beginning.destroy()
    this.#dropRest()
    done(error)
  }

  #dropRest(): void {
    this.#rest.then(
      (body) => body.destroy(),
      () => undefined,
    )
  }
}
