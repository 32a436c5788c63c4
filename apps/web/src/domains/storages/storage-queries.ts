import { storageConfigRoutes } from '@dropleaf/contract'
import { queryOptions } from '@tanstack/react-query'
import { api } from '../api/api-client.ts'
import { withDisplayName } from './display-name.ts'

export const storageQueries = {
  /** Query for the storages that the session is allowed to use, with their display names. */
  all: () =>
    queryOptions({
      queryKey: ['storage-configs'],
      queryFn: async ({ signal }) => (await api(storageConfigRoutes.list, { signal })).data,
      select: (storages) => storages.map(withDisplayName),
      meta: { isPrivate: true },
    }),
}
