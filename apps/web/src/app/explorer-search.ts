const SORTS = ['name', 'size', 'modified', 'type'] as const
const ORDERS = ['asc', 'desc'] as const

interface ExplorerSearch {
  /** Name of the file that is shown. */
  preview?: string | undefined
  sort?: (typeof SORTS)[number] | undefined
  order?: (typeof ORDERS)[number] | undefined
}

/** What the explorer's address says beside the folder. Whatever makes no sense is left out. */
export function readExplorerSearch(search: Record<string, unknown>): ExplorerSearch {
  const { preview } = search
  const sort = SORTS.find((known) => known === search['sort'])
  const order = ORDERS.find((known) => known === search['order'])
  // Names such as `2030` and `true` are read as other things than text.
  const isNamed = ['string', 'number', 'boolean'].includes(typeof preview)
  // Named even where there is none: what is left out stays in the address as it came.
  return { preview: isNamed && preview !== '' ? String(preview) : undefined, sort, order }
}
