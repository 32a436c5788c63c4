import { apiKeyRoutes } from '@dropleaf/contract'
import { queryOptions } from '@tanstack/react-query'
import { api } from './api-client.ts'

/** The keys that others use the server with; for the administrator. */
export const apiKeyQueries = {
  all: () =>
    queryOptions({
      queryKey: ['api-keys'],
      meta: { isPrivate: true },
      queryFn: async ({ signal }) => (await api(apiKeyRoutes.list, { signal })).data,
    }),
}
