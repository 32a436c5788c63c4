import { RECONCILIATION_GRACE_MINUTES, reconciliationRoutes } from '@dropleaf/contract'
import type { FastifyInstance } from 'fastify'
import type { AppContext } from '../../../context.ts'
import { languageOf } from '../../../messages/index.ts'
import { fromContract } from '../../../http/core/route-adapter.ts'
import { actorOf } from '../../foundation/identity/request-actor.http.ts'
import { presentTask } from '../../foundation/tasks/tasks.presenters.ts'
import { beginReconciliation, lastReconciliation } from './reconciliation.usecases.ts'

export async function reconciliationPlugin(
  app: FastifyInstance,
  { ctx }: { ctx: AppContext },
): Promise<void> {
  app.route(
    fromContract(reconciliationRoutes.read, async ({ request }) => {
      const { task, report } = await lastReconciliation(ctx)
      const language = languageOf(request.headers['accept-language'])
      return { data: { task: task && presentTask(task, language), report } }
    }),
  )
  app.route(
    fromContract(reconciliationRoutes.begin, async ({ body, request }) => {
      const order = {
        repair: body?.repair ?? [],
        graceMinutes: body?.grace_minutes ?? RECONCILIATION_GRACE_MINUTES,
      }
      const row = await beginReconciliation(ctx, actorOf(request), order)
      return { data: presentTask(row, languageOf(request.headers['accept-language'])) }
    }),
  )
}
