import { BATCH_IDS_MAX, fileRoutes, type FileListItem, type FileSort } from '@dropleaf/contract'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { api } from '../../../domains/api/api-client.ts'
import { getSession } from '../../../domains/session/session.ts'
import type { ShareFilters } from '../../../domains/shares/share-list-search.ts'
import type { Deletion } from '../../../domains/shares/table/delete-shares-dialog.tsx'
import { MANAGED_FILES } from './files.queries.ts'

export interface FileListFilter {
  readonly filters: ShareFilters
  readonly sorting: { readonly by: FileSort; readonly order: 'asc' | 'desc' }
  readonly limit: number
  readonly offset: number
}

const isAdmin = () => getSession().kind === 'admin'

/** Selects the filters that API keys are allowed to use. All other filters require an administrator. */
const ownFilters = ({ search, state, protected: isProtected }: ShareFilters) => ({
  search,
  state,
  protected: isProtected,
})

export const managedFileQueries = {
  page: (filter: FileListFilter) =>
    queryOptions({
      queryKey: [...MANAGED_FILES, filter],
      meta: { isPrivate: true },
      placeholderData: keepPreviousData,
      queryFn: async ({ signal }): Promise<{ rows: FileListItem[]; total: number }> => {
        const { filters, sorting, limit, offset } = filter
        const page = { limit, offset, sort: sorting.by, order: sorting.order }
        const { data } = isAdmin()
          ? await api(fileRoutes.adminList, { query: { ...page, ...filters }, signal })
          : await api(fileRoutes.userList, { query: { ...page, ...ownFilters(filters) }, signal })
        return { rows: data.files, total: data.pagination.total }
      },
    }),
}

export async function deleteFiles(ids: readonly string[]): Promise<Deletion> {
  const route = isAdmin() ? fileRoutes.adminBatchDelete : fileRoutes.userBatchDelete
  const failed: string[] = []
  let deleted = 0
  for (let start = 0; start < ids.length; start += BATCH_IDS_MAX) {
    const { data } = await api(route, { body: { ids: ids.slice(start, start + BATCH_IDS_MAX) } })
    deleted += data.success
    failed.push(...data.failed.map(({ error }) => error))
  }
  return { kind: 'done', deleted, failed }
}

export async function deleteMatchingFiles(filters: ShareFilters): Promise<Deletion> {
  const { data } = isAdmin()
    ? await api(fileRoutes.adminDeleteMatching, { body: filters })
    : await api(fileRoutes.userDeleteMatching, { body: ownFilters(filters) })
  return { kind: 'task', taskId: data.task_id }
}

export async function clearExpiredFiles(): Promise<Deletion> {
  const { data } = await api(isAdmin() ? fileRoutes.adminClearExpired : fileRoutes.userClearExpired)
  return { kind: 'task', taskId: data.task_id }
}
