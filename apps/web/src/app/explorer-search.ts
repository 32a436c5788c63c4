const SORTS = ['name', 'size', 'modified', 'type'] as const
const ORDERS = ['asc', 'desc'] as const

interface ExplorerSearch {
  /** Name of the shown file. */
  preview?: string | undefined
  sort?: (typeof SORTS)[number] | undefined
  order?: (typeof ORDERS)[number] | undefined
}

/** Search parameters of the explorer. Ignores invalid ones. */
export function readExplorerSearch(search: Record<string, unknown>): ExplorerSearch {
  const { preview } = search
  const sort = SORTS.find((known) => known === search['sort'])
  const order = ORDERS.find((known) => known === search['order'])
  // The router parses names such as `2030` and `true` as other types.
  const isNamed = ['string', 'number', 'boolean'].includes(typeof preview)
  // Explicitly undefined: an absent parameter would stay in the URL.
  return { preview: isNamed && preview !== '' ? String(preview) : undefined, sort, order }
}
