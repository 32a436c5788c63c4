/** How long a pointer holds the button. */
export const HOLD_MS = 700
/** An intent that is older than this is replaced, because the server accepts it for ten minutes only. */
const INTENT_KEPT_MS = 9 * 60_000

export interface Intent {
  readonly token: string
  /** Time from which the server accepts it, on this device's clock. */
  readonly readyAtMs: number
}

/**
 * `held`: the ring is full, and the page waits until a finger is lifted, because browsers count a touch as activation
 * only then. `waiting` and `confirming` are the way of the keyboard.
 */
export type GestureStage = 'idle' | 'holding' | 'held' | 'waiting' | 'confirming' | 'opening'

export interface GestureView {
  readonly stage: GestureStage
  /** Whether the last press was too short. */
  readonly isTooShort: boolean
}

export interface GestureHandlers {
  /** Opens the share. @throws if that fails; another gesture may follow */
  readonly open: (intent: string) => Promise<void>
  readonly onFailure: (error: unknown) => void
}

interface GestureOptions {
  /** Announces the opening to the server. */
  readonly askIntent: () => Promise<Intent>
  /** Whether the browser has just seen input of a person. */
  readonly isActive: () => boolean
  readonly waitMs: number
}

interface Trusted {
  readonly isTrusted: boolean
}

const IDLE: GestureView = { stage: 'idle', isTooShort: false }

/**
 * The act that opens a share: a pointer holds the button, or a key activates it and then confirms. Events that a script
 * has made, and clicks without holding, open nothing.
 */
export class Gesture {
  readonly #options: GestureOptions
  readonly #listeners = new Set<() => void>()
  #handlers: GestureHandlers | null = null
  #view = IDLE
  /** Whether the pointer that is still down has already opened the share, so that lifting it is no click. */
  #isDone = false
  #timer: ReturnType<typeof setTimeout> | undefined
  #intent: { readonly askedAtMs: number; readonly answer: Promise<Intent> } | null = null

  constructor(options: GestureOptions) {
    this.#options = options
  }

  /** Sets what a complete gesture does. */
  handle(handlers: GestureHandlers): void {
    this.#handlers = handlers
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  readonly view = (): GestureView => this.#view

  /** A pointer presses the button. */
  press({ isTrusted }: Trusted): void {
    if (!isTrusted || this.#view.stage !== 'idle') return
    this.#isDone = false
    this.#show('holding')
    this.#askAhead()
    this.#timer = setTimeout(() => {
      if (this.#options.isActive()) void this.#open()
      else this.#show('held')
    }, HOLD_MS)
  }

  /** The pointer is lifted. */
  lift({ isTrusted }: Trusted): void {
    if (this.#view.stage === 'held' && isTrusted && this.#options.isActive()) void this.#open()
    else this.leave()
  }

  /** The pointer leaves the button, or the browser takes it over. */
  leave(): void {
    if (this.#view.stage !== 'holding' && this.#view.stage !== 'held') return
    clearTimeout(this.#timer)
    this.#show('idle', true)
  }

  /** The button is clicked. @param isVirtual whether no pointer did it, but a key, a switch or a screen reader */
  click({ isTrusted, isVirtual }: Trusted & { readonly isVirtual: boolean }): void {
    if (!isTrusted || this.#view.stage !== 'idle') return
    if (!isVirtual) {
      if (!this.#isDone) this.#show('idle', true)
      this.#isDone = false
      return
    }
    this.#show('waiting')
    this.#askAhead()
    this.#timer = setTimeout(() => this.#show('confirming'), this.#options.waitMs)
  }

  /** The confirming button is activated. */
  confirm({ isTrusted }: Trusted): void {
    if (!isTrusted || this.#view.stage !== 'confirming' || !this.#options.isActive()) return
    void this.#open()
  }

  stop(): void {
    clearTimeout(this.#timer)
    this.#view = IDLE
  }

  /** An unused intent serves the next gesture too. */
  async intent(): Promise<Intent> {
    const nowMs = Date.now()
    if (this.#intent && nowMs - this.#intent.askedAtMs < INTENT_KEPT_MS) return this.#intent.answer
    const answer = this.#options.askIntent()
    this.#intent = { askedAtMs: nowMs, answer }
    answer.catch(() => {
      if (this.#intent?.answer === answer) this.#intent = null
    })
    return answer
  }

  /** A failure ends the gesture at once: who is refused need not hold to the end to learn it. */
  #askAhead(): void {
    this.intent().catch((error: unknown) => {
      const { stage } = this.#view
      if (stage === 'idle' || stage === 'opening') return
      clearTimeout(this.#timer)
      this.#isDone = true
      this.#show('idle')
      this.#handlers?.onFailure(error)
    })
  }

  async #open(): Promise<void> {
    this.#isDone = true
    this.#show('opening')
    try {
      const { token, readyAtMs } = await this.intent()
      const waitMs = readyAtMs - Date.now()
      if (waitMs > 0) await new Promise((resolve) => setTimeout(resolve, waitMs))
      this.#intent = null
      await this.#handlers?.open(token)
    } catch (error) {
      this.#show('idle')
      this.#handlers?.onFailure(error)
    }
  }

  #show(stage: GestureStage, isTooShort = false): void {
    this.#view = { stage, isTooShort }
    for (const listener of this.#listeners) listener()
  }
}
