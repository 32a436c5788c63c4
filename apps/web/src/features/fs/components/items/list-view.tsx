/* oxlint-disable jsx-a11y/prefer-tag-over-role -- a table can be neither virtualised nor have lanes */
import { useMediaQuery } from '@mantine/hooks'
import { IconArrowDown, IconArrowUp } from '@tabler/icons-react'
import { memo } from 'react'
import { useT } from '../../../../i18n/use-translation.ts'
import type { Entry, Sort } from '../../models/entries.ts'
import { markAll, unmarkAll } from '../../models/selection.ts'
import { sizeText, timeText } from './entry-facts.ts'
import { EntryIcon } from './entry-icon.tsx'
import { EntryLink } from './entry-link.tsx'
import { MarkBox, MenuButton } from '../entry-tools.tsx'
import { PHONE, rowPxOf } from './list-layout.ts'
import { useFolderScreen } from '../explorer-context.ts'
import { ItemCanvas } from './item-canvas.tsx'
import styles from './list-view.module.css'

export const useIsPhone = (): boolean =>
  useMediaQuery(PHONE, undefined, { getInitialValueInEffect: false }) ?? false

export function ListView() {
  const { t } = useT()
  const { path, listLabel } = useFolderScreen()
  const isPhone = useIsPhone()
  const rowPx = rowPxOf(isPhone)
  const layout = { columns: 1, gapPx: 0, sizeOf: () => rowPx, sizeKey: String(rowPx) }
  return (
    <ItemCanvas
      label={listLabel ?? t('explorer.contentsOf', { path })}
      layout={layout}
      head={!isPhone && <ListHead />}
      renderItem={(entry, { isMarked }) => (
        <ListRow entry={entry} isMarked={isMarked} isPhone={isPhone} parent={path} />
      )}
    />
  )
}

const COLUMNS = ['name', 'size', 'modified'] as const satisfies readonly Sort[]

function ListHead() {
  const { t } = useT()
  const { address, entries, selection, select } = useFolderScreen()
  const { sorting, sortBy } = address
  const isAll = entries.length > 0 && selection.marked.size === entries.length
  return (
    <div role="row" className={styles.head}>
      <span role="columnheader" className={styles.headCheck}>
        <input
          type="checkbox"
          data-role="sort"
          aria-label={t('explorer.selectAll')}
          checked={isAll}
          ref={(box) => {
            if (box) box.indeterminate = !isAll && selection.marked.size > 0
          }}
          onChange={() => select(isAll ? unmarkAll : markAll)}
        />
      </span>
      {COLUMNS.map((column) => {
        const isSorted = sorting.sort === column
        const Arrow = sorting.order === 'asc' ? IconArrowUp : IconArrowDown
        const next = isSorted && sorting.order === 'asc' ? 'desc' : 'asc'
        return (
          <span
            key={column}
            role="columnheader"
            className={styles[column]}
            aria-sort={isSorted ? (sorting.order === 'asc' ? 'ascending' : 'descending') : 'none'}
          >
            <button
              type="button"
              data-role="sort"
              className={styles.sort}
              onClick={() => sortBy({ sort: column, order: next })}
            >
              {t(`explorer.sort.${column}`)}
              {isSorted && <Arrow size={14} aria-hidden />}
            </button>
          </span>
        )
      })}
      <span role="columnheader" className={styles.headMenu}>
        <span className="dl-sr">{t('explorer.more')}</span>
      </span>
    </div>
  )
}

interface ListRowProps {
  entry: Entry
  isMarked: boolean
  isPhone: boolean
  parent: string
}

const ListRow = memo(function ListRow({ entry, isMarked, isPhone, parent }: ListRowProps) {
  const { language } = useT()
  const size = sizeText(entry, language)
  const time = timeText(entry, language)
  return (
    <div className={styles.row} draggable={isMarked && !entry.isVirtual}>
      <span role="gridcell">
        <MarkBox name={entry.name} isMarked={isMarked} />
      </span>
      <span role="gridcell" className={styles.name}>
        <EntryIcon entry={entry} />
        <span className={styles.title}>
          <EntryLink entry={entry} parent={parent} />
          {isPhone && <span className={styles.facts}>{[size, time].filter(Boolean).join(' · ')}</span>}
        </span>
      </span>
      {!isPhone && (
        <>
          <span role="gridcell" className={styles.size}>
            {size || '–'}
          </span>
          <span role="gridcell" className={styles.modified}>
            {time || '–'}
          </span>
        </>
      )}
      <span role="gridcell">
        <MenuButton name={entry.name} />
      </span>
    </div>
  )
})
