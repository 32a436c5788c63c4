import { RECONCILIATION_KINDS, type ReconciliationKind, type ReconciliationReport } from '@dropleaf/contract'
import { Button } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { formatBytes, formatNumber, formatRelative } from '../../../lib/format.ts'
import { errorText } from '../../../i18n/error-text.ts'
import { useT } from '../../../i18n/use-translation.ts'
import { notify } from '../../../lib/notices.ts'
import { FailedBanner } from '../../../ui/feedback/failed-banner.tsx'
import { Banner } from '../../../ui/feedback/message.tsx'
import { Panel } from '../../../ui/layout/panel.tsx'
import progressStyles from '../../../ui/feedback/progress.module.css'
import { SkeletonLines } from '../../../ui/feedback/skeleton.tsx'
import {
  beginCheck,
  isUnderWay,
  type LastCheck,
  reconciliationQueries,
} from '../api/reconciliation.queries.ts'
import styles from './reconciliation.module.css'
import { RepairDialog } from './repair-dialog.tsx'

/** Compares the database with the storages, shows inconsistencies, and repairs them on request. */
export function ReconciliationPanel() {
  const { t } = useT()
  const last = useQuery(reconciliationQueries.last())
  const [repaired, setRepaired] = useState<ReconciliationKind | null>(null)
  const queryClient = useQueryClient()
  const begin = useMutation({
    mutationFn: beginCheck,
    onSuccess: () => queryClient.invalidateQueries({ queryKey: reconciliationQueries.last().queryKey }),
    onError: (error) => notify('error', errorText(error)),
  })
  const outcomeOf = useOutcome()
  const isBusy = begin.isPending || (last.data !== undefined && isUnderWay(last.data))
  const repair = (kind: ReconciliationKind) => {
    setRepaired(null)
    begin.mutate([kind])
  }
  const report = last.data?.report
  return (
    <Panel
      title={t('reconciliation.title')}
      actions={
        <Button
          size="compact-sm"
          variant="default"
          disabled={!last.data || isBusy}
          onClick={() => begin.mutate([])}
        >
          {t('reconciliation.begin')}
        </Button>
      }
    >
      {/* The live region is separate, because the numbers of a running check change too often. */}
      <output className="dl-sr">
        {begin.isSuccess && last.data && (isBusy ? t('reconciliation.begun') : outcomeOf(last.data))}
      </output>
      {last.isError && <FailedBanner error={last.error} onRetry={() => void last.refetch()} />}
      {last.isPending && <SkeletonLines label={t('table.loading')} widths={['90%', '60%']} />}
      {last.data && <State last={last.data} />}
      {report && !isBusy && <Findings report={report} onRepair={setRepaired} />}
      {report && repaired && (
        <RepairDialog
          kind={repaired}
          report={report}
          onCancel={() => setRepaired(null)}
          onConfirm={() => repair(repaired)}
        />
      )}
    </Panel>
  )
}

/** Returns a function that describes a finished check in one line. */
function useOutcome(): (last: LastCheck) => string | null {
  const { t, language } = useT()
  return ({ task, report }) => {
    if (task?.state === 'cancelled') return t('reconciliation.cancelled')
    if (task === null || report === null) return null
    const isClean = RECONCILIATION_KINDS.every((kind) => report.found[kind].count === 0)
    const time = formatRelative(task.finished_at ?? task.updated_at, language)
    const count = task.progress.doneItems
    return t(isClean ? 'reconciliation.clean' : 'reconciliation.done', { time, count })
  }
}

/** Shows the state of the last check. */
function State({ last }: { last: LastCheck }) {
  const { t } = useT()
  const outcomeOf = useOutcome()
  const { task } = last
  if (task === null) return <p className={styles.quiet}>{t('reconciliation.never')}</p>
  if (isUnderWay(last)) {
    return (
      <div className={styles.running}>
        <span>{t('reconciliation.running', { count: task.progress.doneItems })}</span>
        <progress className={progressStyles.bar} aria-label={t('reconciliation.title')} />
      </div>
    )
  }
  const unread = task.failures.map(({ path, message }) => ({ path, message }))
  const outcome = outcomeOf(last)
  return (
    <>
      {unread.length > 0 && task.state !== 'cancelled' && (
        <Banner tone="warning">
          {t('reconciliation.unread')}
          <ul className={styles.names}>
            {unread.map(({ path, message }) => (
              <li key={path}>{path === '' ? message : `${path}: ${message}`}</li>
            ))}
          </ul>
        </Banner>
      )}
      {outcome !== null && <p className={styles.quiet}>{outcome}</p>}
    </>
  )
}

interface FindingsProps {
  report: ReconciliationReport
  onRepair: (kind: ReconciliationKind) => void
}

/** Lists inconsistencies by kind; renders nothing if there are none. */
function Findings({ report, onRepair }: FindingsProps) {
  const { t, language } = useT()
  const kinds = RECONCILIATION_KINDS.filter((kind) => report.found[kind].count > 0)
  if (kinds.length === 0) return null
  return (
    <ul className={styles.findings}>
      {kinds.map((kind) => {
        const { count, bytes, removed } = report.found[kind]
        const facts = [
          formatNumber(count, language),
          bytes > 0 && formatBytes(bytes, language),
          removed > 0 && t('reconciliation.removed', { count: formatNumber(removed, language) }),
        ]
        return (
          <li key={kind} className={styles.finding}>
            <div className={styles.words}>
              <h3 className={styles.name}>{t(`reconciliation.kinds.${kind}.name`)}</h3>
              <span className={styles.facts}>{facts.filter((fact) => fact !== false).join(' · ')}</span>
            </div>
            {removed < count && (
              <Button
                size="compact-sm"
                variant="subtle"
                aria-label={t('reconciliation.repairOf', { name: t(`reconciliation.kinds.${kind}.name`) })}
                onClick={() => onRepair(kind)}
              >
                {t('reconciliation.repair')}
              </Button>
            )}
          </li>
        )
      })}
    </ul>
  )
}
