const SORTS = ['name', 'size', 'modified', 'type'] as const
const ORDERS = ['asc', 'desc'] as const

interface ExplorerSearch {
  /** Name of the previewed file. */
  preview?: string | undefined
  sort?: (typeof SORTS)[number] | undefined
  order?: (typeof ORDERS)[number] | undefined
}

/** Reads the search parameters of the explorer. Ignores invalid parameters. */
export function readExplorerSearch(search: Record<string, unknown>): ExplorerSearch {
  const { preview } = search
  const sort = SORTS.find((known) => known === search['sort'])
  const order = ORDERS.find((known) => known === search['order'])
  // The router parses file names such as `2030` and `true` as numbers and booleans.
  const isNamed = ['string', 'number', 'boolean'].includes(typeof preview)
  // Returns `undefined` explicitly, because an absent parameter would stay in the URL.
  return { preview: isNamed && preview !== '' ? String(preview) : undefined, sort, order }
}
