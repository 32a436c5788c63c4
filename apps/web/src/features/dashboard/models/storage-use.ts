import type { DashboardStats } from '../api/dashboard.queries.ts'

export type StorageUse = DashboardStats['s3Buckets'][number]

/** Severity of a quota: `high` above 60 percent, `over` above 80 percent, `full` at the limit. */
export type QuotaTone = 'calm' | 'high' | 'over' | 'full'

const HIGH_PERCENT = 60
const OVER_PERCENT = 80

/** Returns the severity of a quota; `null` if there is no limit. */
export function quotaToneOf({
  usedStorage,
  totalStorage,
  hasLimit,
  usagePercent,
}: QuotaFigures): QuotaTone | null {
  if (!hasLimit) return null
  if (usedStorage >= totalStorage) return 'full'
  if (usagePercent > OVER_PERCENT) return 'over'
  return usagePercent > HIGH_PERCENT ? 'high' : 'calm'
}
type QuotaFigures = Pick<StorageUse, 'usedStorage' | 'totalStorage' | 'hasLimit' | 'usagePercent'>

/** Sorts storages that are near or over their quota first, then by size, then by name. */
export const inOrder = (storages: readonly StorageUse[]): readonly StorageUse[] =>
  storages.toSorted(
    (a, b) =>
      Number(isPressing(b)) - Number(isPressing(a)) ||
      b.usedStorage - a.usedStorage ||
      a.name.localeCompare(b.name),
  )
const isPressing = (storage: StorageUse) => ['over', 'full'].includes(quotaToneOf(storage) ?? '')

/** A segment of the distribution. */
export interface Part {
  /** `null` for the storages that are too small to be shown separately. */
  readonly storage: StorageUse | null
  /** A fraction from 0 to 1. */
  readonly share: number
  /** Number of storages in this part. */
  readonly count: number
}

/** Returns the largest storages by size, and one part for all others. Empty while nothing is stored. */
export function distribution(storages: readonly StorageUse[], shown: number): readonly Part[] {
  const filled = storages
    .filter(({ usedStorage }) => usedStorage > 0)
    .toSorted((a, b) => b.usedStorage - a.usedStorage)
  const total = filled.reduce((sum, { usedStorage }) => sum + usedStorage, 0)
  const isEnough = filled.length <= shown
  const named = isEnough ? filled : filled.slice(0, shown - 1)
  const others = filled.slice(named.length)
  return [
    ...named.map((storage) => ({ storage, share: storage.usedStorage / total, count: 1 })),
    ...(others.length === 0
      ? []
      : [
          {
            storage: null,
            share: others.reduce((sum, { usedStorage }) => sum + usedStorage, 0) / total,
            count: others.length,
          },
        ]),
  ]
}
