import { type ListedShare, shareRoutes } from '@dropleaf/contract'
import type { FastifyInstance } from 'fastify'
import type { AppContext } from '../../../context.ts'
import { fromContract } from '../../../http/core/route-adapter.ts'
import { toInstant, toInstantOrNull } from '../../../lib/clock.ts'
import { bundlePagePath, filePagePath, pastePagePath } from '../../../lib/urls.ts'
import { keyNamesOf } from '../../foundation/identity/api-keys.usecases.ts'
import { actorOf } from '../../foundation/identity/request-actor.http.ts'
import { presentOpening } from '../../foundation/share-opening/share-opening.presenters.ts'
import { openingNotesOf } from '../../foundation/share-opening/share-opening.usecases.ts'
import { listShares, type SharesRow } from './shares.usecases.ts'

const PAGES = { text: pastePagePath, file: filePagePath, bundle: bundlePagePath } as const

async function present(ctx: AppContext, rows: readonly SharesRow[]): Promise<ListedShare[]> {
  const [keyName, notes] = await Promise.all([
    keyNamesOf(
      ctx,
      rows.map((row) => row.created_by),
    ),
    openingNotesOf(ctx, rows),
  ])
  return rows.map((row) => {
    const name = keyName(row.created_by)
    return {
      kind: row.kind,
      id: row.id,
      slug: row.slug,
      url: PAGES[row.kind](ctx.config, row.slug),
      title: row.title,
      remark: row.remark,
      size: row.size_bytes,
      item_count: row.sealed === null ? row.item_count : null,
      created_at: toInstant(row.created_at_ms),
      expires_at: toInstantOrNull(row.expires_at_ms),
      max_views: row.max_views,
      views: row.views,
      has_password: row.password_hash !== null || row.kdf !== null,
      sealed: row.sealed,
      created_by: row.created_by,
      ...(name === undefined ? {} : { key_name: name }),
      ...presentOpening(row, notes),
    }
  })
}

/** Registers the routes that list texts, files and bundles together. */
export async function sharesPlugin(app: FastifyInstance, { ctx }: { ctx: AppContext }): Promise<void> {
  app.route(
    fromContract(shareRoutes.list, async ({ query, request }) => {
      const { rows, total } = await listShares(ctx, actorOf(request), query)
      const { limit, offset } = query
      return {
        data: {
          shares: await present(ctx, rows),
          pagination: { total, limit, offset, hasMore: offset + rows.length < total },
        },
      }
    }),
  )
}
