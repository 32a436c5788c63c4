import { Readable } from 'node:stream'
import { auditRoutes } from '@dropleaf/contract'
import type { FastifyInstance } from 'fastify'
import type { AppContext } from '../../../context.ts'
import { fromContract } from '../../../http/core/route-adapter.ts'
import { toInstant } from '../../../lib/clock.ts'
import { contentDisposition } from '../../../lib/bodies/content-headers.ts'
import { parseActor } from './audit.models.ts'
import type { AuditFilter } from './audit.repository.ts'
import { exportAudit, readAudit } from './audit.usecases.ts'

const TYPES = { csv: 'text/csv; charset=utf-8', jsonl: 'application/x-ndjson' } as const

interface Asked extends Pick<AuditFilter, 'action' | 'outcome'> {
  readonly actor: string | null
  readonly from: number | null
  readonly to: number | null
}

const filterOf = ({ actor, action, outcome, from, to }: Asked): AuditFilter => ({
  actor: parseActor(actor),
  action,
  outcome,
  fromMs: from,
  toMs: to,
})

export async function auditPlugin(app: FastifyInstance, { ctx }: { ctx: AppContext }): Promise<void> {
  app.route(
    fromContract(auditRoutes.list, async ({ query }) => {
      const { cursor, limit } = query
      const page = await readAudit(ctx, { filter: filterOf(query), cursor, limit })
      return {
        data: { entries: page.entries, next_cursor: page.nextCursor, kept_days: ctx.config.auditDays },
      }
    }),
  )
  app.route(
    fromContract(auditRoutes.export, async ({ query, reply }) => {
      const day = toInstant(ctx.clock.nowMs()).slice(0, 'yyyy-mm-dd'.length)
      return reply
        .header(
          'content-disposition',
          contentDisposition('attachment', `dropleaf-audit-${day}.${query.format}`),
        )
        .type(TYPES[query.format])
        .send(Readable.from(exportAudit(ctx, filterOf(query), query.format)))
    }),
  )
}
