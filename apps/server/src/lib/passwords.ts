import { createHash } from 'node:crypto'
import { createFairLanes } from './fair-queue.ts'

/**
 * Memory in KiB, passes and lanes of argon2id.
 * Source: OWASP Password Storage Cheat Sheet, "Argon2id", 19 MiB and 2 passes, read 2026-11-20.
 */
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }
/** Loads native code on first use, to keep the start fast. */
const loadArgon2 = () => import('@node-rs/argon2')

async function hash(password: string, cost: typeof COST): Promise<string> {
  return (await loadArgon2()).hash(password, cost)
}

async function verify(stored: string, password: string): Promise<boolean> {
  return (await loadArgon2()).verify(stored, password)
}

/** Maximum number of concurrent checks. Each check uses 19 MiB, so an attacker could otherwise exhaust the memory. */
const MAX_AT_ONCE = 2
/**
 * Maximum number of waiting checks. This number of checks takes one or two seconds. More checks would only hold
 * connections open.
 */
const MAX_WAITING = 128
const MAX_WAITING_OF_ONE = 32

/**
 * Hashes and checks passwords, a few at a time, round robin by network.
 * @throws {AppError} `request.rate_limited` for a network with too many requests, `request.unavailable` if too many
 * requests wait
 */
export interface Passwords {
  /** Creates a salted argon2id hash in PHC format. Only for authenticated callers. */
  hash(password: string): Promise<string>
  /** Hashes a password that is known only by its SHA-256 in lower-case hex. See {@link isOfDigest}. */
  hashDigest(digest: string): Promise<string>
  /** Whether `password`, sent from `network`, matches `stored`; false if `stored` is unreadable. */
  verify(stored: string, shown: { password: string; network: string }): Promise<boolean>
  /** Takes as long as a check, so that the response time does not distinguish unknown names from wrong passwords. */
  pretendToVerify(shown: { password: string; network: string }): Promise<void>
}

/** Prefix of stored hashes that were computed from a password's SHA-256. */
const DIGEST_PREFIX = 'sha256+'

/** Whether a hash was computed from a SHA-256 digest. Such a hash must be replaced at the next login. */
export const isOfDigest = (stored: string): boolean => stored.startsWith(DIGEST_PREFIX)

const digestOf = (password: string) => createHash('sha256').update(password).digest('hex')

function verifyEither(stored: string, password: string): Promise<boolean> {
  if (!isOfDigest(stored)) return verify(stored, password)
  return verify(stored.slice(DIGEST_PREFIX.length), digestOf(password))
}

/** Queue name for hashing new passwords. No network has this name. */
const HOLDERS = ''

/** @param cost cost of new hashes; checking a password costs as much as creating its stored hash did */
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
