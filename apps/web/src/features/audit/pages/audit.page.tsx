import { AUDIT_ACTIONS, AUDIT_OUTCOMES } from '@dropleaf/contract'
import { Button } from '@mantine/core'
import { IconDownload, IconHistory, IconRefresh } from '@tabler/icons-react'
import { useInfiniteQuery, useMutation, useQuery } from '@tanstack/react-query'
import { useRef } from 'react'
import { ApiError } from '../../../lib/api-error.ts'
import { apiKeyQueries } from '../../../domains/api/api-key-queries.ts'
import { formatDateTime, formatNumber } from '../../../lib/format.ts'
import { errorText } from '../../../i18n/error-text.ts'
import { useT } from '../../../i18n/use-translation.ts'
import { notify } from '../../../lib/notices.ts'
import { saveBlob } from '../../../lib/browser/save-blob.ts'
import { type TableSearch, useTableSearch } from '../../../lib/table-search.ts'
import { type Column, DataTable } from '../../../ui/data-table/data-table.tsx'
import { NoMatch } from '../../../ui/data-table/no-match.tsx'
import { FailedBanner } from '../../../ui/feedback/failed-banner.tsx'
import { useKeptFocus } from '../../../ui/focus/focus-restore.ts'
import { PageMessage } from '../../../ui/feedback/message.tsx'
import { ModuleHeader } from '../../../ui/layout/module-header.tsx'
import { FilterSelect, FoldedFilters } from '../../../domains/shares/table/share-filters.tsx'
import { SkeletonLines } from '../../../ui/feedback/skeleton.tsx'
import { ToolButton } from '../../../ui/buttons/tool-button.tsx'
import { type AuditEntry, auditQueries, type AuditFilter, fetchAudit } from '../api/audit.queries.ts'
import { PERIODS, auditFilterOf } from '../audit-filter.ts'
import { namesOfSettings } from '../setting-names.ts'
import { nameOfTarget } from '../target-name.ts'
import styles from './audit.module.css'

const NO_FILTER = {
  creator: undefined,
  action: undefined,
  state: undefined,
  period: undefined,
} satisfies Partial<TableSearch>

/** Shows actions of administrators, API keys and visitors, newest first. */
export function AuditPage() {
  const { t } = useT()
  const { search, change } = useTableSearch()
  const filter = auditFilterOf(search)
  const log = useInfiniteQuery(auditQueries.pages(filter))
  const columns = useAuditColumns()
  const entries = log.data?.pages.flatMap((page) => page.entries) ?? []
  const keptDays = log.data?.pages[0]?.kept_days
  const isNarrowed = Object.values(filter).some((value) => value !== undefined)
  return (
    <>
      <ModuleHeader title={t('manage.modules.audit')} text={<Kept days={keptDays} />}>
        <ToolButton
          label={t('table.refresh')}
          icon={<IconRefresh size={20} aria-hidden />}
          isBusy={log.isFetching}
          onClick={() => void log.refetch()}
        />
        <ExportButton filter={filter} format="csv" label={t('audit.exportCsv')} />
        <ExportButton filter={filter} format="jsonl" label={t('audit.exportJson')} />
      </ModuleHeader>
      <AuditFilters search={search} entries={entries} onChange={change} />
      {log.isError && <FailedBanner error={log.error} onRetry={() => void log.refetch()} />}
      {log.isPending && <SkeletonLines label={t('table.loading')} />}
      {log.data && entries.length === 0 && isNarrowed && <NoMatch onClear={() => change(NO_FILTER)} />}
      {log.data && entries.length === 0 && !isNarrowed && (
        <PageMessage
          level={2}
          icon={<IconHistory size={28} aria-hidden />}
          title={t('audit.empty.title')}
          text={t('audit.empty.text')}
        />
      )}
      {entries.length > 0 && (
        <DataTable
          label={t('manage.modules.audit')}
          columns={columns}
          rows={entries}
          rowId={({ id }) => id}
          rowName={({ action }) => t(`audit.actions.${action}`)}
          isBusy={log.isFetching && !log.isFetchingNextPage}
        />
      )}
      <Earlier
        shownCount={(log.data?.pages.length ?? 0) > 1 ? entries.length : null}
        hasMore={log.hasNextPage}
        isBusy={log.isFetchingNextPage}
        onMore={() => void log.fetchNextPage()}
      />
    </>
  )
}

interface EarlierProps {
  /** `null` until a second page is loaded. */
  shownCount: number | null
  hasMore: boolean
  isBusy: boolean
  onMore: () => void
}

function Earlier({ shownCount, hasMore, isBusy, onMore }: EarlierProps) {
  const { t, language } = useT()
  const place = useRef<HTMLDivElement>(null)
  // Keeps the focus when the button disappears with the last page.
  useKeptFocus(place)
  const counted = shownCount !== null && { count: shownCount, number: formatNumber(shownCount, language) }
  return (
    <div ref={place} className={styles.more} tabIndex={-1}>
      <output>{counted && t(hasMore ? 'audit.shown' : 'audit.allShown', counted)}</output>
      {hasMore && (
        <Button variant="default" loading={isBusy} onClick={onMore}>
          {t('audit.more')}
        </Button>
      )}
    </div>
  )
}

/** Placeholder for the number of days, so that the text has the same number of lines after loading. */
const USUAL_DAYS = 365

function Kept({ days }: { days: number | undefined }) {
  const { t } = useT()
  if (days !== undefined) return t('audit.kept', { count: days })
  return (
    <span className={styles.coming} aria-hidden>
      {t('audit.kept', { count: USUAL_DAYS })}
    </span>
  )
}

interface ExportButtonProps {
  filter: AuditFilter
  format: 'csv' | 'jsonl'
  label: string
}

function ExportButton({ filter, format, label }: ExportButtonProps) {
  const { t } = useT()
  const exporting = useMutation({
    mutationFn: () => fetchAudit(filter, format),
    onSuccess: (blob) => {
      saveBlob(blob, `dropleaf-audit-${new Date().toISOString().slice(0, 'yyyy-mm-dd'.length)}.${format}`)
      notify('success', t('audit.exported'))
    },
    onError: (error) => notify('error', errorText(error)),
  })
  return (
    <Button
      variant="default"
      leftSection={<IconDownload size={18} aria-hidden />}
      loading={exporting.isPending}
      onClick={() => exporting.mutate()}
    >
      {label}
    </Button>
  )
}

/** Finds deleted API keys that the log still mentions. */
function goneKeys(entries: readonly AuditEntry[], keys: ReadonlyArray<{ readonly id: string }>) {
  const known = new Set(keys.map(({ id }) => id))
  const gone = new Map<string, string>()
  for (const { actor } of entries)
    if (actor.kind === 'key' && actor.id !== null && !known.has(actor.id))
      gone.set(actor.id, actor.name ?? actor.id)
  return [...gone]
}

interface AuditFiltersProps {
  search: TableSearch
  entries: readonly AuditEntry[]
  onChange: (change: Partial<TableSearch>) => void
}

function AuditFilters({ search, entries, onChange }: AuditFiltersProps) {
  const { t } = useT()
  const { data: keys } = useQuery(apiKeyQueries.all())
  const gone = keys ? goneKeys(entries, keys) : []
  return (
    <search className={styles.filters}>
      <FoldedFilters narrowing={[search.creator, search.action, search.state, search.period]}>
        <FilterSelect
          label={t('audit.columns.actor')}
          all={t('audit.filters.actor')}
          value={search.creator}
          options={[
            { value: 'admin', label: t('manage.administrator') },
            { value: 'visitor', label: t('audit.visitor') },
            ...(keys ?? []).map(({ id, name }) => ({ value: `apikey:${id}`, label: name })),
            ...gone.map(([id, name]) => ({ value: `apikey:${id}`, label: t('audit.goneKey', { name }) })),
          ]}
          onChange={(creator) => onChange({ creator })}
        />
        <FilterSelect
          label={t('audit.columns.action')}
          all={t('audit.filters.action')}
          value={search.action}
          options={AUDIT_ACTIONS.map((action) => ({ value: action, label: t(`audit.actions.${action}`) }))}
          onChange={(action) => onChange({ action })}
        />
        <FilterSelect
          label={t('audit.columns.outcome')}
          all={t('audit.filters.outcome')}
          value={search.state}
          options={AUDIT_OUTCOMES.map((outcome) => ({
            value: outcome,
            label: t(`audit.outcomes.${outcome}`),
          }))}
          onChange={(state) => onChange({ state })}
        />
        <FilterSelect
          label={t('audit.columns.time')}
          all={t('audit.filters.period')}
          value={search.period}
          options={PERIODS.map((period) => ({ value: period, label: t(`audit.periods.${period}`) }))}
          onChange={(period) => onChange({ period })}
        />
      </FoldedFilters>
    </search>
  )
}

/** Explains why a request was refused, with its error code. */
function Refusal({ status, code }: Pick<AuditEntry, 'status' | 'code'>) {
  const { t } = useT()
  const reason =
    code === null ? String(status) : errorText(new ApiError({ kind: 'http', status, code, message: code }))
  return (
    <span className={styles.refused} title={code ?? undefined}>
      {t('audit.outcomes.refusedBecause', { reason })}
    </span>
  )
}

function useAuditColumns(): readonly Column<AuditEntry>[] {
  const { t, language } = useT()
  const nameOf = ({ kind, name }: AuditEntry['actor']): string => {
    if (kind === 'visitor')
      return name === null
        ? t('audit.visitor')
        : t('common.nameAndKind', { name: t('audit.visitor'), kind: name })
    return name ?? t(kind === 'admin' ? 'manage.administrator' : 'manage.keyHolder')
  }
  return [
    {
      id: 'action',
      header: t('audit.columns.action'),
      isTitle: true,
      cell: ({ action }) => <span className={styles.action}>{t(`audit.actions.${action}`)}</span>,
    },
    {
      id: 'target',
      header: t('audit.columns.target'),
      cell: ({ action, target }) =>
        target === null ? (
          <span className={styles.faint}>–</span>
        ) : (
          <span
            className={styles.target}
            title={target}
            data-user-text={action === 'settings.change' ? undefined : ''}
          >
            <bdi>{action === 'settings.change' ? namesOfSettings(target, t) : nameOfTarget(target)}</bdi>
          </span>
        ),
    },
    {
      id: 'actor',
      header: t('audit.columns.actor'),
      cell: ({ actor }) => <span className={styles.actor}>{nameOf(actor)}</span>,
    },
    {
      id: 'outcome',
      header: t('audit.columns.outcome'),
      cell: ({ outcome, status, code }) =>
        outcome === 'done' ? t('audit.outcomes.done') : <Refusal status={status} code={code} />,
    },
    {
      id: 'address',
      header: t('audit.columns.address'),
      isMinor: true,
      cell: ({ address }) => <span className={styles.address}>{address}</span>,
    },
    {
      id: 'time',
      header: t('audit.columns.time'),
      cell: ({ at }) => (
        <time className={styles.time} dateTime={at}>
          {formatDateTime(at, language)}
        </time>
      ),
    },
  ]
}
