import { systemRoutes } from '@dropleaf/contract'
import { queryOptions } from '@tanstack/react-query'
import { api } from './api-client.ts'

export const systemQueries = {
  version: () =>
    queryOptions({
      queryKey: ['version'],
      queryFn: ({ signal }) => api(systemRoutes.version, { signal }),
      staleTime: Infinity,
    }),
}
