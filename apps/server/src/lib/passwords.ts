import { createHash, createHmac, createSecretKey, randomBytes } from 'node:crypto'
import { ExpiringCache } from './expiring-cache.ts'
import { createFairLanes } from './fair-queue.ts'

/**
 * Memory in KiB, passes and lanes of argon2id.
 * Source: OWASP Password Storage Cheat Sheet, "Argon2id", 19 MiB and 2 passes, read 2026-11-20.
 */
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }
/** Native code, loaded on first use to keep the start fast. */
const loadArgon2 = () => import('@node-rs/argon2')

async function hash(password: string, cost: typeof COST): Promise<string> {
  return (await loadArgon2()).hash(password, cost)
}

async function verify(stored: string, password: string): Promise<boolean> {
  return (await loadArgon2()).verify(stored, password)
}

/** Each check uses 19 MiB; an attacker could use up memory with more at once. */
const MAX_AT_ONCE = 2
/** One or two seconds of waiting; more would only hold connections open. */
const MAX_WAITING = 128
const MAX_WAITING_OF_ONE = 32

/**
 * Runs a few checks at a time, round robin by network.
 * @throws {AppError} `request.rate_limited` for a network with too many requests, `request.unavailable` if too many wait
 */
export interface Passwords {
  /** Salted argon2id hash in PHC form, for an authenticated caller. */
  hash(password: string): Promise<string>
  /** Hashes a password of which only the SHA-256 is known, in lower-case hex. See {@link isOfDigest}. */
  hashDigest(digest: string): Promise<string>
  /** Whether `password`, sent from `network`, matches `stored`; false if `stored` is unreadable. */
  verify(stored: string, shown: { password: string; network: string }): Promise<boolean>
  /** Takes as long as a check, so that the response time does not distinguish unknown names from wrong passwords. */
  pretendToVerify(shown: { password: string; network: string }): Promise<void>
}

/** Prefix of a hash of a password's SHA-256. */
const DIGEST_PREFIX = 'sha256+'

/** Whether a hash must be replaced at the next login. */
export const isOfDigest = (stored: string): boolean => stored.startsWith(DIGEST_PREFIX)

const digestOf = (password: string) => createHash('sha256').update(password).digest('hex')

function verifyEither(stored: string, password: string): Promise<boolean> {
  if (!isOfDigest(stored)) return verify(stored, password)
  return verify(stored.slice(DIGEST_PREFIX.length), digestOf(password))
}

/** Queue name for hashes of new passwords. No network has this name. */
const HOLDERS = ''

/** @param cost of a new hash; a check costs what its hash did. */
export function createPasswords(cost: typeof COST = COST): Passwords {
  const inLane = createFairLanes({
    atOnce: MAX_AT_ONCE,
    maxWaiting: MAX_WAITING,
    maxOfOne: MAX_WAITING_OF_ONE,
  })
  return {
    hash: (password) => inLane(HOLDERS, () => hash(password, cost)),
    hashDigest: async (digest) => DIGEST_PREFIX + (await inLane(HOLDERS, () => hash(digest, cost))),
    verify: (stored, { password, network }) =>
      inLane(network, () => verifyEither(stored, password).catch(() => false)),
    async pretendToVerify({ password, network }) {
      await inLane(network, () => hash(password, cost))
    },
  }
}

const REMEMBERED_MS = 5 * 60_000
const REMEMBERED_MAX = 100
/**
 * Random per process, so that cached entries are useless outside it. As a key object, because bytes would be converted
 * for each hash.
 */
const memoKey = createSecretKey(randomBytes(32))
const remembered = new ExpiringCache<true>({ name: 'passwords', capacity: REMEMBERED_MAX })

interface Shown {
  /** Hash that the password matched. */
  readonly stored: string
  readonly password: string
  /** Where the password was sent from: a success from one network must not help guesses from another. */
  readonly network: string
}

const memoOf = (...parts: readonly string[]): string =>
  createHmac('sha256', memoKey).update(parts.join('\0')).digest('base64')

const wordFor = ({ stored, password, network }: Shown): string => memoOf(stored, network, password)

/**
 * Whether this password has matched `stored` recently, sent from the same network. For clients that send it with each of
 * thousands of requests. A changed password has another `stored`.
 */
export const isKnownPassword = (shown: Shown, nowMs: number): boolean =>
  remembered.get(wordFor(shown), nowMs) === true

export const rememberPassword = (shown: Shown, nowMs: number): void =>
  remembered.set(wordFor(shown), true, nowMs + REMEMBERED_MS)

/** From this many different wrong passwords on, known passwords of a network no longer bypass its limit. */
const GUESSES_MAX = 100
const NETWORKS_MAX = 1000
/** By network: keyed hashes of tried passwords, and whether each was wrong. */
const guesses = new ExpiringCache<Map<string, boolean>>({ name: 'password-guesses', capacity: NETWORKS_MAX })

/** A tried password. A changed stored hash makes it a different guess. */
export interface Guess {
  readonly username: string
  readonly password: string
  readonly network: string
  /** Hash of the account; empty if there is no such account. */
  readonly stored: string
}

const wordOf = ({ username, password, network, stored }: Guess): string =>
  memoOf(username, network, stored, password)

/**
 * Records a password before its check or after it was wrong, each different one once: a program that repeats an outdated
 * password is not guessing, and must not lock out its network.
 * @returns whether it differs from those before, as far as the cache goes back.
 */
export function noteGuess(
  guess: Guess,
  { isWrong, nowMs, windowMs }: { isWrong: boolean; nowMs: number; windowMs: number },
): boolean {
  const known = guesses.get(guess.network, nowMs)
  const words = known ?? new Map<string, boolean>()
  const word = wordOf(guess)
  const isNew = !words.has(word)
  if (!isNew || words.size < GUESSES_MAX) words.set(word, isWrong || words.get(word) === true)
  if (!known) guesses.set(guess.network, words, nowMs + windowMs)
  return isNew
}

/** Removes a guess that was right. */
export const forgetGuess = (guess: Guess, nowMs: number): void =>
  void guesses.get(guess.network, nowMs)?.delete(wordOf(guess))

/** Whether this guess was wrong recently. */
export const isKnownWrong = (guess: Guess, nowMs: number): boolean =>
  guesses.get(guess.network, nowMs)?.get(wordOf(guess)) === true

/** Whether a network has tried so many passwords that a right one may be a guess. */
export const isGuessedAt = (network: string, nowMs: number): boolean =>
  (guesses.get(network, nowMs)?.size ?? 0) >= GUESSES_MAX
