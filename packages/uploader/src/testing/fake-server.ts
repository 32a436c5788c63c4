import type { Arrived, Begun, PartPlan, PartToSend, Transport, Verdict } from '../transport.ts'

class FakeFailure extends Error {
  override readonly name = 'FakeFailure'
  readonly verdict: Verdict

  constructor(verdict: Verdict) {
    super(verdict)
    this.verdict = verdict
  }
}

type CallName = 'begin' | 'look' | 'send' | 'finish' | 'discard'

/** A call that has no response yet. */
export interface OpenCall {
  readonly name: CallName
  readonly partNumber: number | null
  /** Carries out the call, and responds. */
  succeed(): void
  /** Responds with an error without carrying out the call. */
  fail(verdict: Verdict): void
  /** Carries out the call, but loses the response. */
  loseAnswer(): void
  progress(bytes: number): void
}

interface Session {
  readonly parts: Map<number, Uint8Array>
  state: 'open' | 'committed' | 'discarded'
}

export interface FakeServerSettings {
  readonly sizeBytes: number
  readonly partSizeBytes: number
  /** Whether uploads can be resumed. */
  readonly canLook: boolean
  /** Whether calls succeed immediately. */
  readonly isAutomatic?: boolean
  /** Whether the server still responds to aborted calls. */
  readonly abortsSlowly?: boolean
}

/** Current and highest number of concurrent requests that send bytes, over all servers that share this object. */
interface Traffic {
  now: number
  most: number
}

/** Accepts parts as a storage does, and counts concurrent requests. */
export class FakeServer {
  readonly open: OpenCall[] = []
  readonly sessions = new Map<string, Session>()
  readonly log: string[] = []
  readonly addressesUsed: (string | null)[] = []
  file: Uint8Array | null = null
  sentTwice = 0
  readonly traffic: Traffic
  #generation = 0
  readonly #settings: FakeServerSettings
  readonly #plan: PartPlan

  constructor(settings: FakeServerSettings, traffic: Traffic = { now: 0, most: 0 }) {
    this.#settings = settings
    this.traffic = traffic
    const { sizeBytes, partSizeBytes } = settings
    this.#plan = { partSizeBytes, partCount: Math.max(1, Math.ceil(sizeBytes / partSizeBytes)) }
  }

  readonly transport = (): Transport<Uint8Array, string> => ({
    begin: (signal) => this.#call('begin', signal, () => this.#begin()),
    ...(this.#settings.canLook && {
      look: (id: string, signal: AbortSignal) => this.#call('look', signal, () => this.#look(id)),
    }),
    send: (part) => this.#send(part),
    finish: ({ id, signal }) => this.#call('finish', signal, () => this.#finish(id)),
    discard: (id) => this.#call('discard', null, () => this.#discard(id)),
    judge: (error) => (error instanceof FakeFailure ? error.verdict : 'again'),
  })

  #addresses(numbers: readonly number[]) {
    this.#generation += 1
    return new Map(numbers.map((number) => [number, `${number}@${this.#generation}`]))
  }

  #numbers(): number[] {
    return Array.from({ length: this.#plan.partCount }, (_, index) => index + 1)
  }

  #begin(): Begun {
    const id = `upload-${this.sessions.size + 1}`
    this.sessions.set(id, { parts: new Map(), state: 'open' })
    return { id, plan: this.#plan, addresses: this.#addresses(this.#numbers()) }
  }

  #look(id: string): Arrived | null {
    const session = this.sessions.get(id)
    if (!session || session.state === 'discarded') return null
    const parts = [...session.parts].map(([partNumber, bytes]) => ({
      partNumber,
      etag: `tag-${partNumber}`,
      sizeBytes: bytes.length,
    }))
    const missing = this.#numbers().filter((number) => !session.parts.has(number))
    const addresses = this.#addresses(missing)
    return { plan: this.#plan, parts, addresses, isCompleted: session.state === 'committed' }
  }

  async #send(part: PartToSend<Uint8Array>): Promise<string> {
    this.traffic.now += 1
    this.traffic.most = Math.max(this.traffic.most, this.traffic.now)
    this.addressesUsed.push(part.address)
    try {
      return await this.#call('send', part.signal, () => this.#store(part), part)
    } finally {
      this.traffic.now -= 1
    }
  }

  #store({ id, partNumber, body }: PartToSend<Uint8Array>): string {
    const session = this.sessions.get(id ?? '')
    if (session?.state !== 'open') throw new FakeFailure('refresh')
    if (session.parts.has(partNumber)) this.sentTwice += 1
    session.parts.set(partNumber, body.slice())
    return `tag-${partNumber}`
  }

  #finish(id: string | null): string {
    const session = this.sessions.get(id ?? '')
    if (session?.state === 'committed') return 'stored'
    if (session?.state !== 'open') throw new FakeFailure('stop')
    if (session.parts.size < this.#plan.partCount) throw new FakeFailure('refresh')
    const chunks = this.#numbers().map((number) => session.parts.get(number) ?? new Uint8Array())
    this.file = new Uint8Array(chunks.flatMap((chunk) => [...chunk]))
    session.state = 'committed'
    return 'stored'
  }

  #discard(id: string): void {
    const session = this.sessions.get(id)
    if (session?.state === 'open') session.state = 'discarded'
  }

  #call<T>(
    name: CallName,
    signal: AbortSignal | null,
    work: () => T,
    part?: PartToSend<Uint8Array>,
  ): Promise<T> {
    this.log.push(part ? `${name} ${part.partNumber}` : name)
    if (signal?.aborted) return Promise.reject(new Error('aborted'))
    const { promise, resolve, reject } = Promise.withResolvers<T>()
    const leave = () => {
      const at = this.open.indexOf(call)
      if (at !== -1) this.open.splice(at, 1)
      signal?.removeEventListener('abort', onAbort)
    }
    const attempt = (answer: (value: T) => void) => {
      leave()
      try {
        answer(work())
      } catch (error) {
        reject(error)
      }
    }
    const call: OpenCall = {
      name,
      partNumber: part?.partNumber ?? null,
      succeed: () => attempt(resolve),
      loseAnswer: () => attempt(() => reject(new FakeFailure('again'))),
      fail: (verdict) => {
        leave()
        reject(new FakeFailure(verdict))
      },
      progress: (bytes) => part?.onProgress(bytes),
    }
    const onAbort = () => {
      if (this.#settings.abortsSlowly) return
      leave()
      reject(new Error('aborted'))
    }
    signal?.addEventListener('abort', onAbort)
    this.open.push(call)
    if (this.#settings.isAutomatic) queueMicrotask(() => this.open.includes(call) && call.succeed())
    return promise
  }
}

export const bytesOf = (sizeBytes: number): Uint8Array =>
  Uint8Array.from({ length: sizeBytes }, (_, index) => (index * 31 + 7) % 251)

/** Fingerprint of a file whose parts have ten bytes. */
export const fingerprintOf = (bytes: Uint8Array): string =>
  `${bytes.slice(0, 10).join('.')}-${bytes.slice(-10).join('.')}`

export const sourceOf = (bytes: Uint8Array) => ({
  sizeBytes: bytes.length,
  slice: (firstByte: number, endByte: number) => bytes.subarray(firstByte, endByte),
  fingerprint: () => Promise.resolve(fingerprintOf(bytes)),
})
