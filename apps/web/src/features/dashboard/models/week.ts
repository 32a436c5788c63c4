import { readStored, writeStored } from '../../../lib/browser/storage.ts'
import type { DashboardStats } from '../api/dashboard.queries.ts'

export const WEEK_VIEWS = ['bars', 'line', 'table'] as const
export type WeekView = (typeof WEEK_VIEWS)[number]

const VIEW_KEY = 'dropleaf_dashboard_view'

export const readWeekView = (): WeekView => WEEK_VIEWS.find((view) => view === readStored(VIEW_KEY)) ?? 'bars'
export const rememberWeekView = (view: WeekView): boolean => writeStored(VIEW_KEY, view)

export interface Day {
  /** Such as `2030-01-31`. */
  readonly date: string
  readonly texts: number
  readonly files: number
  readonly total: number
}

/** Returns how many texts and files were shared on each of the last seven days, oldest first. */
export const daysOf = ({ lastWeekDays, lastWeekPastes, lastWeekFiles }: WeekFigures): readonly Day[] =>
  lastWeekDays.map((date, index) => {
    const texts = lastWeekPastes[index] ?? 0
    const files = lastWeekFiles[index] ?? 0
    return { date, texts, files, total: texts + files }
  })
type WeekFigures = Pick<DashboardStats, 'lastWeekDays' | 'lastWeekPastes' | 'lastWeekFiles'>

/**
 * Returns the day with the most shares; the latest such day if several are equal. Returns `null` if there are no
 * shares.
 */
export const busiestOf = (days: readonly Day[]): Day | null =>
  days.reduce<Day | null>(
    (most, day) => (day.total > 0 && day.total >= (most?.total ?? 0) ? day : most),
    null,
  )

const TOPS = [2, 4, 6, 8, 10] as const

/** Returns the top of an axis for integers up to `max`: a round number whose half is also an integer. */
export function scaleTop(max: number): number {
  const power = max <= 10 ? 1 : 10 ** Math.floor(Math.log10(max - 1))
  return (TOPS.find((top) => top * power >= max) ?? 10) * power
}

/** Formats a date without a time zone. */
export const formatDay = (date: string, locale: string, options: Intl.DateTimeFormatOptions): string =>
  new Intl.DateTimeFormat(locale, { ...options, timeZone: 'UTC' }).format(new Date(`${date}T00:00:00Z`))
