import { IconChartBar, IconChartLine, IconTable, type IconProps } from '@tabler/icons-react'
import { type ComponentType, useState } from 'react'
import { formatNumber } from '../../../lib/format.ts'
import { useT } from '../../../i18n/use-translation.ts'
import { Panel } from '../../../ui/layout/panel.tsx'
import { SegmentedControl } from '../../../ui/buttons/segmented-control.tsx'
import { SkeletonLines } from '../../../ui/feedback/skeleton.tsx'
import type { DashboardStats } from '../api/dashboard.queries.ts'
import {
  busiestOf,
  type Day,
  daysOf,
  formatDay,
  readWeekView,
  rememberWeekView,
  WEEK_VIEWS,
  type WeekView,
} from '../models/week.ts'
import styles from './dashboard.module.css'
import weekStyles from './week-chart.module.css'
import { WeekChart } from './week-chart.tsx'

const ICONS: Readonly<Record<WeekView, ComponentType<IconProps>>> = {
  bars: IconChartBar,
  line: IconChartLine,
  table: IconTable,
}

/** Shows the shares of the last seven days as a chart or a table. */
export function ActivityPanel({ stats }: { stats: DashboardStats | undefined }) {
  const { t } = useT()
  const [view, setView] = useState(readWeekView)
  const choose = (next: WeekView) => {
    setView(next)
    rememberWeekView(next)
  }
  const choices = WEEK_VIEWS.map((value) => {
    const Icon = ICONS[value]
    const name = t(`dashboard.activity.views.${value}`)
    return {
      value,
      label: (
        <span className={weekStyles.choice} title={name}>
          <Icon size={18} aria-hidden />
          <span className="dl-sr">{name}</span>
        </span>
      ),
    }
  })
  return (
    <Panel
      title={t('dashboard.activity.title')}
      actions={
        <SegmentedControl
          isSmall
          label={t('dashboard.activity.view')}
          value={view}
          options={choices}
          onChange={choose}
        />
      }
    >
      {stats ? (
        <Week days={daysOf(stats)} view={view} />
      ) : (
        <SkeletonLines label={t('table.loading')} widths={['40%', '100%', '90%', '96%', '70%']} />
      )}
    </Panel>
  )
}

function Week({ days, view }: { days: readonly Day[]; view: WeekView }) {
  const { t, language } = useT()
  const busiest = busiestOf(days)
  const sum = (of: 'texts' | 'files') =>
    formatNumber(
      days.reduce((total, day) => total + day[of], 0),
      language,
    )
  return (
    <>
      {view !== 'table' && <WeekChart days={days} view={view} />}
      <div className={view === 'table' ? undefined : 'dl-sr'}>
        <WeekTable days={days} />
      </div>
      <p className={weekStyles.weekFacts}>
        <span className={weekStyles.legend} data-series="texts">
          {t('dashboard.activity.texts')} <b>{sum('texts')}</b>
        </span>
        <span className={weekStyles.legend} data-series="files">
          {t('dashboard.activity.files')} <b>{sum('files')}</b>
        </span>
        {busiest && (
          <span className={weekStyles.busiest}>
            {t('dashboard.activity.busiest', {
              day: formatDay(busiest.date, language, { weekday: 'long', month: 'short', day: 'numeric' }),
              count: formatNumber(busiest.total, language),
            })}
          </span>
        )}
      </p>
    </>
  )
}

function WeekTable({ days }: { days: readonly Day[] }) {
  const { t, language } = useT()
  return (
    <table className={styles.table}>
      <caption className="dl-sr">{t('dashboard.activity.caption')}</caption>
      <thead>
        <tr>
          <th scope="col">{t('dashboard.activity.day')}</th>
          <th scope="col">{t('dashboard.activity.texts')}</th>
          <th scope="col">{t('dashboard.activity.files')}</th>
          <th scope="col">{t('dashboard.activity.total')}</th>
        </tr>
      </thead>
      <tbody>
        {days.map(({ date, texts, files, total }) => (
          <tr key={date}>
            <th scope="row">
              {formatDay(date, language, { weekday: 'short', month: 'short', day: 'numeric' })}
            </th>
            <td>{formatNumber(texts, language)}</td>
            <td>{formatNumber(files, language)}</td>
            <td>{formatNumber(total, language)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
