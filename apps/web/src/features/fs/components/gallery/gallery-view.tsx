/* oxlint-disable jsx-a11y/prefer-tag-over-role -- a table can be neither virtualised nor have lanes */
import { IconPlayerPlayFilled } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { memo } from 'react'
import { scaledPx } from '../../../../lib/browser/scaled-px.ts'
import { useT } from '../../../../i18n/use-translation.ts'
import { fsQueries } from '../../api/fs.queries.ts'
import type { Entry } from '../../models/entries.ts'
import { kindOf } from '../../models/entries.ts'
import { columnsFor, laneWidthPx } from '../../models/grid-columns.ts'
import { useSettings } from '../../models/settings.ts'
import { sizeText } from '../items/entry-facts.ts'
import { EntryIcon } from '../items/entry-icon.tsx'
import { EntryLink } from '../items/entry-link.tsx'
import { useFolderScreen } from '../explorer-context.ts'
import styles from './gallery-view.module.css'
import type { CanvasLayout } from '../items/item-canvas.tsx'
import { TileCanvas, type TileProps, TileTools } from '../items/tile-canvas.tsx'
import { useThumbnail } from '../items/use-thumbnail.ts'

const COLUMN_PX = 240
const MIN_COLUMNS = 2
const FOLDER_PX = 56
const EDGE_PX = 640
/** Assumed aspect ratio of an image whose size is not known yet. */
const USUAL_RATIO = 4 / 3

/** Shows images, videos and folders in columns. Images keep their aspect ratio. */
export function GalleryView() {
  const { path } = useFolderScreen()
  const { gallery } = useSettings()
  const layoutFor = (widthPx: number): CanvasLayout => {
    const { gapPx } = gallery
    const auto = columnsFor({ widthPx, minWidthPx: scaledPx(COLUMN_PX), gapPx, min: MIN_COLUMNS })
    const columns = gallery.columns === 0 ? auto : gallery.columns
    const lanePx = laneWidthPx({ widthPx, columns, gapPx })
    return {
      columns,
      gapPx,
      sizeOf: (entry: Entry) => (entry.isFolder ? FOLDER_PX : Math.round(lanePx / USUAL_RATIO)),
      sizeKey: `${Math.round(lanePx)} ${path}`,
      isMeasured: true,
    }
  }
  return <TileCanvas layoutFor={layoutFor} renderTile={(tile) => <GalleryTile {...tile} />} />
}

const GalleryTile = memo(function GalleryTile(props: TileProps) {
  const { entry, isMarked, hasMarks, parent } = props
  const { language } = useT()
  const common = { role: 'gridcell', 'data-marking': hasMarks || undefined } as const
  const tools = <TileTools name={entry.name} isMarked={isMarked} />
  if (entry.isFolder) {
    return (
      <div className={styles.folder} draggable={isMarked && !entry.isVirtual} {...common}>
        <EntryIcon entry={entry} />
        <EntryLink entry={entry} parent={parent} />
        {tools}
      </div>
    )
  }
  return (
    <div className={styles.tile} draggable={isMarked} {...common}>
      {kindOf(entry) === 'video' ? <VideoTile entry={entry} /> : <PictureTile entry={entry} />}
      <span className={styles.caption}>
        <EntryLink entry={entry} parent={parent} />
        <span>{sizeText(entry, language)}</span>
      </span>
      {tools}
    </div>
  )
})

function PictureTile({ entry }: { entry: Entry }) {
  const thumbnail = useThumbnail(entry, EDGE_PX)
  return (
    <div
      className={styles.picture}
      data-role="open"
      style={{ aspectRatio: String(thumbnail?.ratio ?? USUAL_RATIO) }}
    >
      {thumbnail && <img src={thumbnail.url} alt="" draggable={false} decoding="async" />}
      {thumbnail === null && <EntryIcon entry={entry} size={40} />}
    </div>
  )
}

/** Shows a frame from the start of a video, if the browser supports the format. */
function VideoTile({ entry }: { entry: Entry }) {
  const info = useQuery(fsQueries.entry(entry.path, entry.etag))
  const url = info.data?.data.preview_url
  return (
    <div className={styles.picture} data-role="open" style={{ aspectRatio: '16 / 9' }}>
      {url && <video src={`${url}#t=0.1`} preload="metadata" muted playsInline tabIndex={-1} aria-hidden />}
      <span className={styles.play}>
        <IconPlayerPlayFilled size={22} aria-hidden />
      </span>
    </div>
  )
}
