/* oxlint-disable jsx-a11y/prefer-tag-over-role -- a table cannot be drawn in part, nor in several lanes */
import { useElementSize } from '@mantine/hooks'
import { memo } from 'react'
import { useT } from '../../../lib/i18n/use-translation.ts'
import type { Entry } from '../models/entries.ts'
import { columnsFor, laneWidthPx } from '../models/lanes.ts'
import { sizeText } from './entry-facts.ts'
import { EntryIcon } from './entry-icon.tsx'
import { EntryLink } from './entry-link.tsx'
import { MarkBox, MenuButton } from './entry-tools.tsx'
import { useFolderScreen } from './explorer-context.ts'
import styles from './grid-view.module.css'
import { ItemCanvas } from './item-canvas.tsx'
import { useThumbnail } from './use-thumbnail.ts'

const GAP_PX = 12
const TILE_PX = 176
const MIN_COLUMNS = 2
const CAPTION_PX = 60
const EDGE_PX = 320

/** Entries as tiles, pictures by their thumbnails. */
export function GridView() {
  const { t } = useT()
  const { path, selection } = useFolderScreen()
  const { ref, width } = useElementSize()
  const columns = columnsFor({ widthPx: width, wishPx: TILE_PX, gapPx: GAP_PX, min: MIN_COLUMNS })
  const heightPx = Math.round(laneWidthPx({ widthPx: width, columns, gapPx: GAP_PX }) * 0.75) + CAPTION_PX
  const layout = { columns, gapPx: GAP_PX, sizeOf: () => heightPx, sizeKey: String(heightPx) }
  const hasMarks = selection.marked.size > 0
  return (
    <div ref={ref}>
      {width > 0 && (
        <ItemCanvas
          label={t('explorer.contentsOf', { path })}
          layout={layout}
          renderItem={(entry, { isMarked }) => (
            <GridTile entry={entry} isMarked={isMarked} hasMarks={hasMarks} parent={path} />
          )}
        />
      )}
    </div>
  )
}

interface TileProps {
  entry: Entry
  isMarked: boolean
  /** Marking goes on: every box is shown. */
  hasMarks: boolean
  parent: string
}

const GridTile = memo(function GridTile({ entry, isMarked, hasMarks, parent }: TileProps) {
  const { language } = useT()
  const thumbnail = useThumbnail(entry, EDGE_PX)
  return (
    <div
      role="gridcell"
      className={styles.tile}
      data-marking={hasMarks || undefined}
      draggable={isMarked && !entry.isVirtual}
    >
      <div className={styles.picture} data-role="open">
        {thumbnail ? (
          <img src={thumbnail.url} alt="" draggable={false} decoding="async" />
        ) : (
          <EntryIcon entry={entry} size={48} />
        )}
      </div>
      <div className={styles.caption}>
        <EntryLink entry={entry} parent={parent} />
        <span className={styles.size}>{sizeText(entry, language)}</span>
      </div>
      <span className={styles.check}>
        <MarkBox name={entry.name} isMarked={isMarked} />
      </span>
      <span className={styles.menu}>
        <MenuButton name={entry.name} />
      </span>
    </div>
  )
})
