import { type Access, isGuarded } from '@dropleaf/contract'
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from 'fastify'
import { GUARDED_BODY_LIMIT_BYTES } from '../bodies/body-parsers.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Who may call a route that is not of the contract. */
    access?: Access
  }
  interface FastifyInstance {
    /** Refuses the request when its credential does not open `access`. Provided by the auth feature. */
    authorize(request: FastifyRequest, access: Access): Promise<void>
    /**
     * The same once more, unless it has just been done: what is sent may take its time, and its sender's key may be deleted,
     * narrowed or expired by its last byte, or the session ended.
     */
    authorizeStill(request: FastifyRequest): Promise<void>
    /** Every route that is mounted, with who may call it. */
    readonly declaredAccess: readonly DeclaredRoute[]
  }
}

export interface DeclaredRoute {
  readonly method: string
  readonly url: string
  readonly access: Access
}

/** For answers that hold what somebody had to show a credential for. */
export const KEPT_BY_NOBODY = 'private, no-store'

const BODYLESS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS'])

export const accessOf = ({ config }: Pick<RouteOptions, 'config'>): Access | undefined =>
  config?.contract?.access ?? config?.access

const methodsOf = ({ method }: Pick<RouteOptions, 'method'>): readonly string[] => [method].flat()

const asList = <Hook>(hooks: Hook | Hook[] | undefined): Hook[] =>
  hooks === undefined ? [] : ([hooks].flat() as Hook[])

/**
 * Makes every route say who may call it, and lets nobody else in: the declaration is the check. The server does not start with
 * a route that says nothing. To be installed before any route.
 */
export function installAccess(app: FastifyInstance): void {
  const declared: DeclaredRoute[] = []
  app.decorate('declaredAccess', declared)
  app.addHook('onRoute', (route) => {
    const access = accessOf(route)
    const methods = methodsOf(route)
    // Of the CORS plugin, which answers preflights before anybody is asked for a credential.
    if (route.url === '*' && methods.every((method) => method === 'OPTIONS')) return
    if (access === undefined)
      throw new Error(`The route ${methods.join(', ')} ${route.url} does not say who may call it.`)
    for (const method of methods) declared.push({ method, url: route.url, access })
    if (!isGuarded(access)) return
    // Before the body is read, so that a stranger cannot make us read it.
    // What only some may see is kept by nobody on the way, unless the route says otherwise.
    const guard = async (request: FastifyRequest, reply: FastifyReply) => {
      reply.header('cache-control', KEPT_BY_NOBODY)
      await request.server.authorize(request, access)
    }
    route.bodyLimit ??= GUARDED_BODY_LIMIT_BYTES
    route.onRequest = [guard, ...asList(route.onRequest)]
    // And once more where a body that has become a value took long to come. Routes that take it as it comes ask at its end.
    const guardAgain = async (request: FastifyRequest) => request.server.authorizeStill(request)
    if (methods.some((method) => !BODYLESS.has(method)))
      route.preValidation = [guardAgain, ...asList(route.preValidation)]
  })
}
