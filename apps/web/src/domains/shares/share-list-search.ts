import { SHARE_STATES, type ShareState } from '@dropleaf/contract'
import { type TableSearch, useTableSearch } from '../../lib/table-search.ts'

/** Search parameters of share tables. */

/** Filters in the form that the list routes expect. */
export interface ShareFilters {
  readonly search?: string | undefined
  readonly state?: ShareState | undefined
  readonly protected?: boolean | undefined
  /** `admin`, or `apikey:` followed by the ID of an API key. */
  readonly created_by?: string | undefined
  readonly s3_config_id?: string | undefined
}

const PROTECTION: Readonly<Record<string, boolean>> = { yes: true, no: false }

/** Converts search parameters to filters. Omits invalid parameters. */
export const filtersOf = (search: TableSearch): ShareFilters => ({
  search: search.q,
  state: SHARE_STATES.find((state) => state === search.state),
  protected: PROTECTION[search.protected ?? ''],
  created_by: search.creator,
  s3_config_id: search.storage,
})

/** @param sorts supported sort orders. The creation time replaces any other order. */
export function useShareTable<Sort extends string>(sorts: readonly ('created' | Sort)[]) {
  const table = useTableSearch()
  const { search, pageSize } = table
  const filters = filtersOf(search)
  const sorting = {
    by: sorts.find((sort) => sort === search.sortBy) ?? 'created',
    order: search.order ?? 'desc',
  } as const
  const isNarrowed = [search.kind, ...Object.values(filters)].some((value) => value !== undefined)
  const clear = () =>
    table.change({
      q: undefined,
      kind: undefined,
      state: undefined,
      protected: undefined,
      creator: undefined,
      storage: undefined,
    })
  /** Identifies the current filter. A selection is valid only for one filter. */
  const matching = JSON.stringify([search.kind, filters])
  return { ...table, filters, sorting, offset: (table.page - 1) * pageSize, isNarrowed, clear, matching }
}
