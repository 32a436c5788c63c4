import { createHmac, randomBytes } from 'node:crypto'
import { hash, verify } from '@node-rs/argon2'
import { ExpiringCache } from './expiring-cache.ts'

/**
 * Memory in KiB, passes and lanes of argon2id.
 * Source: OWASP Password Storage Cheat Sheet, "Argon2id", 19 MiB and 2 passes, read 2026-11-20.
 */
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }
/** Each check holds 19 MiB; more at once would be memory for an attacker to use. */
const MAX_AT_ONCE = 2

/** Lets at most `limit` of the given works run at once; the others wait in order. */
function limitConcurrency(limit: number) {
  let running = 0
  const waiting: Array<() => void> = []
  return async function run<T>(work: () => Promise<T>): Promise<T> {
    if (running >= limit) await new Promise<void>((resolve) => waiting.push(resolve))
    else running += 1
    try {
      return await work()
    } finally {
      const next = waiting.shift()
      if (next) next()
      else running -= 1
    }
  }
}

export interface Passwords {
  /** Salted argon2id hash in PHC form. */
  hash(password: string): Promise<string>
  /** Whether `password` belongs to `stored`; an unreadable `stored` is a no. */
  verify(stored: string, password: string): Promise<boolean>
  /** Spends the time of a check where there is nothing to check, so that the answer does not tell unknown names from wrong passwords. */
  pretendToVerify(password: string): Promise<void>
}

/** @param cost of a new hash; a check costs what its hash was made with. */
export function createPasswords(cost: typeof COST = COST): Passwords {
  const limited = limitConcurrency(MAX_AT_ONCE)
  const hashed = (password: string) => limited(() => hash(password, cost))
  return {
    hash: hashed,
    verify: (stored, password) => limited(() => verify(stored, password).catch(() => false)),
    async pretendToVerify(password) {
      await hashed(password)
    },
  }
}

const REMEMBERED_MS = 5 * 60_000
const REMEMBERED_MAX = 100
/** Of this process only, so that what is remembered is of no use outside it. */
const memoKey = randomBytes(32)
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
const guesses = new ExpiringCache<Set<string>>({ name: 'password-guesses', capacity: NETWORKS_MAX })

/**
 * Notes a wrong password, each different one once: a program that goes on with an outdated one guesses nothing, and must not
 * keep its neighbours out.
 */
export function noteGuess(
  { username, password, network }: { username: string; password: string; network: string },
  { nowMs, windowMs }: { nowMs: number; windowMs: number },
): void {
  const known = guesses.get(network, nowMs)
  const words = known ?? new Set()
  if (words.size < GUESSES_MAX) words.add(memoOf(username, network, password))
  if (!known) guesses.set(network, words, nowMs + windowMs)
}

/** Whether a network has tried so many passwords that one of its own is as likely guessed as known. */
export const isGuessedAt = (network: string, nowMs: number): boolean =>
  (guesses.get(network, nowMs)?.size ?? 0) >= GUESSES_MAX
