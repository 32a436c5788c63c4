import { BATCH_IDS_MAX, managedPasteRoutes, type PasteSort } from '@dropleaf/contract'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { api } from '../../../domains/api/api-client.ts'
import { ApiError } from '../../../lib/api-error.ts'
import { getSession } from '../../../domains/session/session.ts'
import type { ShareFilters } from '../../../domains/shares/share-list-search.ts'
import { type OpeningFacts, openingFactsOf } from '../../../domains/shares/table/opening-facts.tsx'
import type { Deletion } from '../../../domains/shares/table/delete-shares-dialog.tsx'
import { MANAGED_PASTES } from './pastes.queries.ts'

/** A text in the table of an administrator or an API key. */
export interface ListedPaste {
  readonly id: string
  readonly slug: string
  readonly remark: string | null
  /** Beginning of the text. */
  readonly beginning: string
  readonly hasPassword: boolean
  readonly views: number
  readonly maxViews: number | null
  readonly createdAt: string
  readonly expiresAt: string | null
  readonly createdBy: string | null
  readonly keyName: string | undefined
  readonly opening: OpeningFacts
}

export interface PasteListFilter {
  readonly filters: ShareFilters
  readonly sorting: { readonly by: PasteSort; readonly order: 'asc' | 'desc' }
  readonly limit: number
  readonly offset: number
}

/**
 * Number of UTF-16 units at the beginning of a text. The app cuts texts, because the API returns complete texts to an
 * API key.
 */
const BEGINNING_CHARACTERS = 200

const isAdmin = () => getSession().kind === 'admin'

async function listPastes({ filters, sorting, limit, offset }: PasteListFilter, signal: AbortSignal) {
  const { s3_config_id: _, created_by: createdBy, ...narrow } = filters
  const order = { sort: sorting.by, order: sorting.order }
  if (isAdmin()) {
    const page = { page: offset / limit + 1, limit, created_by: createdBy }
    const { data, pagination } = await api(managedPasteRoutes.adminList, {
      query: { ...page, ...narrow, ...order },
      signal,
    })
    return {
      items: data.map((item) => ({ ...item, views: item.view_count, content: item.content_preview })),
      total: pagination.total,
    }
  }
  const { data, pagination } = await api(managedPasteRoutes.userList, {
    query: { limit, offset, ...narrow, ...order },
    signal,
  })
  return { items: data, total: pagination.total }
}

export const managedPasteQueries = {
  page: (filter: PasteListFilter) =>
    queryOptions({
      queryKey: [...MANAGED_PASTES, filter],
      meta: { isPrivate: true },
      placeholderData: keepPreviousData,
      queryFn: async ({ signal }): Promise<{ rows: ListedPaste[]; total: number }> => {
        const { items, total } = await listPastes(filter, signal)
        const rows = items.map((item) => ({
          id: item.id,
          slug: item.slug,
          remark: item.remark,
          beginning: item.content.slice(0, BEGINNING_CHARACTERS),
          hasPassword: item.has_password === 1,
          views: item.views,
          maxViews: item.max_views,
          createdAt: item.created_at,
          expiresAt: item.expires_at,
          createdBy: item.created_by,
          keyName: item.key_name,
          opening: openingFactsOf(item),
        }))
        return { rows, total }
      },
    }),
}

/** @returns the number of deleted texts; 0 if the text was already deleted */
async function deletePaste(id: string): Promise<number> {
  const route = isAdmin() ? managedPasteRoutes.adminDelete : managedPasteRoutes.userDelete
  try {
    await api(route, { params: { id } })
    return 1
  } catch (error) {
    if (error instanceof ApiError && error.code === 'paste.not_found') return 0
    throw error
  }
}

/** Deletes texts. The result does not count texts that were already deleted. */
export async function deletePastes(ids: readonly string[]): Promise<Deletion> {
  const [id] = ids
  if (id !== undefined && ids.length === 1)
    return { kind: 'done', deleted: await deletePaste(id), failed: [] }
  const route = isAdmin() ? managedPasteRoutes.adminBatchDelete : managedPasteRoutes.userBatchDelete
  let deleted = 0
  for (let start = 0; start < ids.length; start += BATCH_IDS_MAX) {
    const { data } = await api(route, { body: { ids: ids.slice(start, start + BATCH_IDS_MAX) } })
    deleted += data.deleted
  }
  return { kind: 'done', deleted, failed: [] }
}

export async function deleteMatchingPastes(filters: ShareFilters): Promise<Deletion> {
  const { s3_config_id: _, created_by: createdBy, ...narrow } = filters
  const { data } = isAdmin()
    ? await api(managedPasteRoutes.adminDeleteMatching, { body: { ...narrow, created_by: createdBy } })
    : await api(managedPasteRoutes.userDeleteMatching, { body: narrow })
  return { kind: 'task', taskId: data.task_id }
}

export async function clearExpiredPastes(): Promise<Deletion> {
  const { data } = await api(
    isAdmin() ? managedPasteRoutes.clearExpired : managedPasteRoutes.userClearExpired,
  )
  return { kind: 'done', deleted: data.deleted, failed: [] }
}
