import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { useCallback, useMemo } from 'react'
import { type SortOrder, sortingOf } from '../models/entries.ts'
import { folderOfSplat, nameOfPath, parentOf, splatOf } from '../models/fs-paths.ts'
import { changeSettings, useSettings } from '../models/settings.ts'

const route = getRouteApi('/mount-explorer/$')

export interface ExplorerAddress {
  /** Path of the open folder. */
  readonly path: string
  readonly sorting: SortOrder
  /** Name of the previewed file, if any. */
  readonly preview: string | null
  readonly openFolder: (path: string, options?: { replace?: boolean }) => void
  readonly showFile: (name: string | null, options?: { replace?: boolean }) => void
  /** Opens a folder, or previews a file above its folder. */
  readonly open: (path: string) => void
  readonly sortBy: (sorting: SortOrder) => void
}

/**
 * State in the URL, with functions for navigation. If the URL contains no sort order, the last chosen sort order
 * applies.
 */
export function useAddress(): ExplorerAddress {
  const { _splat = '' } = route.useParams()
  const { preview, sort, order } = route.useSearch()
  const navigate = useNavigate()
  const settings = useSettings()
  const openFolder = useCallback<ExplorerAddress['openFolder']>(
    (path, options) =>
      void navigate({
        to: '/mount-explorer/$',
        params: { _splat: splatOf(path) },
        search: (before) => ({ sort: before.sort, order: before.order }),
        replace: options?.replace ?? false,
      }),
    [navigate],
  )
  const showFile = useCallback<ExplorerAddress['showFile']>(
    (name, options) =>
      void navigate({
        to: '/mount-explorer/$',
        params: (before) => ({ _splat: before._splat ?? '' }),
        search: (before) => ({ ...before, preview: name ?? undefined }),
        replace: options?.replace ?? false,
        resetScroll: false,
      }),
    [navigate],
  )
  const open = useCallback<ExplorerAddress['open']>(
    (path) =>
      void navigate({
        to: '/mount-explorer/$',
        params: { _splat: splatOf(path.endsWith('/') ? path : parentOf(path)) },
        search: ({ sort: by, order: way }) => ({
          sort: by,
          order: way,
          preview: path.endsWith('/') ? undefined : nameOfPath(path),
        }),
      }),
    [navigate],
  )
  const sortBy = useCallback<ExplorerAddress['sortBy']>(
    (sorting) => {
      changeSettings(sorting)
      void navigate({
        to: '/mount-explorer/$',
        params: (before) => ({ _splat: before._splat ?? '' }),
        search: (before) => ({ ...before, ...sorting }),
        replace: true,
        resetScroll: false,
      })
    },
    [navigate],
  )
  const sorting = useMemo(() => sortingOf({ sort, order }, settings), [sort, order, settings])
  return {
    path: folderOfSplat(_splat),
    sorting,
    preview: preview ?? null,
    openFolder,
    showFile,
    open,
    sortBy,
  }
}
