import { type ParsedOf, SHARE_KINDS, type ShareKind, type shareRoutes } from '@dropleaf/contract'
import type { Needs } from '../../../context.ts'
import { type Actor, opens } from '../../foundation/identity/actor.models.ts'
import { allSharesQuery, ownSharesQuery } from '../../foundation/identity/share-queries.models.ts'
import { sharesRepository } from './shares.repository.ts'

const mayMake = (actor: Actor, kind: ShareKind): boolean => {
  if (kind === 'bundle') return opens(actor, 'text') || opens(actor, 'file')
  return opens(actor, kind)
}

/**
 * Lists a page of shares with their total, by default newest first. An administrator sees all shares. An API key sees
 * only its own shares, of the kinds that it may create.
 */
export async function listShares(
  ctx: Needs<'clock' | 'db'>,
  actor: Actor,
  input: ParsedOf<typeof shareRoutes.list, 'query'>,
) {
  const { kind, sort, order, limit, offset } = input
  const wanted = {
    kinds: SHARE_KINDS.filter((one) => (kind ?? one) === one && mayMake(actor, one)),
    query: {
      ...(actor.kind === 'admin' ? allSharesQuery(input) : ownSharesQuery(actor, input)),
      hasOpened: true,
    },
    nowMs: ctx.clock.nowMs(),
  }
  const repository = sharesRepository(ctx.db)
  const listing = { ...wanted, sort: sort ?? 'created', order: order ?? 'desc', limit, offset } as const
  const [rows, total] = await Promise.all([repository.list(listing), repository.count(wanted)])
  return { rows, total }
}

export type SharesRow = Awaited<ReturnType<typeof listShares>>['rows'][number]
