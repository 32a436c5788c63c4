const DAY_MS = 86_400_000
export const WEEK_DAYS = 7

/** Start of the UTC day that lies six days before the one of `nowMs`. */
export const weekStartMs = (nowMs: number): number =>
  Math.floor(nowMs / DAY_MS) * DAY_MS - (WEEK_DAYS - 1) * DAY_MS

/** How many instants fall on each of the seven UTC days from `startMs` on, oldest first. */
export function countByDay(instantsMs: readonly number[], startMs: number): number[] {
  const counts = Array.from({ length: WEEK_DAYS }, () => 0)
  for (const instant of instantsMs) {
    const day = Math.floor((instant - startMs) / DAY_MS)
    if (day >= 0 && day < WEEK_DAYS) counts[day] = (counts[day] ?? 0) + 1
  }
  return counts
}

/** Whole percent of a capacity that is used, 0 without one. */
export const percentOf = (used: number, total: number | null): number =>
  total ? Math.min(100, Math.round((used / total) * 100)) : 0
