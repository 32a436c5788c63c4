import type { FileDetail, PublicFile } from '@dropleaf/contract'
import { fileRoutes, systemRoutes } from '@dropleaf/contract'
import { type QueryClient, queryOptions } from '@tanstack/react-query'
import { api } from '../../../domains/api/api-client.ts'
import { getSession } from '../../../domains/session/session.ts'
import { storageQueries } from '../../../domains/storages/storage-queries.ts'

const RECENT_COUNT = 3
/** When the server cannot tell. */
export const DEFAULT_MAX_UPLOAD_MB = 100

const isAdmin = () => getSession().kind === 'admin'

/** Of the tables of files. */
export const MANAGED_FILES = ['managed-files'] as const

export const fileQueries = {
  /**
   * What a visitor sees. Each call takes a view, so it is made once per opening: never repeated by itself or when
   * everything is asked for anew, and not aborted and made again when the screen is mounted twice.
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
      queryFn: async ({ signal }) => {
        const page = { limit: RECENT_COUNT, offset: 0 }
        if (!isAdmin()) return (await api(fileRoutes.userList, { query: page, signal })).data.files
        const query = { ...page, created_by: null, s3_config_id: null }
        return (await api(fileRoutes.adminList, { query, signal })).data.files
      },
      staleTime: 0,
      meta: { isPrivate: true },
    }),

  storages: storageQueries.all,

  maxUploadMb: () =>
    queryOptions({
      queryKey: ['max-upload-size'],
      queryFn: async ({ signal }) => (await api(systemRoutes.maxUploadSize, { signal })).data.max_upload_size,
    }),
}

/** A file has been shared, changed or deleted: what lists files asks anew. No public page, which would take a view. */
export function afterFileShareChange(queryClient: QueryClient): void {
  void queryClient.invalidateQueries(fileQueries.recent())
  void queryClient.invalidateQueries({ queryKey: MANAGED_FILES })
}
