import type { FileDetail, FileListItem, ListedShare, PublicFile } from '@dropleaf/contract'
import { filePartRoutes, fileRoutes, shareRoutes } from '@dropleaf/contract'
import { type QueryClient, queryOptions } from '@tanstack/react-query'
import { api } from '../../../domains/api/api-client.ts'
import { getSession } from '../../../domains/session/session.ts'
import { storageQueries } from '../../../domains/storages/storage-queries.ts'

const RECENT_COUNT = 3

const isAdmin = () => getSession().kind === 'admin'

/** Query key of the tables of files. */
export const MANAGED_FILES = ['managed-files'] as const

/** A file share or a bundle, in the list of the newest uploads. */
export type RecentUpload =
  | { readonly kind: 'file'; readonly createdAt: string; readonly file: FileListItem }
  | { readonly kind: 'bundle'; readonly createdAt: string; readonly bundle: ListedShare }

async function listRecentFiles(signal: AbortSignal): Promise<readonly FileListItem[]> {
  const page = { limit: RECENT_COUNT, offset: 0 }
  if (!isAdmin()) return (await api(fileRoutes.userList, { query: page, signal })).data.files
  const query = { ...page, created_by: null, s3_config_id: null }
  return (await api(fileRoutes.adminList, { query, signal })).data.files
}

async function listRecentBundles(signal: AbortSignal): Promise<readonly ListedShare[]> {
  const query = { kind: 'bundle', limit: RECENT_COUNT, offset: 0 } as const
  return (await api(shareRoutes.list, { query, signal })).data.shares
}

export const fileQueries = {
  /**
   * The share as a visitor sees it. Each request can count a view, so one opening sends only one request. The query has
   * no retries or refetches, and is not aborted when React mounts the screen twice.
   */
  public: (slug: string) =>
    queryOptions({
      queryKey: ['files', 'public', slug],
      queryFn: async (): Promise<PublicFile> => (await api(fileRoutes.publicRead, { params: { slug } })).data,
      retry: false,
      retryOnMount: false,
      staleTime: 'static',
      refetchOnMount: false,
      refetchOnReconnect: false,
    }),

  detail: (id: string) =>
    queryOptions({
      queryKey: ['files', 'detail', id],
      queryFn: async ({ signal }): Promise<FileDetail> => {
        const route = isAdmin() ? fileRoutes.adminRead : fileRoutes.userRead
        return (await api(route, { params: { id }, signal })).data
      },
      staleTime: 0,
      meta: { isPrivate: true },
    }),

  recent: () =>
    queryOptions({
      queryKey: ['files', 'recent'],
      queryFn: async ({ signal }): Promise<readonly RecentUpload[]> => {
        const [files, bundles] = await Promise.all([listRecentFiles(signal), listRecentBundles(signal)])
        const uploads: RecentUpload[] = [
          ...files.map((file) => ({ kind: 'file', createdAt: file.created_at, file }) as const),
          ...bundles.map((bundle) => ({ kind: 'bundle', createdAt: bundle.created_at, bundle }) as const),
        ]
        return uploads.toSorted((a, b) => b.createdAt.localeCompare(a.createdAt)).slice(0, RECENT_COUNT)
      },
      staleTime: 0,
      meta: { isPrivate: true },
    }),

  storages: storageQueries.all,

  /** Free capacity of a storage in bytes, or `null` if its capacity is unlimited. */
  room: (configId: string) =>
    queryOptions({
      queryKey: ['upload-room', configId],
      queryFn: async ({ signal }) => {
        const { data } = await api(filePartRoutes.room, { query: { s3_config_id: configId }, signal })
        return data.remaining_bytes
      },
      staleTime: 0,
      meta: { isPrivate: true },
    }),
}

/** Refreshes the lists of files after a change. Does not refresh share pages, because that would count views. */
export function afterFileShareChange(queryClient: QueryClient): void {
  void queryClient.invalidateQueries(fileQueries.recent())
  void queryClient.invalidateQueries({ queryKey: ['upload-room'] })
  void queryClient.invalidateQueries({ queryKey: MANAGED_FILES })
}
