import { type Access, authErrors, authRoutes } from '@dropleaf/contract'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import type { AppContext } from '../../context.ts'
import { clientNetwork } from '../../http/client-address.ts'
import { fromContract } from '../../http/route-adapter.ts'
import { AppError } from '../../lib/app-error.ts'
import { toInstant } from '../../lib/clock.ts'
import { type Actor, type AdminActor, opens } from './actor.models.ts'
import { actorOf } from './request-actor.models.ts'
import { changeAdmin, login, logout } from './auth.usecases.ts'
import { authenticate } from './authenticate.usecases.ts'
import { type Credential, parseAuthorization } from './credentials.models.ts'

/** Used by image-hosting tools, on the one route whose tools cannot set `Authorization`. */
const CUSTOM_KEY_HEADER = 'x-custom-auth-key'
const CUSTOM_KEY_ROUTE = '/api/upload-direct/:filename'

function* credentialsOf(request: FastifyRequest): Generator<Credential> {
  const credential = parseAuthorization(request.headers.authorization)
  if (credential) yield credential
  const customKey = request.headers[CUSTOM_KEY_HEADER]
  if (request.routeOptions.url === CUSTOM_KEY_ROUTE && typeof customKey === 'string' && customKey !== '')
    yield { kind: 'key', key: customKey }
}

/** Finds out who calls; `null` for a visitor. */
export async function identify(ctx: AppContext, request: FastifyRequest): Promise<Actor | null> {
  for (const credential of credentialsOf(request)) {
    const actor = await authenticate(ctx, credential, clientNetwork(request))
    if (actor) return actor
  }
  return null
}

/** Gives every guarded route of the app its check: 401 without a valid credential, 403 without the right. */
export const authentication = fp(async (app: FastifyInstance, { ctx }: { ctx: AppContext }) => {
  app.decorateRequest('actor', null)
  app.decorate('authorize', async (request: FastifyRequest, access: Access) => {
    const actor = await identify(ctx, request)
    if (!actor) throw new AppError(authErrors.unauthorized)
    if (!opens(actor, access)) throw new AppError(authErrors.forbidden)
    request.actor = actor
  })
})

function adminOf(request: FastifyRequest): AdminActor {
  const actor = actorOf(request)
  if (actor.kind !== 'admin') throw new AppError(authErrors.forbidden)
  return actor
}

function presentKeyCheck(actor: Actor) {
  const isAdmin = actor.kind === 'admin'
  const name = isAdmin ? actor.username : actor.name
  const basicPath = isAdmin ? '/' : actor.basicPath
  return {
    name,
    basic_path: basicPath,
    permissions: {
      text: opens(actor, 'text'),
      file: opens(actor, 'file'),
      mount: opens(actor, 'mount'),
      mount_read_only: !isAdmin && actor.isMountReadOnly,
    },
    key_info: { id: actor.id, name, basic_path: basicPath },
  }
}

export async function authPlugin(app: FastifyInstance, { ctx }: { ctx: AppContext }): Promise<void> {
  app.route(
    fromContract(authRoutes.login, async ({ body, request }) => {
      const session = await login(ctx, { ...body, network: clientNetwork(request) })
      return {
        data: { username: session.username, token: session.token, expiresAt: toInstant(session.expiresAtMs) },
      }
    }),
  )
  app.route(
    fromContract(authRoutes.logout, async ({ request }) => {
      await logout(ctx, adminOf(request))
      return {}
    }),
  )
  app.route(
    fromContract(authRoutes.changePassword, async ({ body, request }) => {
      await changeAdmin(ctx, adminOf(request), { ...body, network: clientNetwork(request) })
      return {}
    }),
  )
  app.route(fromContract(authRoutes.testAdminToken, async () => ({})))
  app.route(
    fromContract(authRoutes.testApiKey, async ({ request }) => ({ data: presentKeyCheck(actorOf(request)) })),
  )
}
