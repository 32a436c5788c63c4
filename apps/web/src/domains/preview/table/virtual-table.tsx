/* oxlint-disable jsx-a11y/prefer-tag-over-role -- a table cannot be virtualised */
import { useVirtualizer } from '@tanstack/react-virtual'
import { useEffect, useMemo, useRef, useState } from 'react'
import { scaledPx } from '../../../lib/browser/scaled-px.ts'
import partStyles from '../preview-parts.module.css'
import tableStyles from './virtual-table.module.css'
import { CELL_MAX_CHARACTERS, columnCount, columnName, columnWidths } from './columns.ts'

const NEAR_ROWS = 50

/** Sizes that scale with the user's font size. */
const measured = () => ({ rowPx: scaledPx(32), numberPx: scaledPx(56) })

interface VirtualTableProps {
  label: string
  /** Column names; `null` shows letters. */
  head: readonly string[] | null
  rows: readonly (readonly string[])[]
  /** Number of rows; can grow while more are loaded. */
  count: number
  /** Index of the first row below the header. */
  firstRow: number
  isFull: boolean
  onNearEnd?: () => void
}

/** A virtualised table for any number of rows. */
export function VirtualTable(props: VirtualTableProps) {
  const { label, head, rows, count, firstRow, isFull, onNearEnd } = props
  const scroller = useRef<HTMLDivElement>(null)
  const [{ rowPx, numberPx }] = useState(measured)
  const columns = useMemo(() => columnCount(rows.slice(0, count)), [rows, count])
  const widths = useMemo(() => columnWidths(rows, columns), [rows, columns])
  // oxlint-disable-next-line react/incompatible-library -- used only in this component
  const rowCanvas = useVirtualizer({
    count: Math.max(0, count - firstRow),
    getScrollElement: () => scroller.current,
    estimateSize: () => rowPx,
    overscan: 12,
  })
  // oxlint-disable-next-line react/incompatible-library -- used only in this component
  const columnCanvas = useVirtualizer({
    count: columns,
    horizontal: true,
    getScrollElement: () => scroller.current,
    estimateSize: (index) => scaledPx(widths[index] ?? 0),
    overscan: 4,
  })
  const shownRows = rowCanvas.getVirtualItems()
  const shownColumns = columnCanvas.getVirtualItems()
  const lastShown = shownRows.at(-1)?.index ?? 0
  const isNearEnd = lastShown >= count - firstRow - NEAR_ROWS
  useEffect(() => {
    if (isNearEnd) onNearEnd?.()
  }, [isNearEnd, count, onNearEnd])
  const width = columnCanvas.getTotalSize() + numberPx
  const cells = (texts: readonly string[], role: 'cell' | 'columnheader') =>
    shownColumns.map(({ index, start, size }) => {
      const text = texts[index] ?? ''
      return (
        <span
          key={index}
          role={role}
          className={tableStyles.cell}
          dir="auto"
          aria-colindex={index + 1}
          title={text.length > 20 ? text.slice(0, CELL_MAX_CHARACTERS) : undefined}
          style={{ width: size, transform: `translateX(${start + numberPx}px)` }}
        >
          {text.slice(0, CELL_MAX_CHARACTERS)}
        </span>
      )
    })
  const letters = useMemo(() => Array.from({ length: columns }, (_, index) => columnName(index)), [columns])
  return (
    // The element is focusable, so that the keyboard can scroll it.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <div ref={scroller} className={partStyles.grid} tabIndex={0} data-full={isFull || undefined}>
      <div
        role="table"
        aria-label={label}
        aria-rowcount={count}
        aria-colcount={columns}
        style={{ width, height: rowCanvas.getTotalSize() + rowPx, position: 'relative' }}
      >
        <div role="row" className={tableStyles.gridHead} style={{ width, height: rowPx }}>
          <span className={tableStyles.corner} style={{ width: numberPx }} />
          {cells(head ?? letters, 'columnheader')}
        </div>
        {shownRows.map(({ index, start }) => (
          <div
            key={index}
            role="row"
            aria-rowindex={index + firstRow + 1}
            className={tableStyles.gridRow}
            style={{ width, height: rowPx, transform: `translateY(${start}px)` }}
          >
            <span role="rowheader" className={tableStyles.rowNumber} style={{ width: numberPx }}>
              {index + firstRow + 1}
            </span>
            {cells(rows[index + firstRow] ?? [], 'cell')}
          </div>
        ))}
      </div>
    </div>
  )
}
