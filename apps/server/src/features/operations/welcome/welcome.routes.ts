import { welcomeRoutes } from '@dropleaf/contract'
import type { FastifyInstance } from 'fastify'
import type { AppContext } from '../../../context.ts'
import { fromContract } from '../../../http/core/route-adapter.ts'
import { adminOf } from '../../foundation/identity/request-actor.http.ts'
import { presentGuide, saveGuide } from './welcome.usecases.ts'

export async function welcomePlugin(app: FastifyInstance, { ctx }: { ctx: AppContext }): Promise<void> {
  app.route(
    fromContract(welcomeRoutes.read, async ({ request }) => ({
      data: await presentGuide(ctx, adminOf(request)),
    })),
  )
  app.route(
    fromContract(welcomeRoutes.save, async ({ body }) => {
      await saveGuide(ctx, body)
      return {}
    }),
  )
}
