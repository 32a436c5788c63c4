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
  // A name of digits is read as a number.
  const isNamed = typeof preview === 'string' || typeof preview === 'number'
  return {
    ...(isNamed && preview !== '' && { preview: String(preview) }),
    ...(sort && { sort }),
    ...(order && { order }),
  }
}
