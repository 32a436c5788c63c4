import { authErrors, requestErrors } from '@dropleaf/contract'
import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'
import type { AppContext } from '../../../context.ts'
import { AppError } from '../../../lib/app-error.ts'
import { constantTimeEqual } from '../../../lib/secrets.ts'
import { createMetrics, type Metrics } from './metrics.usecases.ts'

/** Route label for requests without a declared API route: pages, and unknown URLs. */
const OTHERS = 'other'

function countRequests(app: FastifyInstance, metrics: Metrics): void {
  // Requests that reached the hook below. Requests that are answered earlier are not counted.
  const begun = new WeakSet<object>()
  app.addHook('onRequest', async (request) => {
    begun.add(request)
    metrics.begin()
  })
  app.atEnd((request, reply, { isCut }) => {
    if (!begun.has(request)) return
    metrics.end({
      method: request.method,
      route: request.is404 ? OTHERS : (request.routeOptions.url ?? OTHERS),
      status: isCut ? 'cut' : String(reply.statusCode),
      seconds: reply.elapsedTime / 1000,
    })
  })
}

/**
 * Serves `/metrics` for Prometheus, protected by the configured token. Without a token, nothing is counted and the
 * route responds as an unknown URL.
 */
export const metricsPlugin = fp(async (app: FastifyInstance, { ctx }: { ctx: AppContext }): Promise<void> => {
  const token = ctx.config.metricsToken
  const metrics = token === null ? null : await createMetrics(ctx)
  if (metrics) countRequests(app, metrics)
  app.route({
    method: ['GET', 'HEAD'],
    url: '/metrics',
    config: { access: 'signed' },
    handler: async (request, reply) => {
      if (!metrics || token === null) throw new AppError(requestErrors.not_found)
      const [, shown = ''] = /^Bearer (.+)$/i.exec(request.headers.authorization ?? '') ?? []
      if (!constantTimeEqual(shown, token)) throw new AppError(authErrors.unauthorized)
      return reply
        .header('cache-control', 'no-store')
        .type(metrics.contentType)
        .send(await metrics.render())
    },
  })
})
