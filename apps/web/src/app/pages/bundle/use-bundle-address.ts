import { getRouteApi, useLocation, useNavigate } from '@tanstack/react-router'
import { useMemo } from 'react'
import {
  type BundleSearch,
  folderOf,
  placeState,
  readPlaceState,
  searchFor,
} from '../../../features/bundle-reading/models/bundle-place.ts'
import { changeReadingSettings } from '../../../features/bundle-reading/models/reading-settings.ts'
import { useReadingSettings } from '../../../features/bundle-reading/models/use-reading-settings.ts'
import type { ExplorerAddress } from '../../../features/fs/components/use-address.ts'

const route = getRouteApi('/s/$slug')

export interface BundleAddress extends ExplorerAddress {
  readonly slug: string
  /** Search text; empty for no search. */
  readonly find: string
  readonly search: (text: string) => void
}

/**
 * Returns the folder, file and search that the page shows, and the stored sort order. The URL contains the folder, file
 * and search. For an encrypted bundle, the history state contains them instead, because a reload would send the URL to
 * the server.
 */
export function useBundleAddress(isEncrypted: boolean): BundleAddress {
  const { slug } = route.useParams()
  const search = route.useSearch()
  const state = useLocation({ select: (location) => location.state })
  const { at, preview, find } = isEncrypted ? readPlaceState(state) : search
  const { sort, order } = useReadingSettings()
  const navigate = useNavigate()
  const acts = useMemo(() => {
    const go = (
      next: (before: BundleSearch) => BundleSearch,
      how: { replace: boolean; resetScroll: boolean },
    ) =>
      void navigate({
        to: '/s/$slug',
        params: { slug },
        ...how,
        ...(isEncrypted
          ? { search: {}, hash: true, state: (before) => placeState(next(readPlaceState(before))) }
          : { search: next }),
      })
    const open = (path: string) => {
      const end = path.lastIndexOf('/') + 1
      go(() => searchFor(path.slice(0, end), path.slice(end) || undefined), {
        replace: false,
        resetScroll: true,
      })
    }
    return {
      open,
      openFolder: (path: string, options?: { replace?: boolean }) =>
        go(() => searchFor(path), { replace: options?.replace ?? false, resetScroll: true }),
      showFile: (name: string | null, options?: { replace?: boolean }) =>
        go((before) => ({ ...before, preview: name ?? undefined }), {
          replace: options?.replace ?? false,
          resetScroll: false,
        }),
      search: (text: string) =>
        go((before) => ({ at: before.at, find: text || undefined, preview: undefined }), {
          replace: true,
          resetScroll: false,
        }),
    }
  }, [navigate, slug, isEncrypted])
  const sorting = useMemo(() => ({ sort, order }), [sort, order])
  return {
    ...acts,
    slug,
    find: find ?? '',
    path: folderOf({ at }),
    preview: preview ?? null,
    sorting,
    // Sorts by name instead of type, because the server sorts long folders and cannot sort by type.
    sortBy: ({ sort: by, order: way }) =>
      changeReadingSettings({ sort: by === 'type' ? 'name' : by, order: way }),
  }
}
