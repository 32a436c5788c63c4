import type { ListedBundleItem, OpenBundle } from '@dropleaf/contract'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { ApiError } from '../../../lib/api-error.ts'
import { findFiles, hasLiveBelow, type ItemOrder, itemsIn, placeOf } from '../models/bundle-tree.ts'
import { bundleListQuery, LISTED_MAX } from './bundle-list.queries.ts'

export interface ItemsOptions {
  /** Path of the folder to list, without a slash at either end; empty for the root. */
  readonly path: string
  readonly order: ItemOrder
  /** Search text; empty for no search. */
  readonly text: string
}

export interface Items {
  /** `null` while the first page loads. */
  readonly items: readonly ListedBundleItem[] | null
  readonly error: unknown
  /** Whether there are further pages. */
  readonly hasMore: boolean
  /** Whether the list is longer than {@link LISTED_MAX}, or has more matches than the server searches for. */
  readonly isCut: boolean
  readonly isBusy: boolean
  /** Loads more items, unless the list is loading or has failed to load. */
  readonly loadMore: () => void
  readonly retry: () => void
}

const NONE: readonly ListedBundleItem[] = []

const missing = () => new ApiError({ kind: 'http', status: 404, code: 'bundle.item_not_found', message: '' })

/**
 * Lists a folder, or the files below the folder whose names contain a text. Sends requests only for live folders,
 * because the manifest contains everything else.
 */
export function useItems(bundle: OpenBundle, { path, order, text }: ItemsOptions): Items {
  const { manifest } = bundle
  const place = useMemo(() => placeOf(manifest, path), [manifest, path])
  const isLive = place === 'live' || (place !== null && text !== '' && hasLiveBelow(manifest, path))
  const list = useInfiniteQuery({ ...bundleListQuery(bundle, { path, order, text }), enabled: isLive })
  const known = useMemo(() => {
    if (isLive || place === null) return NONE
    return text === '' ? itemsIn(manifest, path, order) : findFiles(manifest, path, { text, order })
  }, [isLive, place, manifest, path, order, text])
  const { data } = list
  const listed = useMemo(() => data?.pages.flatMap(({ items }) => items) ?? null, [data])
  if (!isLive) {
    return {
      items: known,
      error: place === null ? missing() : null,
      hasMore: false,
      isCut: false,
      isBusy: false,
      loadMore: () => undefined,
      retry: () => undefined,
    }
  }
  return {
    items: listed,
    error: list.error,
    hasMore: list.hasNextPage,
    isCut:
      ((listed?.length ?? 0) >= LISTED_MAX && data?.pages.at(-1)?.cursor !== null) ||
      (!list.hasNextPage && data?.pages.at(-1)?.isComplete === false),
    isBusy: list.isFetching,
    loadMore: () => {
      if (list.hasNextPage && !list.isFetching && !list.isError) void list.fetchNextPage()
    },
    retry: () => void (list.isFetchNextPageError ? list.fetchNextPage() : list.refetch()),
  }
}
