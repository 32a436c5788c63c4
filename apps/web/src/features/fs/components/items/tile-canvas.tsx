import { useElementSize } from '@mantine/hooks'
import type { ReactNode } from 'react'
import { useT } from '../../../../i18n/use-translation.ts'
import type { Entry } from '../../models/entries.ts'
import { MarkBox, MenuButton } from '../entry-tools.tsx'
import { useFolderScreen } from '../explorer-context.ts'
import type { CanvasLayout } from './item-canvas.tsx'
import { ItemCanvas } from './item-canvas.tsx'
import styles from './tile-canvas.module.css'

export interface TileProps {
  entry: Entry
  isMarked: boolean
  /** Whether entries are selected; every checkbox is then visible. */
  hasMarks: boolean
  parent: string
}

interface TileCanvasProps {
  layoutFor: (widthPx: number) => CanvasLayout
  renderTile: (props: TileProps) => ReactNode
}

/** Shows entries as tiles, in a layout that depends on the width. */
export function TileCanvas({ layoutFor, renderTile }: TileCanvasProps) {
  const { t } = useT()
  const { path, listLabel, selection } = useFolderScreen()
  const { ref, width } = useElementSize()
  const hasMarks = selection.marked.size > 0
  return (
    <div ref={ref}>
      {width > 0 && (
        <ItemCanvas
          label={listLabel ?? t('explorer.contentsOf', { path })}
          layout={layoutFor(width)}
          renderItem={(entry, { isMarked }) => renderTile({ entry, isMarked, hasMarks, parent: path })}
        />
      )}
    </div>
  )
}

/** Checkbox and menu button in the upper corners of a tile. */
export function TileTools({ name, isMarked }: { name: string; isMarked: boolean }) {
  return (
    <>
      <span className={styles.check} data-corner="check">
        <MarkBox name={name} isMarked={isMarked} />
      </span>
      <span className={styles.menu} data-corner="menu">
        <MenuButton name={name} />
      </span>
    </>
  )
}
