/* oxlint-disable jsx-a11y/prefer-tag-over-role -- a table can be neither virtualised nor have lanes */
import { memo } from 'react'
import { scaledPx } from '../../../../lib/browser/scaled-px.ts'
import { useT } from '../../../../i18n/use-translation.ts'
import { columnsFor, laneWidthPx } from '../../models/grid-columns.ts'
import { sizeText } from './entry-facts.ts'
import { EntryIcon } from './entry-icon.tsx'
import { EntryLink } from './entry-link.tsx'
import styles from './grid-view.module.css'
import type { CanvasLayout } from './item-canvas.tsx'
import { TileCanvas, type TileProps, TileTools } from './tile-canvas.tsx'
import { useThumbnail } from './use-thumbnail.ts'

const GAP_PX = 12
const TILE_PX = 176
const MIN_COLUMNS = 2
const CAPTION_PX = 60
const EDGE_PX = 320

function layoutFor(widthPx: number): CanvasLayout {
  const columns = columnsFor({ widthPx, minWidthPx: scaledPx(TILE_PX), gapPx: GAP_PX, min: MIN_COLUMNS })
  const heightPx = Math.round(laneWidthPx({ widthPx, columns, gapPx: GAP_PX }) * 0.75) + scaledPx(CAPTION_PX)
  return { columns, gapPx: GAP_PX, sizeOf: () => heightPx, sizeKey: String(heightPx) }
}

/** Shows entries as tiles with thumbnails. */
export const GridView = () => (
  <TileCanvas layoutFor={layoutFor} renderTile={(tile) => <GridTile {...tile} />} />
)

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
      <TileTools name={entry.name} isMarked={isMarked} />
    </div>
  )
})
