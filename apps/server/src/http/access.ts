import { type Access, isGuarded } from '@dropleaf/contract'
import type { FastifyInstance, FastifyRequest, RouteOptions } from 'fastify'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Who may call a route that is not of the contract. */
    access?: Access
  }
  interface FastifyInstance {
    /** Refuses the request when its credential does not open `access`. Provided by the auth feature. */
    authorize(request: FastifyRequest, access: Access): Promise<void>
    /** Every route that is mounted, with who may call it. */
    readonly declaredAccess: readonly DeclaredRoute[]
  }
}

export interface DeclaredRoute {
  readonly method: string
  readonly url: string
  readonly access: Access
}

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
    const access = route.config?.contract?.access ?? route.config?.access
    const methods = methodsOf(route)
    if (access === undefined)
      throw new Error(`The route ${methods.join(', ')} ${route.url} does not say who may call it.`)
    for (const method of methods) declared.push({ method, url: route.url, access })
    if (!isGuarded(access)) return
    // Before the body is read, so that a stranger cannot make us read it.
    const guard = async (request: FastifyRequest) => request.server.authorize(request, access)
    route.onRequest = [guard, ...asList(route.onRequest)]
  })
}
