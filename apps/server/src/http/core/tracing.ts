import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Config } from '../../config/config.ts'
import type { RequestSpan, Tracing } from '../../tracing/tracing.ts'
import { isLocal } from './urls.ts'

/** Span name for routes without a fixed URL: pages, and unknown URLs. */
const OTHERS = 'other'

/**
 * Whether a request may come from a trusted proxy, which is allowed to start the trace. With `TRUST_PROXY`, every
 * request counts.
 */
const isFromProxy = ({ raw }: FastifyRequest, { trustProxy }: Pick<Config, 'trustProxy'>): boolean =>
  trustProxy !== false || isLocal(raw.socket.remoteAddress)

/** Creates a span for each request, named by its declared route. Spans contain no URL, query or input. */
export function installTracing(
  app: FastifyInstance,
  { tracing, config }: { readonly tracing: Tracing | null; readonly config: Config },
): void {
  if (tracing === null) return
  const spans = new WeakMap<FastifyRequest, RequestSpan>()
  app.addHook('onRequest', (request, _reply, done) => {
    const headers = isFromProxy(request, config) ? request.headers : null
    const span = tracing.beginRequest(request.method, headers)
    spans.set(request, span)
    span.enter(done)
  })
  // Enters the span again, because events of the body come from the connection, outside of the request's async context.
  app.addHook('preValidation', (request, _reply, done) => {
    const span = spans.get(request)
    if (span) span.enter(done)
    else done()
  })
  app.atEnd((request, reply, { isCut }) => {
    const route = request.is404 ? OTHERS : (request.routeOptions.url ?? OTHERS)
    spans.get(request)?.end({
      name: `${request.method} ${route}`,
      status: reply.statusCode,
      'http.request.method': request.method,
      'http.route': route,
      ...(isCut && { 'dropleaf.cut': 1 }),
    })
  })
}
