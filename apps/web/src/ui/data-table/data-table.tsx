import { IconArrowDown, IconArrowUp } from '@tabler/icons-react'
import { type ReactNode, useRef } from 'react'
import { useT } from '../../i18n/use-translation.ts'
import { focusItem, passFocusOn, useKeptFocus } from '../focus/focus-restore.ts'
import { PlainSelect } from '../forms/plain-select.tsx'
import styles from './data-table.module.css'
import type { Selection } from './selection.ts'

export interface Column<Row> {
  readonly id: string
  readonly header: string
  readonly cell: (row: Row) => ReactNode
  /** Sort key of the column; absent if the column is not sortable. */
  readonly sort?: string
  /** Whether the column contains numbers, which are aligned to its end. */
  readonly isNumber?: boolean
  /** Whether the column names the row, and is the first line of a card in a narrow table. */
  readonly isTitle?: boolean
  /** Whether the column is hidden at medium widths. Cards show every column. */
  readonly isMinor?: boolean
}

export interface Sorting {
  readonly by: string
  readonly order: 'asc' | 'desc'
}

interface DataTableProps<Row> {
  /** Accessible name of the table. */
  label: string
  columns: readonly Column<Row>[]
  rows: readonly Row[]
  rowId: (row: Row) => string
  /** Returns the accessible name of a row's checkbox. */
  rowName: (row: Row) => string
  /** If absent, the rows keep their order. */
  sorting?: Sorting
  onSort?: (sorting: Sorting) => void
  selection?: Selection | undefined
  renderActions?: (row: Row) => ReactNode
  /** Whether new rows are being loaded. */
  isBusy?: boolean
}

const UNSORTED: Sorting = { by: '', order: 'desc' }

/** A table that shows one page of rows. In narrow tables, each row is a card. */
export function DataTable<Row>(props: DataTableProps<Row>) {
  const { label, columns, rows, rowId, selection, renderActions, isBusy = false } = props
  const { sorting = UNSORTED, onSort = () => undefined } = props
  const { t } = useT()
  const ids = rows.map(rowId)
  const place = useRef<HTMLDivElement>(null)
  useKeptFocus(place)
  return (
    <div
      ref={(element) => {
        place.current = element
        // Passes on the focus, because another element replaces the table when its last row is removed.
        return passFocusOn(element)
      }}
      className={styles.place}
      tabIndex={-1}
    >
      <div className={styles.cardTools}>
        {selection && (
          <label className={styles.pageCheck}>
            <PageCheck ids={ids} selection={selection} />
            <span aria-hidden>{t('table.selectPage')}</span>
          </label>
        )}
        {columns.some(({ sort }) => sort !== undefined) && (
          <SortSelect columns={columns} sorting={sorting} onSort={onSort} />
        )}
      </div>
      <table className={styles.table} aria-label={label} aria-busy={isBusy}>
        <thead>
          <tr>
            {selection && (
              <th className={styles.check}>
                <PageCheck ids={ids} selection={selection} />
              </th>
            )}
            {columns.map((column) => (
              <HeaderCell key={column.id} column={column} sorting={sorting} onSort={onSort} />
            ))}
            {renderActions && <th className={styles.actionsHead}>{t('table.actions')}</th>}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <BodyRow
              key={rowId(row)}
              {...props}
              row={row}
              ids={ids}
              checkLabel={t('table.selectRow', { name: props.rowName(row) })}
            />
          ))}
        </tbody>
      </table>
    </div>
  )
}

interface BodyRowProps<Row> extends Pick<
  DataTableProps<Row>,
  'columns' | 'rowId' | 'selection' | 'renderActions'
> {
  row: Row
  /** Ids of all rows on the page. */
  ids: readonly string[]
  checkLabel: string
}

function BodyRow<Row>({ row, ids, checkLabel, columns, rowId, selection, renderActions }: BodyRowProps<Row>) {
  const id = rowId(row)
  return (
    <tr {...focusItem(id)} data-chosen={selection?.has(id) || undefined}>
      {selection && (
        <td className={styles.check}>
          <input
            type="checkbox"
            aria-label={checkLabel}
            checked={selection.has(id)}
            onChange={() => selection.toggle(id, ids)}
          />
        </td>
      )}
      {columns.map((column) => (
        <td
          key={column.id}
          data-label={column.isTitle ? undefined : column.header}
          data-title={column.isTitle || undefined}
          data-number={column.isNumber || undefined}
          data-minor={column.isMinor || undefined}
        >
          {column.cell(row)}
        </td>
      ))}
      {renderActions && (
        <td className={styles.actions}>
          <div>{renderActions(row)}</div>
        </td>
      )}
    </tr>
  )
}

function PageCheck({ ids, selection }: { ids: readonly string[]; selection: Selection }) {
  const { t } = useT()
  const chosen = ids.filter((id) => selection.has(id)).length
  const isAll = ids.length > 0 && chosen === ids.length
  return (
    <input
      type="checkbox"
      aria-label={t('table.selectPage')}
      checked={isAll}
      ref={(box) => {
        if (box) box.indeterminate = chosen > 0 && !isAll
      }}
      onChange={() => selection.setRows(ids, !isAll)}
    />
  )
}

interface HeaderCellProps<Row> {
  column: Column<Row>
  sorting: Sorting
  onSort: (sorting: Sorting) => void
}

function HeaderCell<Row>({ column, sorting, onSort }: HeaderCellProps<Row>) {
  const { t } = useT()
  const { sort } = column
  const isSorted = sort !== undefined && sorting.by === sort
  const isRising = isSorted && sorting.order === 'asc'
  const Arrow = isRising ? IconArrowUp : IconArrowDown
  return (
    <th
      aria-sort={isSorted ? (isRising ? 'ascending' : 'descending') : undefined}
      data-number={column.isNumber || undefined}
      data-minor={column.isMinor || undefined}
    >
      {sort === undefined ? (
        column.header
      ) : (
        <button
          type="button"
          className={styles.sort}
          title={t('table.sortBy', { column: column.header })}
          onClick={() => onSort({ by: sort, order: isSorted && !isRising ? 'asc' : 'desc' })}
        >
          {column.header}
          <Arrow size={14} aria-hidden data-on={isSorted || undefined} />
        </button>
      )}
    </th>
  )
}

/** Select for the sort order. Replaces the column headers when rows are shown as cards. */
function SortSelect<Row>({
  columns,
  sorting,
  onSort,
}: Omit<HeaderCellProps<Row>, 'column'> & { columns: readonly Column<Row>[] }) {
  const { t } = useT()
  return (
    <PlainSelect
      className={styles.sortSelect}
      aria-label={t('table.sortField')}
      value={`${sorting.by} ${sorting.order}`}
      onChange={(event) => {
        const [by = '', order] = event.currentTarget.value.split(' ')
        onSort({ by, order: order === 'asc' ? 'asc' : 'desc' })
      }}
    >
      {columns.flatMap(({ header, sort }) =>
        sort === undefined
          ? []
          : (['desc', 'asc'] as const).map((order) => (
              <option key={`${sort} ${order}`} value={`${sort} ${order}`}>
                {t(order === 'asc' ? 'table.sortedRising' : 'table.sortedFalling', { column: header })}
              </option>
            )),
      )}
    </PlainSelect>
  )
}
