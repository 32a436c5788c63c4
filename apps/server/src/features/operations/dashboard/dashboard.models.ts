const MINUTE_MS = 60_000
const DAY_MS = 86_400_000
const WEEK_DAYS = 7

/** Returns the start of the last seven days (including the day of `nowMs`) in a time zone with this offset. */
export function weekStartMs(nowMs: number, utcOffsetMinutes: number): number {
  const aheadMs = utcOffsetMinutes * MINUTE_MS
  return Math.floor((nowMs + aheadMs) / DAY_MS) * DAY_MS - (WEEK_DAYS - 1) * DAY_MS - aheadMs
}

/** Returns the dates of the seven days from `startMs` on, oldest first, as `2030-01-31`. */
export const datesFrom = (startMs: number, utcOffsetMinutes: number): string[] =>
  Array.from({ length: WEEK_DAYS }, (_, day) =>
    new Date(startMs + utcOffsetMinutes * MINUTE_MS + day * DAY_MS)
      .toISOString()
      .slice(0, 'yyyy-mm-dd'.length),
  )

/** Count for one day of the week; the first day is 0. */
export interface DayCount {
  readonly day: number
  readonly count: number
}

/** Returns a count for each of the seven days, oldest first. Ignores later days, which occur if a clock was ahead. */
export const weekOf = (counts: readonly DayCount[]): number[] =>
  Array.from({ length: WEEK_DAYS }, (_, day) => counts.find((one) => one.day === day)?.count ?? 0)

/** Returns the used percentage of a capacity, as an integer of at most 100; 0 without a capacity. */
export const percentOf = (used: number, total: number | null): number =>
  total ? Math.min(100, Math.round((used / total) * 100)) : 0
