import { createHash } from 'node:crypto'
import { type ErrorSpec, shareErrors } from '@dropleaf/contract'

const MINUTE_MS = 60_000

/** The fields of a share that determine whether it can be opened. */
export interface OpenableShare {
  readonly id: string
  readonly slug: string
  readonly password_hash: string | null
  readonly pin_hash: string | null
  /** Parameters that derive a key from the password of a sealed bundle; absent without a password. */
  readonly kdf?: string | null
  readonly opening: 'direct' | 'ask'
  readonly expires_at_ms: number | null
  readonly max_views: number | null
  readonly views: number
  readonly purged_at_ms: number | null
}

/** A stored intent to open a share. It is not valid before `fromMs`. */
export interface Intent {
  readonly shareId: string
  readonly slug: string
  readonly fromMs: number
}

/** Returns the hash of a device's token. Only the hash is stored. */
export const deviceHashOf = (device: string): string => createHash('sha256').update(device).digest('hex')

/**
 * Returns why an intent does not open the share, or `null`.
 * @param intent `undefined` if it is unknown, used or expired
 */
export function findIntentProblem(
  intent: Intent | undefined,
  { share, nowMs }: { share: Pick<OpenableShare, 'id' | 'slug'>; nowMs: number },
): ErrorSpec | null {
  if (!intent || intent.shareId !== share.id || intent.slug !== share.slug) return shareErrors.intent_invalid
  return nowMs < intent.fromMs ? shareErrors.too_early : null
}

/**
 * Returns the time until which a device is allowed to reopen the share. The time is never later than the share's
 * expiry.
 */
export const graceUntil = (
  { expires_at_ms }: Pick<OpenableShare, 'expires_at_ms'>,
  { nowMs, minutes }: { nowMs: number; minutes: number },
): number => Math.min(nowMs + minutes * MINUTE_MS, expires_at_ms ?? Infinity)

/**
 * Whether a device that is allowed to reopen the share can still read its contents. The result does not depend on the
 * view limit.
 */
export const isReadable = (
  { expires_at_ms, purged_at_ms }: Pick<OpenableShare, 'expires_at_ms' | 'purged_at_ms'>,
  nowMs: number,
): boolean => purged_at_ms === null && (expires_at_ms === null || expires_at_ms > nowMs)
