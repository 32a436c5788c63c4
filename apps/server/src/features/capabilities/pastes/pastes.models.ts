import { type ErrorSpec, pasteErrors } from '@dropleaf/contract'
import type { PasteRow } from './pastes.table.ts'

type Lifetime = Pick<PasteRow, 'expires_at_ms' | 'max_views' | 'views' | 'purged_at_ms'>

/**
 * Returns the error for an expired or used-up share, otherwise `null`. A share expires at `expires_at`, even if the
 * sweep has not purged it yet.
 */
export function findEnd(row: Lifetime, nowMs: number): ErrorSpec | null {
  const isUsedUp = row.max_views !== null && row.views >= row.max_views
  if (isUsedUp) return pasteErrors.used_up
  const hasExpired = row.expires_at_ms !== null && row.expires_at_ms <= nowMs
  return hasExpired || row.purged_at_ms !== null ? pasteErrors.expired : null
}

/**
 * Returns the error for a share that can no longer be changed, otherwise `null`. While devices are allowed to reopen a
 * used-up share, its owner can still set another password, or raise the view limit.
 */
export function findFinalEnd(
  row: Lifetime & Pick<PasteRow, 'grace_until_ms'>,
  nowMs: number,
): ErrorSpec | null {
  const hasExpired = row.expires_at_ms !== null && row.expires_at_ms <= nowMs
  const isHeld = row.grace_until_ms !== null && row.grace_until_ms > nowMs
  return isHeld && !hasExpired && row.purged_at_ms === null ? null : findEnd(row, nowMs)
}
