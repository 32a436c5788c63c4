import type { QueryClient } from '@tanstack/react-query'

/** What the address of a page says. */
export interface Address {
  readonly params: Readonly<Record<string, string | undefined>>
  readonly search: Readonly<Record<string, unknown>>
}

/** Asks for what a page shows first, into the cache that it reads. Does not fail: the page says what went wrong. */
export type Prepare = (client: QueryClient, address: Address) => Promise<void>
