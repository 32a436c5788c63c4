import type { DashboardStats } from '../api/dashboard.queries.ts'

export type StorageUse = DashboardStats['s3Buckets'][number]

/** Severity of a quota: high from 60 percent, over from 80. */
export type QuotaTone = 'calm' | 'high' | 'over' | 'full'

const HIGH_PERCENT = 60
const OVER_PERCENT = 80

/** `null` without a limit. */
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

/** By usage ratio, then by size, then by name. */
export const inOrder = (storages: readonly StorageUse[]): readonly StorageUse[] =>
  storages.toSorted(
    (a, b) =>
      Number(isPressing(b)) - Number(isPressing(a)) ||
      b.usedStorage - a.usedStorage ||
      a.name.localeCompare(b.name),
  )
const isPressing = (storage: StorageUse) => ['over', 'full'].includes(quotaToneOf(storage) ?? '')

/** A part of the total size. */
export interface Part {
  /** `null` for all that are too small to be shown separately. */
  readonly storage: StorageUse | null
  /** A fraction from 0 to 1. */
  readonly share: number
  /** How many storages it includes. */
  readonly count: number
}

/** The largest storages by size, and the others together. Empty while nothing is stored. */
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
