import { operationRoutes } from '@dropleaf/contract'
import type { FastifyInstance } from 'fastify'
import type { AppContext } from '../../../context.ts'
import { fromContract } from '../../../http/core/route-adapter.ts'
import { confirmRestored } from './restored.usecases.ts'

export async function restoredPlugin(app: FastifyInstance, { ctx }: { ctx: AppContext }): Promise<void> {
  app.route(
    fromContract(operationRoutes.confirmRestored, async () => {
      await confirmRestored(ctx)
      return {}
    }),
  )
}
