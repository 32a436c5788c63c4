import { storageConfigRoutes } from '@dropleaf/contract'
import { queryOptions } from '@tanstack/react-query'
import { api } from '../api/api-client.ts'
import { withDisplayName } from './display-name.ts'

export const storageQueries = {
  /** The storages that the session may use, by name. */
  all: () =>
    queryOptions({
      queryKey: ['storage-configs'],
      queryFn: async ({ signal }) => (await api(storageConfigRoutes.list, { signal })).data,
      select: (storages) => storages.map(withDisplayName),
      meta: { isPrivate: true },
    }),
}
