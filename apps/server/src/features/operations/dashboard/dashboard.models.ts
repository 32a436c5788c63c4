const MINUTE_MS = 60_000
const DAY_MS = 86_400_000
const WEEK_DAYS = 7

/** Start of the day that lies six days before the one of `nowMs`, by a clock that is so many minutes ahead of UTC. */
export function weekStartMs(nowMs: number, utcOffsetMinutes: number): number {
  const aheadMs = utcOffsetMinutes * MINUTE_MS
  return Math.floor((nowMs + aheadMs) / DAY_MS) * DAY_MS - (WEEK_DAYS - 1) * DAY_MS - aheadMs
}

/** The dates of the seven days from `startMs` on, oldest first: `2030-01-31`. */
export const datesFrom = (startMs: number, utcOffsetMinutes: number): string[] =>
  Array.from({ length: WEEK_DAYS }, (_, day) =>
    new Date(startMs + utcOffsetMinutes * MINUTE_MS + day * DAY_MS)
      .toISOString()
      .slice(0, 'yyyy-mm-dd'.length),
  )

/** How much was made on one day of the week, which is 0 for the first. */
export interface DayCount {
  readonly day: number
  readonly count: number
}

/** A number for each of the seven days, oldest first. What was made later, by clocks that differ, is on none. */
export const weekOf = (counts: readonly DayCount[]): number[] =>
  Array.from({ length: WEEK_DAYS }, (_, day) => counts.find((one) => one.day === day)?.count ?? 0)

/** Whole percent of a capacity that is used, 0 without one. */
export const percentOf = (used: number, total: number | null): number =>
  total ? Math.min(100, Math.round((used / total) * 100)) : 0
