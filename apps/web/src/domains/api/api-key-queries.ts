import { apiKeyRoutes } from '@dropleaf/contract'
import { queryOptions } from '@tanstack/react-query'
import { api } from './api-client.ts'

/** API keys of all users; for the administrator. */
export const apiKeyQueries = {
  all: () =>
    queryOptions({
      queryKey: ['api-keys'],
      meta: { isPrivate: true },
      queryFn: async ({ signal }) => (await api(apiKeyRoutes.list, { signal })).data,
    }),
}
