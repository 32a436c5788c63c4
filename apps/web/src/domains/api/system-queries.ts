import { systemRoutes } from '@dropleaf/contract'
import { queryOptions } from '@tanstack/react-query'
import { api } from './api-client.ts'

/** Facts about the server that several parts of the app need. */
export const systemQueries = {
  version: () =>
    queryOptions({
      queryKey: ['version'],
      queryFn: ({ signal }) => api(systemRoutes.version, { signal }),
      staleTime: Infinity,
    }),
}
