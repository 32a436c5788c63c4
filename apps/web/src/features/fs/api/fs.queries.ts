import type { RealFolder, VirtualFolder } from '@dropleaf/contract'
import { fsFileRoutes, fsListingRoutes, fsPropertiesRoutes, LIST_LIMIT_MAX } from '@dropleaf/contract'
import type { QueryClient } from '@tanstack/react-query'
import { queryOptions } from '@tanstack/react-query'
import { api } from '../../../domains/api/api-client.ts'
import { ApiError, hasCode } from '../../../lib/api-error.ts'
import type { Entry, SortOrder } from '../models/entries.ts'
import { toEntry } from '../models/entries.ts'
import { FIRST_PAGE, firstPageQuery, isQuick, type Listing, toListing } from '../models/listing.ts'

const WHOLE_TIMEOUT_MS = 120_000
/** Interval of automatic retries while a storage is unreachable. */
const RECONNECT_MS = 5000

const isLineBroken = (error: unknown) => error instanceof ApiError && error.kind === 'network'

/** Whether the error means that the folder does not exist. */
export const isGone = (error: unknown): boolean =>
  hasCode(error, 'fs.not_found', 'fs.no_mount', 'fs.not_a_folder')

const listKey = (path: string) => ['fs', 'list', path] as const

interface LoadOptions {
  path: string
  sorting: SortOrder
  client: QueryClient
  signal: AbortSignal
}

/**
 * Loads a folder. Meanwhile, shows the first page of a long folder that is not cached. The server sorts this page only
 * by size or time, see {@link firstPageQuery}.
 */
async function loadListing({ path, sorting, client, signal }: LoadOptions): Promise<Listing> {
  const before = client.getQueryData<Listing>(listKey(path))
  const isLong = before !== undefined && before.entries.length > FIRST_PAGE
  if (!isLong) {
    const { data } = await api(fsListingRoutes.list, { query: firstPageQuery(path, sorting), signal })
    const first = toListing(data, path)
    if (first.isComplete && isQuick(sorting)) return first
    if (!first.isComplete && !signal.aborted) client.setQueryData(listKey(path), first)
  }
  const { data } = await api(fsListingRoutes.list, {
    query: { path },
    signal,
    timeoutMs: WHOLE_TIMEOUT_MS,
  })
  return toListing(data, path)
}

const entryKey = (path: string) => ['fs', 'entry', path] as const
const foldersKey = (path: string) => ['fs', 'folders', path] as const

async function loadPage(o: { path: string; cursor: string | null; signal: AbortSignal }) {
  const query = { path: o.path, limit: LIST_LIMIT_MAX, sort: 'name', cursor: o.cursor } as const
  const { data } = await api(fsListingRoutes.list, { query, signal: o.signal })
  return data
}

/** Loads the subfolders. Stops at the first page that contains a file, because folders come first. */
async function loadFolders(path: string, signal: AbortSignal): Promise<Entry[]> {
  const folders: Entry[] = []
  let cursor: string | null = null
  do {
    const page: RealFolder | VirtualFolder = await loadPage({ path, cursor, signal })
    const found = page.items.map(toEntry).filter(({ isFolder }) => isFolder)
    folders.push(...found)
    cursor = found.length === page.items.length ? (page.next_cursor ?? null) : null
  } while (cursor !== null)
  return folders
}

export const fsQueries = {
  list: (path: string, sorting: SortOrder) =>
    queryOptions({
      // The key does not contain the sort order, because a complete listing can be sorted in the browser.
      queryKey: listKey(path),
      queryFn: ({ client, signal }) => loadListing({ path, sorting, client, signal }),
      // Structural sharing is off, because comparing 50,000 entries takes longer than rendering the visible entries.
      structuralSharing: false,
      staleTime: 5000,
      refetchOnReconnect: 'always',
      refetchInterval: ({ state }) => (isLineBroken(state.error) ? RECONNECT_MS : false),
      meta: { isPrivate: true },
    }),
  /** Subfolders of a folder, for the folder picker. */
  folders: (path: string) =>
    queryOptions({
      queryKey: foldersKey(path),
      queryFn: ({ signal }) => loadFolders(path, signal),
      staleTime: 10_000,
      meta: { isPrivate: true },
    }),
  properties: (path: string) =>
    queryOptions({
      queryKey: ['fs', 'properties', path],
      queryFn: ({ signal }) =>
        api(fsPropertiesRoutes.properties, { query: { path }, signal, timeoutMs: WHOLE_TIMEOUT_MS }),
      staleTime: 0,
      meta: { isPrivate: true },
    }),
  /** @param etag ETag from the listing; a new ETag loads the details again */
  entry: (path: string, etag: string) =>
    queryOptions({
      queryKey: [...entryKey(path), etag],
      queryFn: ({ signal }) => api(fsFileRoutes.get, { query: { path }, signal }),
      staleTime: 60_000,
      meta: { isPrivate: true },
    }),
}

/** Reads the listing from the storage, bypassing the cache. */
export async function refreshListing(client: QueryClient, path: string): Promise<void> {
  await client.fetchQuery({
    queryKey: listKey(path),
    queryFn: async ({ signal }) => {
      const query = { path, refresh: true }
      const { data } = await api(fsListingRoutes.list, { query, signal, timeoutMs: WHOLE_TIMEOUT_MS })
      return toListing(data, path)
    },
    structuralSharing: false,
    meta: { isPrivate: true },
    staleTime: 0,
  })
}

/**
 * Marks the listing of a folder as stale. A visible listing is loaded again at once, a hidden listing when it is shown
 * again.
 */
export const invalidateListing = (client: QueryClient, path: string): Promise<void> =>
  client.invalidateQueries({ queryKey: listKey(path) })

export const invalidateFolders = (client: QueryClient, path: string): Promise<void> =>
  client.invalidateQueries({ queryKey: foldersKey(path) })

/** Invalidates the cached data of a file whose content has changed. */
export function forgetFile(client: QueryClient, path: string): void {
  void client.invalidateQueries({ queryKey: entryKey(path) })
}

/** Removes entries from the cached listing of a folder. */
export function dropEntries(client: QueryClient, path: string, gone: ReadonlySet<string>): void {
  client.setQueryData<Listing>(listKey(path), (listing) =>
    listing ? { ...listing, entries: listing.entries.filter((entry) => !gone.has(entry.path)) } : undefined,
  )
}

/** The known names in a folder, without the names of `removed` paths. */
export function knownNames(
  client: QueryClient,
  path: string,
  removed: ReadonlySet<string>,
): ReadonlySet<string> {
  const listing = client.getQueryData<Listing>(listKey(path))
  return new Set(listing?.entries.filter((entry) => !removed.has(entry.path)).map(({ name }) => name))
}
