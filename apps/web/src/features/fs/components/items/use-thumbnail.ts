import { useCallback, useSyncExternalStore } from 'react'
import type { Entry } from '../../models/entries.ts'
import type { Thumbnail } from '../../thumbnails.ts'
import { readThumbnail, watchThumbnail } from '../../thumbnails.ts'

const PICTURE = /\.(?:jpe?g|png|webp|gif|avif|tiff?)$/i

const mayHaveThumbnail = ({ name, isFolder }: Entry): boolean => !isFolder && PICTURE.test(name)

/** @returns `undefined` while the thumbnail loads, `null` if there is none */
export function useThumbnail(entry: Entry, edgePx: number): Thumbnail | null | undefined {
  const { path, etag } = entry
  const isWanted = mayHaveThumbnail(entry)
  const subscribe = useCallback(
    (listener: () => void) => (isWanted ? watchThumbnail({ path, etag, edgePx }, listener) : () => undefined),
    [isWanted, path, etag, edgePx],
  )
  const read = () => (isWanted ? readThumbnail({ path, etag, edgePx }) : null)
  return useSyncExternalStore(subscribe, read, read)
}
