import { useVirtualizer } from '@tanstack/react-virtual'
import { IconChevronRight } from '@tabler/icons-react'
import type { KeyboardEvent, ReactNode } from 'react'
import { useId, useRef, useState } from 'react'
import { scaledPx } from '../../../lib/browser/scaled-px.ts'
import partStyles from '../preview-parts.module.css'
import treeStyles from './virtual-tree.module.css'

const USUAL_ROW_PX = 30
const INDENT_PX = 18

/** A row of the tree. Children of a collapsed row have no rows. */
export interface TreeRow {
  readonly id: string
  /** Nesting level, starting at 0. */
  readonly depth: number
  /** Whether the row is expanded; `null` for a leaf. */
  readonly isOpen: boolean | null
}

interface VirtualTreeProps<Row extends TreeRow> {
  label: string
  rows: readonly Row[]
  isFull: boolean
  renderRow: (row: Row) => ReactNode
  onToggle: (row: Row) => void
}

interface TreeKeys<Row extends TreeRow> {
  readonly rows: readonly Row[]
  readonly active: number
  readonly go: (index: number) => void
  readonly onToggle: (row: Row) => void
}

/** Returns what each key does for the active row. */
function treeKeys<Row extends TreeRow>({
  rows,
  active,
  go,
  onToggle,
}: TreeKeys<Row>): Readonly<Record<string, () => void>> {
  const row = rows[active]
  if (!row) return {}
  const goToParent = () => {
    const above = rows.slice(0, active).findLastIndex(({ depth }) => depth < row.depth)
    if (above !== -1) go(above)
  }
  const toggle = () => {
    if (row.isOpen !== null) onToggle(row)
  }
  return {
    ArrowDown: () => go(active + 1),
    ArrowUp: () => go(active - 1),
    Home: () => go(0),
    End: () => go(rows.length - 1),
    ArrowRight: () => (row.isOpen === false ? onToggle(row) : go(active + 1)),
    ArrowLeft: () => (row.isOpen === true ? onToggle(row) : goToParent()),
    Enter: toggle,
    ' ': toggle,
  }
}

/**
 * A tree of any size with keyboard support. Up and Down move, Right expands a row, and Left collapses a row or moves
 * to its parent.
 */
export function VirtualTree<Row extends TreeRow>(props: VirtualTreeProps<Row>) {
  const { label, rows, isFull, renderRow, onToggle } = props
  const id = useId()
  const scroller = useRef<HTMLDivElement>(null)
  const [active, setActive] = useState(0)
  const [rowPx] = useState(() => scaledPx(USUAL_ROW_PX))
  // oxlint-disable-next-line react/incompatible-library -- used only in this component
  const canvas = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowPx,
    overscan: 12,
  })
  const go = (index: number) => {
    const next = Math.min(rows.length - 1, Math.max(0, index))
    setActive(next)
    canvas.scrollToIndex(next)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    const act = treeKeys({ rows, active, go, onToggle })[event.key]
    if (!act) return
    event.preventDefault()
    event.stopPropagation()
    act()
  }
  return (
    <div
      ref={scroller}
      className={partStyles.grid}
      data-full={isFull || undefined}
      role="tree"
      aria-label={label}
      tabIndex={0}
      aria-activedescendant={`${id}-${active}`}
      onKeyDown={onKeyDown}
    >
      <div style={{ height: canvas.getTotalSize(), position: 'relative' }}>
        {canvas.getVirtualItems().map(({ index, start }) => {
          const row = rows[index]
          if (!row) return null
          return (
            // The tree element handles the keys of all rows.
            // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/interactive-supports-focus
            <div
              key={row.id}
              id={`${id}-${index}`}
              role="treeitem"
              aria-level={row.depth + 1}
              aria-selected={index === active}
              aria-expanded={row.isOpen ?? undefined}
              className={treeStyles.treeRow}
              style={{
                height: rowPx,
                paddingInlineStart: 8 + row.depth * INDENT_PX,
                transform: `translateY(${start}px)`,
              }}
              onClick={() => {
                setActive(index)
                if (row.isOpen !== null) onToggle(row)
              }}
            >
              <span className={treeStyles.chevron} data-open={row.isOpen || undefined}>
                {row.isOpen !== null && <IconChevronRight size={16} aria-hidden />}
              </span>
              {renderRow(row)}
            </div>
          )
        })}
      </div>
    </div>
  )
}
