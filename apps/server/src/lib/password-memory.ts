import { createHmac, createSecretKey, randomBytes } from 'node:crypto'
import { ExpiringCache } from './expiring-cache.ts'

const REMEMBERED_MS = 5 * 60_000
const REMEMBERED_MAX = 100
/**
 * Once a network has tried this many different passwords, correct passwords in the cache no longer bypass its rate
 * limit.
 */
const GUESSES_MAX = 100
const NETWORKS_MAX = 1000

/** A tried password. If the stored hash has changed, the same password is a different guess. */
export interface Guess {
  readonly username: string
  readonly password: string
  /** Network of the client. A success from one network must not help guesses from another network. */
  readonly network: string
  /** Stored password hash of the account; empty if there is no such account. */
  readonly stored: string
}

/**
 * Remembers passwords that clients sent recently, as keyed hashes, because some clients send a password with each of
 * thousands of requests.
 */
export class PasswordMemory {
  /**
   * The key is random per process, so that cached hashes are useless outside of the process. It is stored as a key
   * object, because bytes would be converted for each hash.
   */
  readonly #key = createSecretKey(randomBytes(32))
  readonly #right = new ExpiringCache<true>({ name: 'passwords', capacity: REMEMBERED_MAX })
  /** Keyed hashes of tried passwords per network, and whether each password was wrong. */
  readonly #tried = new ExpiringCache<Map<string, boolean>>({
    name: 'password-guesses',
    capacity: NETWORKS_MAX,
  })

  /** Whether this password, sent from the same network, has matched `stored` recently. */
  isRight(guess: Guess, nowMs: number): boolean {
    return this.#right.get(this.#hash(guess), nowMs) === true
  }

  addRight(guess: Guess, nowMs: number): void {
    this.#right.set(this.#hash(guess), true, nowMs + REMEMBERED_MS)
    this.#tried.get(guess.network, nowMs)?.delete(this.#hash(guess))
  }

  /**
   * Records a password before it is checked, or after the check has failed. Each different password counts once. A
   * program that repeats an outdated password is not guessing, and must not lock out its network.
   * @returns whether the password differs from all earlier passwords in the cache
   */
  addTried(
    guess: Guess,
    { isWrong, nowMs, windowMs }: { isWrong: boolean; nowMs: number; windowMs: number },
  ): boolean {
    const known = this.#tried.get(guess.network, nowMs)
    const tried = known ?? new Map<string, boolean>()
    const hash = this.#hash(guess)
    const isNew = !tried.has(hash)
    if (!isNew || tried.size < GUESSES_MAX) tried.set(hash, isWrong || tried.get(hash) === true)
    if (!known) this.#tried.set(guess.network, tried, nowMs + windowMs)
    return isNew
  }

  isWrong(guess: Guess, nowMs: number): boolean {
    return this.#tried.get(guess.network, nowMs)?.get(this.#hash(guess)) === true
  }

  /** Whether a network has tried so many passwords that a correct password might be a guess. */
  isGuessing(network: string, nowMs: number): boolean {
    return (this.#tried.get(network, nowMs)?.size ?? 0) >= GUESSES_MAX
  }

  #hash({ username, password, network, stored }: Guess): string {
    const text = [username, network, stored, password].join('\0')
    return createHmac('sha256', this.#key).update(text).digest('base64')
  }
}
