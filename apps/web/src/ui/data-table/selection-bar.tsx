import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import { formatNumber } from '../../lib/format.ts'
import { useT } from '../../i18n/use-translation.ts'
import type { Selection } from './selection.ts'
import styles from './selection-bar.module.css'

interface SelectionBarProps {
  selection: Selection
  /**
   * Number of matching rows. If this is greater than the number of selected rows, the bar offers to select all matching
   * rows. `null` makes no offer.
   */
  matchingCount: number | null
  /** Actions for the selection. */
  children: ReactNode
}

/** Shows the number of selected rows, with actions. Hidden without a selection. */
export function SelectionBar({ selection, matchingCount, children }: SelectionBarProps) {
  const { t, language } = useT()
  const { selected } = selection
  const count = selected.kind === 'rows' ? selected.ids.size : (matchingCount ?? 0)
  if (selected.kind === 'rows' && count === 0) return null
  const words = { count: formatNumber(count, language) }
  const isMoreThere = selected.kind === 'rows' && matchingCount !== null && matchingCount > count
  return (
    <div className={styles.bar}>
      <output className={styles.count}>
        {selected.kind === 'rows' ? t('table.selected', words) : t('table.matchingSelected', words)}
      </output>
      {isMoreThere && (
        <Button size="compact-sm" variant="subtle" onClick={selection.chooseMatching}>
          {t('table.selectMatching', { count: formatNumber(matchingCount, language) })}
        </Button>
      )}
      <Button size="compact-sm" variant="subtle" color="gray" onClick={selection.clear}>
        {t('table.clearSelection')}
      </Button>
      <div className={styles.actions}>{children}</div>
    </div>
  )
}
