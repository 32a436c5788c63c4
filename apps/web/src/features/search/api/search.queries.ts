import { SEARCH_MIN_CHARACTERS, type SearchScope, searchRoutes } from '@dropleaf/contract'
import { infiniteQueryOptions } from '@tanstack/react-query'
import { api } from '../../../domains/api/api-client.ts'

export interface SearchQuery {
  readonly text: string
  readonly scope: SearchScope
  /** The current folder. */
  readonly path: string
  readonly mountId: string | null
}

export const isSearchable = (text: string): boolean => [...text.trim()].length >= SEARCH_MIN_CHARACTERS

export const searchQueries = {
  results: ({ text, scope, path, mountId }: SearchQuery) =>
    infiniteQueryOptions({
      queryKey: ['search', text.trim(), scope, path, mountId],
      queryFn: ({ signal, pageParam }) =>
        api(searchRoutes.search, {
          query: {
            q: text.trim(),
            scope,
            offset: pageParam,
            ...(scope === 'mount' && { mount_id: mountId }),
            ...(scope === 'directory' && { path }),
          },
          signal,
        }),
      initialPageParam: 0,
      getNextPageParam: ({ data }) =>
        data.hasMore ? data.searchParams.offset + data.results.length : undefined,
      enabled: isSearchable(text),
      staleTime: 10_000,
      meta: { isPrivate: true },
    }),
}
