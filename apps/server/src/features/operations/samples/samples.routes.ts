import { sampleRoutes } from '@dropleaf/contract'
import type { FastifyInstance } from 'fastify'
import type { AppContext } from '../../../context.ts'
import { languageOf } from '../../../messages/index.ts'
import { fromContract } from '../../../http/core/route-adapter.ts'
import { adminOf } from '../../foundation/identity/request-actor.http.ts'
import { listSamples, makeSamples, removeSamples } from './samples.usecases.ts'

export async function samplesPlugin(app: FastifyInstance, { ctx }: { ctx: AppContext }): Promise<void> {
  app.route(
    fromContract(sampleRoutes.list, async ({ request }) => ({
      data: await listSamples(ctx, adminOf(request)),
    })),
  )
  app.route(
    fromContract(sampleRoutes.create, async ({ request }) => ({
      data: await makeSamples(ctx, adminOf(request), languageOf(request.headers['accept-language'])),
    })),
  )
  app.route(
    fromContract(sampleRoutes.remove, async ({ request }) => ({
      data: { kept: await removeSamples(ctx, adminOf(request)) },
    })),
  )
}
