import { type Guide, type ReplyOf, welcomeRoutes } from '@dropleaf/contract'
import { queryOptions } from '@tanstack/react-query'
import { api } from '../../../domains/api/api-client.ts'

export type GuideFacts = ReplyOf<typeof welcomeRoutes.read>['data']

export const welcomeQueries = {
  /** State of the guide, and facts for its steps. */
  guide: () =>
    queryOptions({
      queryKey: ['welcome'],
      meta: { isPrivate: true },
      queryFn: async ({ signal }): Promise<GuideFacts> => (await api(welcomeRoutes.read, { signal })).data,
    }),
}

export const saveGuide = (body: Guide) => api(welcomeRoutes.save, { body })
