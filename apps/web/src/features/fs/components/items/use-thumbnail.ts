import { use, useCallback, useSyncExternalStore } from 'react'
import type { Entry } from '../../models/entries.ts'
import type { Thumbnail } from '../../thumbnails.ts'
import { readThumbnail, watchThumbnail } from '../../thumbnails.ts'
import { EntryUrlsContext } from './entry-urls.ts'

const PICTURE = /\.(?:jpe?g|png|webp|gif|avif|tiff?)$/i

const mayHaveThumbnail = ({ name, isFolder }: Entry): boolean => !isFolder && PICTURE.test(name)

/** @returns `undefined` while the thumbnail loads, `null` if there is none */
export function useThumbnail(entry: Entry, edgePx: number): Thumbnail | null | undefined {
  const { thumbnailOf } = use(EntryUrlsContext)
  const address = mayHaveThumbnail(entry) ? thumbnailOf(entry, edgePx) : null
  const subscribe = useCallback(
    (listener: () => void) => (address === null ? () => undefined : watchThumbnail(address, listener)),
    [address],
  )
  const read = () => (address === null ? null : readThumbnail(address))
  return useSyncExternalStore(subscribe, read, read)
}
