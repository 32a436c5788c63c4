import type { ShareFilter } from '@dropleaf/contract'
import type { ShareQuery } from '../../../db/share-queries.ts'
import { type Actor, creatorOf } from './actor.models.ts'

/** Value in the API for every creator that is not an API key. */
const ADMIN_CREATOR = 'admin'

const narrow = ({ search, state, protected: isProtected }: ShareFilter): ShareFilter => ({
  search,
  state,
  protected: isProtected,
})

/** Builds an administrator's query over all shares. */
export const allSharesQuery = (input: ShareFilter & { readonly created_by: string | null }): ShareQuery => ({
  ...narrow(input),
  ...(input.created_by === ADMIN_CREATOR
    ? { isByAdmin: true }
    : { createdBy: input.created_by ?? undefined }),
})

/** Builds the query over the caller's own shares. */
export const ownSharesQuery = (actor: Actor, input: ShareFilter): ShareQuery => ({
  ...narrow(input),
  createdBy: creatorOf(actor),
})
