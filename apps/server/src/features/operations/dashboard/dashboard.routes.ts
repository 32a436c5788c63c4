import { operationRoutes } from '@dropleaf/contract'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { AppContext } from '../../../context.ts'
import { fromContract } from '../../../http/core/route-adapter.ts'
import { toInstant } from '../../../lib/clock.ts'
import { actorOf } from '../../foundation/identity/request-actor.http.ts'
import { emptyCaches, readCacheStats, readDashboard } from './dashboard.usecases.ts'

export async function dashboardPlugin(app: FastifyInstance, { ctx }: { ctx: AppContext }): Promise<void> {
  const now = () => toInstant(ctx.clock.nowMs())
  const clear = async (
    request: FastifyRequest,
    target: { mountId: string | null; s3ConfigId: string | null } | null | undefined,
  ) => ({
    data: {
      clearedCount: await emptyCaches(ctx, actorOf(request), target ?? { mountId: null, s3ConfigId: null }),
      timestamp: now(),
    },
  })
  app.route(
    fromContract(operationRoutes.dashboard, async ({ query }) => ({
      data: await readDashboard(ctx, { utcOffsetMinutes: query.utc_offset }),
    })),
  )
  app.route(
    fromContract(operationRoutes.cacheStats, async () => ({
      data: { ...readCacheStats(ctx), timestamp: now() },
    })),
  )
  app.route(fromContract(operationRoutes.adminClearCache, ({ body, request }) => clear(request, body)))
  app.route(fromContract(operationRoutes.userClearCache, ({ body, request }) => clear(request, body)))
}
