import { pasteRevisionRoutes } from '@dropleaf/contract'
import type { FastifyInstance } from 'fastify'
import type { AppContext } from '../../../context.ts'
import { fromContract } from '../../../http/core/route-adapter.ts'
import { toInstant } from '../../../lib/clock.ts'
import { actorOf } from '../../foundation/identity/request-actor.http.ts'
import type { PasteRevisionRow } from './paste-revisions.table.ts'
import { forgetRevisions, listRevisions, readRevision, restoreRevision } from './paste-revisions.usecases.ts'

const present = (row: Omit<PasteRevisionRow, 'content' | 'paste_id'>) => ({
  id: row.id,
  content_type: row.content_type,
  created_at: toInstant(row.created_at_ms),
  replaced_at: toInstant(row.replaced_at_ms),
  size: row.size_bytes,
})

export async function pasteRevisionsPlugin(
  app: FastifyInstance,
  { ctx }: { ctx: AppContext },
): Promise<void> {
  app.route(
    fromContract(pasteRevisionRoutes.list, async ({ params, request }) => {
      const rows = await listRevisions(ctx, actorOf(request), params.id)
      return { data: rows.map(present) }
    }),
  )
  app.route(
    fromContract(pasteRevisionRoutes.read, async ({ params, request }) => {
      const row = await readRevision(ctx, actorOf(request), params.id, params.revision)
      return { data: { ...present(row), content: row.content } }
    }),
  )
  app.route(
    fromContract(pasteRevisionRoutes.restore, async ({ params, request }) => ({
      data: await restoreRevision(ctx, actorOf(request), params.id, params.revision),
    })),
  )
  app.route(
    fromContract(pasteRevisionRoutes.forget, async ({ params, request }) => ({
      data: { deleted: await forgetRevisions(ctx, actorOf(request), params.id) },
    })),
  )
}
