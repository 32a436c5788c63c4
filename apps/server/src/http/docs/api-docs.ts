import type { RouteSpec } from '@dropleaf/contract'
import type { FastifyInstance } from 'fastify'
import { PRODUCT_VERSION } from '../../lib/version.ts'
import { renderApiDocs } from './api-docs.page.ts'
import { describeApi } from './openapi.ts'
import { pageHeaders, pagePolicy } from '../bodies/security-headers.ts'

const WITHOUT_SCRIPTS = pagePolicy([])

/**
 * Serves `/api/openapi.json` and a page at `/api/docs`. The document is built at the first request for either, and
 * cached.
 */
export function installApiDocs(app: FastifyInstance): void {
  const routes: RouteSpec[] = []
  app.addHook('onRoute', (route) => {
    const contract = route.config?.contract
    if (contract && !routes.includes(contract)) routes.push(contract)
  })
  let document: Record<string, unknown> | undefined
  const describe = () => (document ??= describeApi(routes, PRODUCT_VERSION))
  app.get('/api/openapi.json', { config: { access: 'public' } }, async (_request, reply) =>
    reply.header('cache-control', 'no-cache').send(describe()),
  )
  app.get('/api/docs', { config: { access: 'public' } }, async (_request, reply) => {
    pageHeaders(reply, WITHOUT_SCRIPTS)
    return reply
      .header('cache-control', 'no-cache')
      .type('text/html; charset=utf-8')
      .send(renderApiDocs(describe()))
  })
}
