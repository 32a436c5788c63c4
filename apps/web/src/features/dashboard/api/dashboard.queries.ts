import { operationRoutes, type ReplyOf } from '@dropleaf/contract'
import { queryOptions } from '@tanstack/react-query'
import { api } from '../../../domains/api/api-client.ts'
import { withDisplayName } from '../../../domains/storages/display-name.ts'

export type DashboardStats = ReplyOf<typeof operationRoutes.dashboard>['data']
export type CacheStats = ReplyOf<typeof operationRoutes.cacheStats>['data']

const REFRESH_MS = 15_000

/** Refreshes automatically while the page is visible. */
const live = { refetchInterval: REFRESH_MS, staleTime: REFRESH_MS, refetchOnWindowFocus: true } as const

export const dashboardQueries = {
  /** Counters, storage use, and the last seven days in the browser's time zone. */
  stats: () =>
    queryOptions({
      ...live,
      queryKey: ['dashboard', 'stats'],
      meta: { isPrivate: true },
      queryFn: async ({ signal }): Promise<DashboardStats> => {
        const query = { utc_offset: -new Date().getTimezoneOffset() }
        return (await api(operationRoutes.dashboard, { query, signal })).data
      },
      select: (stats): DashboardStats => ({ ...stats, s3Buckets: stats.s3Buckets.map(withDisplayName) }),
    }),
  caches: () =>
    queryOptions({
      ...live,
      queryKey: ['dashboard', 'caches'],
      meta: { isPrivate: true },
      queryFn: async ({ signal }): Promise<CacheStats> =>
        (await api(operationRoutes.cacheStats, { signal })).data,
    }),
}

/** Confirms that this restored server replaces the server that the backup was made on. */
export const confirmRestored = async (): Promise<void> => {
  await api(operationRoutes.confirmRestored)
}

/** @returns how many entries were removed in the responding process. */
export const clearCaches = async (): Promise<number> =>
  (await api(operationRoutes.adminClearCache)).data.clearedCount
