import { SHARE_SEARCH_MAX_LENGTH } from '@dropleaf/contract'
import { useNavigate, useSearch } from '@tanstack/react-router'

/** State of a table in the URL. Filters are additional text parameters. */
export interface TableSearch {
  /** Search text. */
  readonly q?: string | undefined
  readonly sortBy?: string | undefined
  readonly order?: 'asc' | 'desc' | undefined
  /** Page number, starting at 1. */
  readonly page?: number | undefined
  readonly size?: number | undefined
  /** Kind of shares. */
  readonly kind?: string | undefined
  readonly state?: string | undefined
  readonly protected?: string | undefined
  readonly creator?: string | undefined
  readonly storage?: string | undefined
  readonly action?: string | undefined
  readonly period?: string | undefined
}

export const PAGE_SIZES = [10, 20, 50, 100] as const
const DEFAULT_PAGE_SIZE = 20

/** The router parses values such as `2030` as numbers. */
const readText = (value: unknown): string | undefined =>
  ['string', 'number', 'boolean'].includes(typeof value) && value !== '' ? String(value) : undefined

/**
 * Reads the state of a table from search parameters, and ignores invalid parameters. Every key is present, because an
 * absent key would stay in the URL.
 */
export function readTableSearch(search: Record<string, unknown>): TableSearch {
  const page = Number(search['page'])
  const size = PAGE_SIZES.find((known) => known === Number(search['size']))
  const { order } = search
  return {
    q: readText(search['q'])?.slice(0, SHARE_SEARCH_MAX_LENGTH),
    sortBy: readText(search['sortBy']),
    order: order === 'asc' || order === 'desc' ? order : undefined,
    page: Number.isSafeInteger(page) && page > 1 ? page : undefined,
    size: size === DEFAULT_PAGE_SIZE ? undefined : size,
    kind: readText(search['kind']),
    state: readText(search['state']),
    protected: readText(search['protected']),
    creator: readText(search['creator']),
    storage: readText(search['storage']),
    action: readText(search['action']),
    period: readText(search['period']),
  }
}

/**
 * The state of a table in the URL. Any change other than to the page number resets the table to the first page. Every
 * change replaces the history entry, so that the back button leaves the table.
 */
export function useTableSearch() {
  const raw: Record<string, unknown> = useSearch({ strict: false })
  const search = readTableSearch(raw)
  const navigate = useNavigate()
  const change = (next: Partial<TableSearch>) =>
    void navigate({
      to: '.',
      search: (before: Record<string, unknown>) => ({ ...before, page: undefined, ...next }),
      replace: true,
      resetScroll: false,
    })
  return { search, page: search.page ?? 1, pageSize: search.size ?? DEFAULT_PAGE_SIZE, change }
}
