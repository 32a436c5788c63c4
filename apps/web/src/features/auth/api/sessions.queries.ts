import { authRoutes, type ReplyOf } from '@dropleaf/contract'
import { queryOptions } from '@tanstack/react-query'
import { api } from '../../../domains/api/api-client.ts'

export type AdminSession = ReplyOf<typeof authRoutes.listSessions>['data'][number]

export const sessionQueries = {
  all: () =>
    queryOptions({
      queryKey: ['admin-sessions'],
      meta: { isPrivate: true },
      queryFn: async ({ signal }) => (await api(authRoutes.listSessions, { signal })).data,
    }),
}

export const endOneSession = (id: string) => api(authRoutes.endSession, { params: { id } })

/** @returns how many sessions were ended. */
export const endOtherSessions = async (): Promise<number> =>
  (await api(authRoutes.endOtherSessions)).data.ended
