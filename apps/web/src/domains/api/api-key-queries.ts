import { apiKeyRoutes } from '@dropleaf/contract'
import { queryOptions } from '@tanstack/react-query'
import { api } from './api-client.ts'

/** Queries for the API keys of all users (administrator only). */
export const apiKeyQueries = {
  all: () =>
    queryOptions({
      queryKey: ['api-keys'],
      meta: { isPrivate: true },
      queryFn: async ({ signal }) => (await api(apiKeyRoutes.list, { signal })).data,
    }),
}
