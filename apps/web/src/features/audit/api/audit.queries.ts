import { type AuditAction, auditRoutes, type AuditEntry, type AUDIT_OUTCOMES } from '@dropleaf/contract'
import { infiniteQueryOptions } from '@tanstack/react-query'
import { api, interpretReply } from '../../../domains/api/api-client.ts'
import { requestHeaders } from '../../../domains/api/request-headers.ts'
import { routeUrl } from '../../../domains/api/route-url.ts'
import { ApiError } from '../../../lib/api-error.ts'

/** Filters of the log; an `undefined` field does not filter. */
export interface AuditFilter {
  readonly actor: string | undefined
  readonly action: AuditAction | undefined
  readonly outcome: (typeof AUDIT_OUTCOMES)[number] | undefined
  /** ISO timestamp. */
  readonly from: string | undefined
}

export const auditQueries = {
  pages: (filter: AuditFilter) =>
    infiniteQueryOptions({
      queryKey: ['audit', filter],
      meta: { isPrivate: true },
      initialPageParam: null as string | null,
      queryFn: async ({ pageParam, signal }) =>
        (await api(auditRoutes.list, { query: { ...filter, cursor: pageParam }, signal })).data,
      getNextPageParam: ({ next_cursor: next }) => next,
    }),
}

export type { AuditEntry }

/**
 * Fetches all log entries that match the filter, as the bytes of a file.
 * @throws {ApiError}
 */
export async function fetchAudit(filter: AuditFilter, format: 'csv' | 'jsonl'): Promise<Blob> {
  const url = routeUrl(auditRoutes.export.path, { query: { ...filter, format } })
  const headers = requestHeaders()
  const fail = (cause: unknown) =>
    new ApiError({ kind: 'network', code: 'client.network', message: String(cause), cause })
  try {
    const response = await fetch(url, { headers })
    if (response.ok) return await response.blob()
    const retryAfter = response.headers.get('Retry-After')
    const answer = { status: response.status, text: await response.text(), retryAfter }
    interpretReply(answer, { method: 'GET', url, headers })
    throw fail(response.status)
  } catch (error) {
    throw error instanceof ApiError ? error : fail(error)
  }
}
