import { Button } from '@mantine/core'
import { IconEraser, IconTrash } from '@tabler/icons-react'
import type { UseQueryResult } from '@tanstack/react-query'
import { type ReactNode, useEffect, useEffectEvent, useState } from 'react'
import { formatNumber } from '../../../lib/format.ts'
import { useT } from '../../../i18n/use-translation.ts'
import type { useShareTable } from '../share-list-search.ts'
import { type Column, DataTable } from '../../../ui/data-table/data-table.tsx'
import { NoMatch } from '../../../ui/data-table/no-match.tsx'
import { Pager } from '../../../ui/data-table/pager.tsx'
import { SelectionBar } from '../../../ui/data-table/selection-bar.tsx'
import { type Selection, useSelection } from '../../../ui/data-table/selection.ts'
import { ModuleList } from '../../../ui/layout/module-list.tsx'
import { DeleteSharesDialog, type Deletion } from './delete-shares-dialog.tsx'
import { ShareFilters } from './share-filters.tsx'

interface Row {
  readonly id: string
}

/** Interface texts for one type of share. */
export interface ShareTableWords {
  readonly title: string
  readonly search: string
  readonly deleteOne: string
  readonly deleteMany: (count: string) => string
  readonly deleteText: (count: number) => string
}

interface ShareTableProps<Share extends Row> {
  words: ShareTableWords
  table: ReturnType<typeof useShareTable>
  page: UseQueryResult<{ rows: Share[]; total: number }>
  columns: readonly Column<Share>[]
  /** Returns a short name for the label of the row's checkbox. */
  spokenName: (share: Share) => string
  /** Returns the full name for the confirmation. */
  fullName: (share: Share) => string
  renderActions: (share: Share, onDelete: () => void) => ReactNode
  deleteRows: (shares: readonly Share[]) => Promise<Deletion>
  /** Deletes all rows that match; absent if only selected rows can be deleted. */
  deleteMatching?: () => Promise<Deletion>
  /** Called when rows might be deleted. */
  onChanged: () => void
  actions?: ReactNode
  filters?: ReactNode
  /** Shown if there are no shares. */
  empty: ReactNode
  /** Deletes expired shares; absent if the list does not offer this. */
  cleaning?: {
    readonly label: string
    /** Renders the dialog that confirms and deletes. */
    readonly render: (close: () => void) => ReactNode
  }
}

type Doomed<Share> = readonly Share[] | 'matching'

/** A table of shares, with bulk actions. */
export function ShareTable<Share extends Row>(props: ShareTableProps<Share>) {
  const { words, table, page, cleaning, deleteMatching } = props
  const { t } = useT()
  const selection = useSelection(table.matching)
  const [doomed, setDoomed] = useState<Doomed<Share> | null>(null)
  const [isCleaning, setCleaning] = useState(false)
  const { rows, total } = page.data ?? { rows: [], total: 0 }
  const chosen = useChosen(selection, rows)
  useLastPage(table, page)
  return (
    <>
      <ModuleList
        title={words.title}
        query={page}
        actions={
          <>
            {props.actions}
            {cleaning && <CleanButton label={cleaning.label} onClick={() => setCleaning(true)} />}
          </>
        }
        tools={
          <ShareFilters search={table.search} onChange={table.change} searchLabel={words.search}>
            {props.filters}
          </ShareFilters>
        }
        isEmpty={(data) => data.total === 0}
        empty={table.isNarrowed ? <NoMatch onClear={table.clear} /> : props.empty}
      >
        {() => (
          <>
            <SelectionBar selection={selection} matchingCount={deleteMatching ? total : null}>
              <Button
                size="compact-md"
                color="red"
                leftSection={<IconTrash size={16} aria-hidden />}
                onClick={() => setDoomed(chosen)}
              >
                {t('shares.actions.delete')}
              </Button>
            </SelectionBar>
            <DataTable
              label={words.title}
              columns={props.columns}
              rows={rows}
              rowId={({ id }) => id}
              rowName={props.spokenName}
              sorting={table.sorting}
              onSort={({ by, order }) => table.change({ sortBy: by, order })}
              selection={selection}
              isBusy={page.isPlaceholderData}
              renderActions={(share) => props.renderActions(share, () => setDoomed([share]))}
            />
            <Pager
              page={table.page}
              pageSize={table.pageSize}
              total={total}
              onPage={(next) => table.change({ page: next })}
              onPageSize={(size) => table.change({ size })}
            />
          </>
        )}
      </ModuleList>
      {isCleaning && cleaning?.render(() => setCleaning(false))}
      {doomed && (
        <DeleteQuestion
          {...props}
          doomed={doomed}
          total={total}
          selection={selection}
          onClose={() => setDoomed(null)}
        />
      )}
    </>
  )
}

function CleanButton({ label, onClick }: { label: string; onClick: () => void }) {
  return (
    <Button variant="default" leftSection={<IconEraser size={18} aria-hidden />} onClick={onClick}>
      {label}
    </Button>
  )
}

interface DeleteQuestionProps<Share extends Row> extends Pick<
  ShareTableProps<Share>,
  'words' | 'fullName' | 'deleteRows' | 'deleteMatching' | 'onChanged'
> {
  doomed: Doomed<Share>
  /** Number of matching rows. */
  total: number
  selection: Selection
  onClose: () => void
}

function DeleteQuestion<Share extends Row>(props: DeleteQuestionProps<Share>) {
  const { words, doomed, total, selection, onChanged, onClose } = props
  const { t, language } = useT()
  const count = doomed === 'matching' ? total : doomed.length
  const deleteAll = props.deleteMatching ?? (() => props.deleteRows([]))
  return (
    <DeleteSharesDialog
      title={count === 1 ? words.deleteOne : words.deleteMany(formatNumber(count, language))}
      text={words.deleteText(count)}
      confirmLabel={t('shares.actions.delete')}
      names={doomed === 'matching' ? [] : doomed.map(props.fullName)}
      run={() => (doomed === 'matching' ? deleteAll() : props.deleteRows(doomed))}
      onChanged={onChanged}
      onDeleted={() => {
        if (doomed === 'matching') selection.clear()
        else
          selection.setRows(
            doomed.map(({ id }) => id),
            false,
          )
      }}
      onClose={onClose}
    />
  )
}

/**
 * Goes to the last page if the current page is after the last one. This happens after rows were deleted, or with an
 * old URL.
 */
function useLastPage(
  { page, pageSize, change }: ReturnType<typeof useShareTable>,
  { data, isPlaceholderData }: UseQueryResult<{ total: number }>,
): void {
  const last = data && !isPlaceholderData ? Math.max(1, Math.ceil(data.total / pageSize)) : page
  const isBeyond = page > last
  const leave = useEffectEvent(() => change({ page: last }))
  useEffect(() => {
    if (isBeyond) leave()
  }, [isBeyond])
}

/** Returns the selected rows, including rows of other pages, or `'matching'` if all matching rows are selected. */
function useChosen<Share extends Row>(selection: Selection, rows: readonly Share[]): Doomed<Share> {
  const [seen, setSeen] = useState<ReadonlyMap<string, Share>>(new Map())
  if (rows.some((row) => seen.get(row.id) !== row)) {
    setSeen(new Map([...seen, ...rows.map((row) => [row.id, row] as const)]))
  }
  if (selection.selected.kind === 'matching') return 'matching'
  return [...selection.selected.ids].map((id) => seen.get(id)).filter((row) => row !== undefined)
}
