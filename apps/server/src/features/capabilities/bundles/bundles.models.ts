import { bundleErrors, type ErrorSpec } from '@dropleaf/contract'
import type { BundleRow } from './bundles.table.ts'

type Lifetime = Pick<BundleRow, 'expires_at_ms' | 'max_views' | 'views' | 'purged_at_ms'>

export const hasExpired = (row: Lifetime, nowMs: number): boolean =>
  row.purged_at_ms !== null || (row.expires_at_ms !== null && row.expires_at_ms <= nowMs)

const isUsedUp = (row: Lifetime): boolean => row.max_views !== null && row.views >= row.max_views

/** Returns the error for an expired or used-up bundle, otherwise `null`. */
export function findEnd(row: Lifetime, nowMs: number): ErrorSpec | null {
  if (isUsedUp(row)) return bundleErrors.used_up
  return hasExpired(row, nowMs) ? bundleErrors.expired : null
}
