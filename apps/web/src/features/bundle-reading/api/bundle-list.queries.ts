import { bundleReadingRoutes, LIST_LIMIT_MAX, type ListedBundleItem } from '@dropleaf/contract'
import { infiniteQueryOptions } from '@tanstack/react-query'
import { api } from '../../../domains/api/api-client.ts'
import type { ItemOrder } from '../models/bundle-tree.ts'
import type { Opened } from '../models/bundle-urls.ts'

/** A first page that is soon there; the next ones are loaded before the reader gets to them. */
const FIRST_PAGE = 200
/** Number of entries of one list that can be scrolled to. */
export const LISTED_MAX = 50_000

interface List {
  readonly path: string
  readonly order: ItemOrder
  /** Lists the files below the folder whose names contain this text; empty for the folder itself. */
  readonly text: string
}

interface Page {
  readonly items: readonly ListedBundleItem[]
  readonly cursor: string | null
}

/** The pages of a list that the server makes: of a live folder, or of a search in one. */
export const bundleListQuery = ({ slug, ticket }: Opened, { path, order, text }: List) =>
  infiniteQueryOptions({
    queryKey: ['bundle-list', slug, ticket, path, order, text],
    queryFn: async ({ pageParam, signal }): Promise<Page> => {
      const limit = pageParam === null ? FIRST_PAGE : LIST_LIMIT_MAX
      const query = { ticket, path, limit, cursor: pageParam, ...order, ...(text && { search: text }) }
      const { data } = await api(bundleReadingRoutes.list, { params: { slug }, query, signal })
      return { items: data.items, cursor: data.next_cursor }
    },
    initialPageParam: null as string | null,
    getNextPageParam: ({ cursor }, pages) =>
      pages.reduce((sum, { items }) => sum + items.length, 0) < LISTED_MAX ? cursor : null,
    // Comparing 50,000 entries takes longer than rendering the visible ones.
    structuralSharing: false,
    staleTime: 60_000,
    retry: false,
    refetchOnReconnect: false,
    refetchOnWindowFocus: false,
    meta: { isPrivate: true },
  })
