import { use, useCallback, useSyncExternalStore } from 'react'
import type { Entry } from '../../models/entries.ts'
import type { Thumbnail } from '../../thumbnails.ts'
import { keyOfThumbnail, readThumbnail, watchThumbnail } from '../../thumbnails.ts'
import { EntryUrlsContext } from './entry-urls.ts'

const PICTURE = /\.(?:jpe?g|png|webp|gif|avif|tiff?)$/i

const mayHaveThumbnail = ({ name, isFolder }: Entry): boolean => !isFolder && PICTURE.test(name)

/** @returns `undefined` while the thumbnail loads, `null` if there is none */
export function useThumbnail(entry: Entry, edgePx: number): Thumbnail | null | undefined {
  const { thumbnailOf } = use(EntryUrlsContext)
  const place = mayHaveThumbnail(entry) ? thumbnailOf(entry, edgePx) : null
  const key = place === null ? null : keyOfThumbnail(place)
  const subscribe = useCallback(
    (listener: () => void) => (place === null ? () => undefined : watchThumbnail(place, listener)),
    // A new object for the same picture changes nothing.
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- as above
    [key],
  )
  const read = () => (key === null ? null : readThumbnail(key))
  return useSyncExternalStore(subscribe, read, read)
}
