const MINUTE_MS = 60_000
const DAY_MS = 86_400_000
const WEEK_DAYS = 7

/** Start of the last seven days, the day of `nowMs` included, in a time zone with this offset. */
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

/** Count of one day of the week; the first day is 0. */
export interface DayCount {
  readonly day: number
  readonly count: number
}

/** A count for each of the seven days, oldest first. Later times, of other clocks, are ignored. */
export const weekOf = (counts: readonly DayCount[]): number[] =>
  Array.from({ length: WEEK_DAYS }, (_, day) => counts.find((one) => one.day === day)?.count ?? 0)

/** Whole percent of a capacity that is used, 0 without one. */
export const percentOf = (used: number, total: number | null): number =>
  total ? Math.min(100, Math.round((used / total) * 100)) : 0
