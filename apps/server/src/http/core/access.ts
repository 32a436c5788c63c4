import { type Access, isGuarded } from '@dropleaf/contract'
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from 'fastify'
import { GUARDED_BODY_LIMIT_BYTES } from '../bodies/body-parsers.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Access of a route that is not in the contract. */
    access?: Access
  }
  interface FastifyInstance {
    /** Refuses the request if its credential does not allow `access`. Provided by the auth feature. */
    authorize(request: FastifyRequest, access: Access): Promise<void>
    /**
     * Authorizes the sender again, unless the last check is very recent. While a body arrives slowly, its sender's API
     * key can be deleted, be restricted or expire, or the session can end.
     */
    authorizeStill(request: FastifyRequest): Promise<void>
    /** All mounted routes with their access. */
    readonly declaredAccess: readonly DeclaredRoute[]
  }
}

export interface DeclaredRoute {
  readonly method: string
  readonly url: string
  readonly access: Access
}

/** Value of `Cache-Control` for responses to authenticated requests. */
export const KEPT_BY_NOBODY = 'private, no-store'

const BODYLESS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS'])

export const accessOf = ({ config }: Pick<RouteOptions, 'config'>): Access | undefined =>
  config?.contract?.access ?? config?.access

const methodsOf = ({ method }: Pick<RouteOptions, 'method'>): readonly string[] => [method].flat()

const asList = <Hook>(hooks: Hook | Hook[] | undefined): Hook[] =>
  hooks === undefined ? [] : ([hooks].flat() as Hook[])

/**
 * Requires every route to declare its access, and enforces the declaration. The server does not start if a route
 * declares none. Install before any route.
 */
export function installAccess(app: FastifyInstance): void {
  const declared: DeclaredRoute[] = []
  app.decorate('declaredAccess', declared)
  app.addHook('onRoute', (route) => {
    const access = accessOf(route)
    const methods = methodsOf(route)
    // Skips the route of the CORS plugin, which answers preflights without authentication.
    if (route.url === '*' && methods.every((method) => method === 'OPTIONS')) return
    if (access === undefined)
      throw new Error(`The route ${methods.join(', ')} ${route.url} does not say who may call it.`)
    for (const method of methods) declared.push({ method, url: route.url, access })
    if (!isGuarded(access)) return
    // Runs before the body is read, so that an unauthenticated client cannot make the server read it. Responses to
    // authenticated requests are not cached, unless the route replaces the header.
    const guard = async (request: FastifyRequest, reply: FastifyReply) => {
      reply.header('cache-control', KEPT_BY_NOBODY)
      await request.server.authorize(request, access)
    }
    route.bodyLimit ??= GUARDED_BODY_LIMIT_BYTES
    route.onRequest = [guard, ...asList(route.onRequest)]
    // Authorizes again after a body has been parsed, because the body can arrive slowly. Routes that stream the body
    // authorize again at its end.
    const guardAgain = async (request: FastifyRequest) => request.server.authorizeStill(request)
    if (methods.some((method) => !BODYLESS.has(method)))
      route.preValidation = [guardAgain, ...asList(route.preValidation)]
  })
}
