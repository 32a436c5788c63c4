import { Button } from '@mantine/core'
import { type KeyboardEvent, useState } from 'react'
import { useT } from '../../../i18n/use-translation.ts'
import { Dialog } from '../../../ui/dialogs/dialog.tsx'
import styles from './dialogs.module.css'

const MAX_ROWS = 8
const MAX_COLUMNS = 8

interface Size {
  readonly rows: number
  readonly columns: number
}

const STEPS: Record<string, (size: Size) => Size> = {
  ArrowRight: ({ rows, columns }) => ({ rows, columns: Math.min(MAX_COLUMNS, columns + 1) }),
  ArrowLeft: ({ rows, columns }) => ({ rows, columns: Math.max(1, columns - 1) }),
  ArrowDown: ({ rows, columns }) => ({ rows: Math.min(MAX_ROWS, rows + 1), columns }),
  ArrowUp: ({ rows, columns }) => ({ rows: Math.max(2, rows - 1), columns }),
}

/** Asks for the number of rows (including the heading row) and columns, by pointer or arrow keys. */
export default function TableDialog({
  onPick,
  onClose,
}: {
  onPick: (size: Size) => void
  onClose: () => void
}) {
  const { t } = useT()
  const [size, setSize] = useState<Size>({ rows: 3, columns: 3 })
  const onKeyDown = (event: KeyboardEvent) => {
    const step = STEPS[event.key]
    if (step) setSize(step(size))
    else if (event.key === 'Enter') onPick(size)
    else return
    event.preventDefault()
  }
  const cells = Array.from({ length: MAX_ROWS * MAX_COLUMNS }, (_, index) => ({
    rows: Math.max(2, Math.floor(index / MAX_COLUMNS) + 1),
    columns: (index % MAX_COLUMNS) + 1,
    row: Math.floor(index / MAX_COLUMNS) + 1,
  }))
  const label = t('editor.table.size', { rows: size.rows, columns: size.columns })
  return (
    <Dialog
      title={t('editor.table.title')}
      onClose={onClose}
      actions={
        <>
          <Button variant="default" onClick={onClose}>
            {t('common.cancel')}
          </Button>
          <Button onClick={() => onPick(size)}>{t('editor.insert')}</Button>
        </>
      }
    >
      <div
        className={styles.cells}
        // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- a range input has only one dimension
        role="slider"
        tabIndex={0}
        aria-label={t('editor.table.title')}
        aria-valuenow={size.rows * size.columns}
        aria-valuemin={2}
        aria-valuemax={MAX_ROWS * MAX_COLUMNS}
        aria-valuetext={label}
        onKeyDown={onKeyDown}
      >
        {cells.map(({ rows, columns, row }) => (
          // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-static-element-interactions -- arrow keys do the same
          <span
            key={`${row} ${columns}`}
            className={styles.cell}
            data-chosen={(row <= size.rows && columns <= size.columns) || undefined}
            onPointerEnter={() => setSize({ rows, columns })}
            onClick={() => onPick({ rows, columns })}
          />
        ))}
      </div>
      <output className={styles.note}>{label}</output>
    </Dialog>
  )
}
