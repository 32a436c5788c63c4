import { type Guide, type ReplyOf, welcomeRoutes } from '@dropleaf/contract'
import { queryOptions } from '@tanstack/react-query'
import { api } from '../../../domains/api/api-client.ts'

export type GuideFacts = ReplyOf<typeof welcomeRoutes.read>['data']

export const welcomeQueries = {
  /** How far the guide has got, and what its steps show. */
  guide: () =>
    queryOptions({
      queryKey: ['welcome'],
      meta: { isPrivate: true },
      queryFn: async ({ signal }): Promise<GuideFacts> => (await api(welcomeRoutes.read, { signal })).data,
    }),
}

export const saveGuide = (body: Guide) => api(welcomeRoutes.save, { body })
