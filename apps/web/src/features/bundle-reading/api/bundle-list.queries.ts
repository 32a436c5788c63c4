import { bundleReadingRoutes, LIST_LIMIT_MAX, type ListedBundleItem } from '@dropleaf/contract'
import { infiniteQueryOptions } from '@tanstack/react-query'
import { api, interpretReply } from '../../../domains/api/api-client.ts'
import type { ItemOrder } from '../models/bundle-tree.ts'
import { FIRST_PAGE, type Opened } from '../../../domains/bundles/bundle-urls.ts'
import { type ListReply, takeArrivedList, takePendingList } from '../models/early-list.ts'

/** Once this number of entries of a list is loaded, the page requests no more of them. */
export const LISTED_MAX = 50_000

interface List {
  readonly path: string
  readonly order: ItemOrder
  /**
   * Search text. Lists the files below the folder that contain this text in their names. If the text is empty, lists
   * the folder itself.
   */
  readonly text: string
}

interface Page {
  readonly items: readonly ListedBundleItem[]
  readonly cursor: string | null
  /** Whether the search has found all matches. The matches can be on this page or on other pages. */
  readonly isComplete: boolean
}

const toPage = ({ items, next_cursor: cursor, is_complete: isComplete }: ListReply): Page => ({
  items,
  cursor,
  isComplete,
})

/** Pages of a list that the server provides: a live folder, or a search in it. */
export const bundleListQuery = ({ slug, ticket }: Opened, { path, order, text }: List) =>
  infiniteQueryOptions({
    queryKey: ['bundle-list', slug, ticket, path, order, text],
    queryFn: async ({ pageParam, signal }): Promise<Page> => {
      const asked = pageParam === null && text === '' ? takePendingList({ ticket, path, ...order }) : null
      const early = await asked
      if (early) return toPage((interpretReply(early.answer, early.sent) as { data: ListReply }).data)
      const limit = pageParam === null ? FIRST_PAGE : LIST_LIMIT_MAX
      const query = { ticket, path, limit, cursor: pageParam, ...order, ...(text && { search: text }) }
      const { data } = await api(bundleReadingRoutes.list, { params: { slug }, query, signal })
      return toPage(data)
    },
    initialPageParam: null as string | null,
    initialData: () => {
      const reply = text === '' ? takeArrivedList({ ticket, path, ...order }) : undefined
      return reply && { pages: [toPage(reply)], pageParams: [null] }
    },
    getNextPageParam: ({ cursor }, pages) =>
      pages.reduce((sum, { items }) => sum + items.length, 0) < LISTED_MAX ? cursor : null,
    // Structural sharing is off, because comparing 50,000 entries takes longer than rendering the visible entries.
    structuralSharing: false,
    staleTime: 60_000,
    retry: false,
    refetchOnReconnect: false,
    refetchOnWindowFocus: false,
    meta: { isPrivate: true },
  })
