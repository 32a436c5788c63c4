import { createHash } from 'node:crypto'
import { type ErrorSpec, shareErrors } from '@dropleaf/contract'

const MINUTE_MS = 60_000

/** What the rules of opening need to know of a share. */
export interface OpenableShare {
  readonly id: string
  readonly slug: string
  readonly password_hash: string | null
  readonly pin_hash: string | null
  readonly opening: 'direct' | 'ask'
  readonly expires_at_ms: number | null
  readonly max_views: number | null
  readonly views: number
  readonly purged_at_ms: number | null
}

/** A stored intent: of which share, and from when on it works. */
export interface Intent {
  readonly shareId: string
  readonly slug: string
  readonly fromMs: number
}

/** Only this is stored of a device's token. */
export const deviceHashOf = (device: string): string => createHash('sha256').update(device).digest('hex')

/** Why an intent does not open the share, or `null`. @param intent `undefined` if it is unknown, spent or expired */
export function findIntentProblem(
  intent: Intent | undefined,
  { share, nowMs }: { share: Pick<OpenableShare, 'id' | 'slug'>; nowMs: number },
): ErrorSpec | null {
  if (!intent || intent.shareId !== share.id || intent.slug !== share.slug) return shareErrors.intent_invalid
  return nowMs < intent.fromMs ? shareErrors.too_early : null
}

/** Until when a device may come back: never beyond the share's expiry. */
export const graceUntil = (
  { expires_at_ms }: Pick<OpenableShare, 'expires_at_ms'>,
  { nowMs, minutes }: { nowMs: number; minutes: number },
): number => Math.min(nowMs + minutes * MINUTE_MS, expires_at_ms ?? Infinity)

/** Whether the contents are there for a device that may come back, used up or not. */
export const isReadable = (
  { expires_at_ms, purged_at_ms }: Pick<OpenableShare, 'expires_at_ms' | 'purged_at_ms'>,
  nowMs: number,
): boolean => purged_at_ms === null && (expires_at_ms === null || expires_at_ms > nowMs)
