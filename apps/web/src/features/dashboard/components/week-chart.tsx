import { useState } from 'react'
import { formatNumber } from '../../../lib/format.ts'
import { useT } from '../../../i18n/use-translation.ts'
import { type Day, formatDay, scaleTop } from '../models/week.ts'
import styles from './week-chart.module.css'

const SERIES = ['texts', 'files'] as const
type Series = (typeof SERIES)[number]

/** Abbreviates longer numbers, because only four digits fit beside the axis. */
const COMPACT_FROM = 10_000

interface WeekChartProps {
  days: readonly Day[]
  view: 'bars' | 'line'
}

/** A chart of seven days. A table beside the chart has the same data, for accessibility. */
export function WeekChart({ days, view }: WeekChartProps) {
  const { t, language } = useT()
  const [shown, setShown] = useState<number | null>(null)
  const largest = Math.max(
    ...days.map(({ texts, files, total }) => (view === 'bars' ? total : Math.max(texts, files))),
  )
  const top = scaleTop(largest)
  const shownDay = shown === null ? undefined : days[shown]
  return (
    <div className={styles.chart} aria-hidden>
      <div className={styles.plot} onPointerLeave={() => setShown(null)}>
        {[top, top / 2, 0].map((mark) => (
          <span key={mark} className={styles.mark} style={{ bottom: `${(mark / top) * 100}%` }}>
            {new Intl.NumberFormat(language, {
              notation: mark < COMPACT_FROM ? 'standard' : 'compact',
            }).format(mark)}
          </span>
        ))}
        <div className={styles.columns}>
          {days.map((day, index) => (
            <div
              key={day.date}
              className={styles.column}
              data-shown={index === shown || undefined}
              onPointerEnter={() => setShown(index)}
              onPointerDown={() => setShown(index)}
            >
              {view === 'bars' && <Bar day={day} top={top} />}
            </div>
          ))}
          {view === 'line' && SERIES.map((of) => <Line key={of} days={days} of={of} top={top} />)}
        </div>
        {largest === 0 && (
          <p className={styles.noActivity}>
            <span>{t('dashboard.activity.quiet')}</span>
          </p>
        )}
        {shownDay && shown !== null && <Tip day={shownDay} index={shown} count={days.length} />}
      </div>
      <div className={styles.days}>
        {days.map(({ date }, index) => (
          <span key={date} data-today={index === days.length - 1 || undefined}>
            <DayName date={date} isToday={index === days.length - 1} />
            <small data-wide>{formatDay(date, language, { month: 'numeric', day: 'numeric' })}</small>
            <small data-narrow>{formatDay(date, language, { day: 'numeric' })}</small>
          </span>
        ))}
      </div>
    </div>
  )
}

/** In narrow columns, today's weekday is only bold, because the word for “today” is long in some languages. */
function DayName({ date, isToday }: { date: string; isToday: boolean }) {
  const { t, language } = useT()
  const weekday = formatDay(date, language, { weekday: 'short' })
  if (!isToday) return weekday
  return (
    <>
      <span data-wide>{t('dashboard.activity.today')}</span>
      <span data-narrow>{weekday}</span>
    </>
  )
}

function Bar({ day, top }: { day: Day; top: number }) {
  return (
    <div className={styles.bar}>
      {SERIES.toReversed().map(
        (of) =>
          day[of] > 0 && <span key={of} data-series={of} style={{ height: `${(day[of] / top) * 100}%` }} />,
      )}
    </div>
  )
}

function Line({ days, of, top }: { days: readonly Day[]; of: Series; top: number }) {
  const at = (index: number) => ((index + 0.5) / days.length) * 100
  const up = (day: Day) => (day[of] / top) * 100
  const points = days.map((day, index) => `${at(index)},${100 - up(day)}`).join(' ')
  return (
    <>
      <svg className={styles.line} data-series={of} viewBox="0 0 100 100" preserveAspectRatio="none">
        <polyline points={points} />
      </svg>
      {days.map((day, index) => (
        <span
          key={day.date}
          className={styles.point}
          data-series={of}
          style={{ left: `${at(index)}%`, bottom: `${up(day)}%` }}
        />
      ))}
    </>
  )
}

function Tip({ day, index, count }: { day: Day; index: number; count: number }) {
  const { t, language } = useT()
  // The tooltip is beside its day, so that the day stays visible.
  const side = index < count / 2 ? 'start' : 'end'
  return (
    <div className={styles.tip} data-side={side} style={{ left: `${((index + 0.5) / count) * 100}%` }}>
      <b>{formatDay(day.date, language, { weekday: 'long', month: 'short', day: 'numeric' })}</b>
      {SERIES.map((of) => (
        <span key={of} className={styles.legend} data-series={of}>
          {t(`dashboard.activity.${of}`)} <b>{formatNumber(day[of], language)}</b>
        </span>
      ))}
      <span>
        {t('dashboard.activity.total')} <b>{formatNumber(day.total, language)}</b>
      </span>
    </div>
  )
}
