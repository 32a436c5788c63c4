import { createHash, createHmac, createSecretKey, randomBytes } from 'node:crypto'
import { ExpiringCache } from './expiring-cache.ts'
import { createFairLanes } from './fair-queue.ts'

/**
 * Memory in KiB, passes and lanes of argon2id.
 * Source: OWASP Password Storage Cheat Sheet, "Argon2id", 19 MiB and 2 passes, read 2026-11-20.
 */
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }
/** Machine code, which a start has no use for. */
const loadArgon2 = () => import('@node-rs/argon2')

async function hash(password: string, cost: typeof COST): Promise<string> {
  return (await loadArgon2()).hash(password, cost)
}

async function verify(stored: string, password: string): Promise<boolean> {
  return (await loadArgon2()).verify(stored, password)
}

/** Each check holds 19 MiB; more at once would be memory for an attacker to use. */
const MAX_AT_ONCE = 2
/** A second or two of waiting; more would keep connections open for nothing. */
const MAX_WAITING = 128
const MAX_WAITING_OF_ONE = 32

/**
 * A few works at a time; the networks that ask for checks take turns.
 * @throws {AppError} `request.rate_limited` to a network that asks for too many at once, `request.unavailable` when too many do
 */
export interface Passwords {
  /** Salted argon2id hash in PHC form, for somebody who has shown who they are. */
  hash(password: string): Promise<string>
  /** Hashes a password of which only the SHA-256 is known, as lowercase hex. See {@link isOfDigest}. */
  hashDigest(digest: string): Promise<string>
  /** Whether `password`, shown by `network`, belongs to `stored`; an unreadable `stored` is a no. */
  verify(stored: string, shown: { password: string; network: string }): Promise<boolean>
  /** Spends the time of a check where there is nothing to check, so that the answer does not tell unknown names from wrong passwords. */
  pretendToVerify(shown: { password: string; network: string }): Promise<void>
}

/** Before the hash of what is itself the SHA-256 of a password. */
const DIGEST_PREFIX = 'sha256+'

/** Whether a hash has to be replaced when its password is next entered. */
export const isOfDigest = (stored: string): boolean => stored.startsWith(DIGEST_PREFIX)

const digestOf = (password: string) => createHash('sha256').update(password).digest('hex')

function verifyEither(stored: string, password: string): Promise<boolean> {
  if (!isOfDigest(stored)) return verify(stored, password)
  return verify(stored.slice(DIGEST_PREFIX.length), digestOf(password))
}

/** Whom hashes of new passwords are for. No network is called so. */
const HOLDERS = ''

/** @param cost of a new hash; a check costs what its hash was made with. */
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
  /** Hash that the password was found to fit. */
  readonly stored: string
  readonly password: string
  /** Who showed it: what one has proved answers no other's guesses. */
  readonly network: string
}

const memoOf = (...parts: readonly string[]): string =>
  createHmac('sha256', memoKey).update(parts.join('\0')).digest('base64')

const wordFor = ({ stored, password, network }: Shown): string => memoOf(stored, network, password)

/**
 * Whether this very password was found to belong to `stored` a short while ago, shown by the same network. For clients that send it with each of
 * thousands of requests: it must be presented all the same, and a changed password is another `stored`.
 */
export const isKnownPassword = (shown: Shown, nowMs: number): boolean =>
  remembered.get(wordFor(shown), nowMs) === true

export const rememberPassword = (shown: Shown, nowMs: number): void =>
  remembered.set(wordFor(shown), true, nowMs + REMEMBERED_MS)

/** Different wrong passwords of one network, from which on what it has proved opens nothing past its limit. */
const GUESSES_MAX = 100
const NETWORKS_MAX = 1000
/** By network: words for what it has tried, and whether that was found to be wrong. */
const guesses = new ExpiringCache<Map<string, boolean>>({ name: 'password-guesses', capacity: NETWORKS_MAX })

/** What somebody has tried: another hash behind the name makes it something else. */
export interface Guess {
  readonly username: string
  readonly password: string
  readonly network: string
  /** Hash that belongs to the name; empty where the name is nobody's. */
  readonly stored: string
}

const wordOf = ({ username, password, network, stored }: Guess): string =>
  memoOf(username, network, stored, password)

/**
 * Notes a password before it is checked or after it was found to be wrong, each different one once: a program that goes on
 * with an outdated one guesses nothing, and must not keep its neighbours out.
 * @returns whether it is another one than those before, as far as anybody remembers.
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

/** It was right. */
export const forgetGuess = (guess: Guess, nowMs: number): void =>
  void guesses.get(guess.network, nowMs)?.delete(wordOf(guess))

/** Whether this very one was found to be wrong a while ago. */
export const isKnownWrong = (guess: Guess, nowMs: number): boolean =>
  guesses.get(guess.network, nowMs)?.get(wordOf(guess)) === true

/** Whether a network has tried so many passwords that one of its own is as likely guessed as known. */
export const isGuessedAt = (network: string, nowMs: number): boolean =>
  (guesses.get(network, nowMs)?.size ?? 0) >= GUESSES_MAX
