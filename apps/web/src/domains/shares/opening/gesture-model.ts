/** Time for which a pointer must hold the button. */
export const HOLD_MS = 700
/**
 * Maximum age of an intent. An older intent is replaced, because the server accepts an intent for only ten minutes.
 */
const INTENT_KEPT_MS = 9 * 60_000

export interface Intent {
  readonly token: string
  /** Time at which the server starts to accept the intent, according to the clock of this device. */
  readonly readyAtMs: number
}

/**
 * In the stage `held`, the ring is full. The page then waits until the finger is lifted, because browsers count a
 * touch as user activation only at that time. The stages `waiting` and `confirming` are for keyboards.
 */
export type GestureStage = 'idle' | 'holding' | 'held' | 'waiting' | 'confirming' | 'opening'

export interface GestureView {
  readonly stage: GestureStage
  /** Whether the last press was too short. */
  readonly isTooShort: boolean
}

export interface GestureHandlers {
  /** Opens the share. @throws if the share could not be opened. The user can then repeat the gesture. */
  readonly open: (intent: string) => Promise<void>
  readonly onFailure: (error: unknown) => void
}

interface GestureOptions {
  /** Requests an intent from the server. */
  readonly askIntent: () => Promise<Intent>
  /** Whether the browser reports recent user activation. */
  readonly isActive: () => boolean
  readonly waitMs: number
}

interface Trusted {
  readonly isTrusted: boolean
}

const IDLE: GestureView = { stage: 'idle', isTooShort: false }

/**
 * The gesture that opens a share. A pointer holds the button, or a key activates the button and then confirms. Events
 * created by scripts, and clicks without holding, do not open the share.
 */
export class Gesture {
  readonly #options: GestureOptions
  readonly #listeners = new Set<() => void>()
  #handlers: GestureHandlers | null = null
  #view = IDLE
  /**
   * Whether the gesture of the pressed pointer has already opened the share or failed. The click after lifting the
   * pointer is then ignored.
   */
  #isDone = false
  #timer: ReturnType<typeof setTimeout> | undefined
  #intent: { readonly askedAtMs: number; readonly answer: Promise<Intent> } | null = null

  constructor(options: GestureOptions) {
    this.#options = options
  }

  /** Sets the handlers for a complete gesture. */
  handle(handlers: GestureHandlers): void {
    this.#handlers = handlers
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  readonly view = (): GestureView => this.#view

  /** Call when a pointer presses the button. */
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

  /** Call when the pointer is lifted. */
  lift({ isTrusted }: Trusted): void {
    if (this.#view.stage === 'held' && isTrusted && this.#options.isActive()) void this.#open()
    else this.leave()
  }

  /** Call when the pointer leaves the button, or the browser takes over the pointer. */
  leave(): void {
    if (this.#view.stage !== 'holding' && this.#view.stage !== 'held') return
    clearTimeout(this.#timer)
    this.#show('idle', true)
  }

  /** Call when the button is clicked. @param isVirtual whether a key, a switch or a screen reader caused the click */
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

  /** Call when the confirming button is activated. */
  confirm({ isTrusted }: Trusted): void {
    if (!isTrusted || this.#view.stage !== 'confirming' || !this.#options.isActive()) return
    void this.#open()
  }

  stop(): void {
    clearTimeout(this.#timer)
    this.#view = IDLE
  }

  /** Returns an unused intent of an earlier gesture, or requests a new one. */
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

  /**
   * Requests the intent early. If the server refuses, the gesture ends at once, so that the user need not hold the
   * button to the end.
   */
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
