import {
  BATCH_IDS_MAX,
  bundleRoutes,
  type ListedShare,
  type ShareKind,
  shareRoutes,
  type ShareSort,
} from '@dropleaf/contract'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { api } from '../../../domains/api/api-client.ts'
import { getSession } from '../../../domains/session/session.ts'
import type { ShareFilters } from '../../../domains/shares/share-list-search.ts'
import type { Deletion } from '../../../domains/shares/table/delete-shares-dialog.tsx'

export interface ShareListFilter {
  readonly kind: ShareKind | undefined
  readonly filters: ShareFilters
  readonly sorting: { readonly by: ShareSort; readonly order: 'asc' | 'desc' }
  readonly limit: number
  readonly offset: number
}

/** Query key of the table that lists all shares. */
export const ALL_SHARES = ['all-shares'] as const

export const shareQueries = {
  page: (filter: ShareListFilter) =>
    queryOptions({
      queryKey: [...ALL_SHARES, filter],
      meta: { isPrivate: true },
      placeholderData: keepPreviousData,
      queryFn: async ({ signal }): Promise<{ rows: ListedShare[]; total: number }> => {
        const { kind, filters, sorting, limit, offset } = filter
        const { search, state, protected: isProtected, created_by: createdBy } = filters
        const query = {
          kind,
          search,
          state,
          protected: isProtected,
          ...(getSession().kind === 'admin' && { created_by: createdBy }),
          sort: sorting.by,
          order: sorting.order,
          limit,
          offset,
        }
        const { data } = await api(shareRoutes.list, { query, signal })
        return { rows: data.shares, total: data.pagination.total }
      },
    }),
}

/** Deletes the keys of deleted bundles. Otherwise the warning before a logout would list these bundles. */
async function forgetKeysOf(ids: readonly string[]): Promise<void> {
  const { forgetKey } = await import('../../../domains/sealed/keys/key-store.ts')
  for (const id of ids) await forgetKey(id)
}

export async function deleteBundles(ids: readonly string[]): Promise<Deletion> {
  const failed: string[] = []
  let deleted = 0
  for (let start = 0; start < ids.length; start += BATCH_IDS_MAX) {
    const { data } = await api(bundleRoutes.remove, {
      body: { ids: ids.slice(start, start + BATCH_IDS_MAX) },
    })
    deleted += data.success
    failed.push(...data.failed.map(({ error }) => error))
    const kept = new Set(data.failed.map(({ id }) => id))
    await forgetKeysOf(ids.slice(start, start + BATCH_IDS_MAX).filter((id) => !kept.has(id))).catch(
      reportError,
    )
  }
  return { kind: 'done', deleted, failed }
}
