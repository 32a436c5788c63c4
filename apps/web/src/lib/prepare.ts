import type { QueryClient } from '@tanstack/react-query'

/** Parameters of a page's URL. */
export interface Address {
  readonly params: Readonly<Record<string, string | undefined>>
  readonly search: Readonly<Record<string, unknown>>
}

/** Loads the first data of a page into the query cache. Never rejects, because the page shows the error. */
export type Prepare = (client: QueryClient, address: Address) => Promise<void>
