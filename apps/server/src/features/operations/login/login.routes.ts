import { type Access, authErrors, authRoutes, shellRoutes } from '@dropleaf/contract'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import type { AppContext } from '../../../context.ts'
import { accessOf, KEPT_BY_NOBODY } from '../../../http/core/access.ts'
import { clientArea, clientNetwork } from '../../../http/core/client-address.ts'
import { fromContract } from '../../../http/core/route-adapter.ts'
import { AppError } from '../../../lib/app-error.ts'
import { toInstant } from '../../../lib/clock.ts'
import { readGuide } from '../welcome/welcome.usecases.ts'
import { type Actor, opens } from '../../foundation/identity/actor.models.ts'
import { actorOf, adminOf } from '../../foundation/identity/request-actor.http.ts'
import { changeAdmin, isAdminName, login, logout } from '../../foundation/identity/auth.usecases.ts'
import { authenticate, findStill, isJustNow } from '../../foundation/identity/authenticate.usecases.ts'
import { type Credential, parseAuthorization } from '../../foundation/identity/credentials.models.ts'
import {
  endOtherSessions,
  endSession,
  type ListedSession,
  listSessions,
} from '../../foundation/identity/sessions.usecases.ts'
import { describeUserAgent } from './user-agent.models.ts'

/**
 * Alternative header for image upload tools that cannot set `Authorization`. The header is also shorter to type in a
 * terminal.
 */
const CUSTOM_KEY_HEADER = 'x-custom-auth-key'
const CUSTOM_KEY_ROUTES: ReadonlySet<string> = new Set([
  'PUT /api/upload-direct/:filename',
  `${shellRoutes.file.method} ${shellRoutes.file.path}`,
  `${shellRoutes.text.method} ${shellRoutes.text.path}`,
])

function* credentialsOf(request: FastifyRequest): Generator<Credential> {
  const credential = parseAuthorization(request.headers.authorization)
  if (credential) yield credential
  const customKey = request.headers[CUSTOM_KEY_HEADER]
  const route = `${request.method} ${request.routeOptions.url}`
  if (CUSTOM_KEY_ROUTES.has(route) && typeof customKey === 'string' && customKey !== '')
    yield { kind: 'key', key: customKey }
}

/** Returns the authenticated caller; `null` for a visitor. */
async function identify(ctx: AppContext, request: FastifyRequest): Promise<Actor | null> {
  for (const credential of credentialsOf(request)) {
    const actor = await authenticate(ctx, credential, {
      network: clientNetwork(request),
      area: clientArea(request),
    })
    if (actor) return actor
  }
  return null
}

/**
 * Adds a failed login by name and password to the audit log. The log omits repetitions, because WebDAV clients log in
 * with every request.
 */
async function noteDriveLogin(ctx: AppContext, request: FastifyRequest, error: unknown): Promise<void> {
  const credential = parseAuthorization(request.headers.authorization)
  if (credential?.kind !== 'basic' || !(error instanceof AppError)) return
  const isKnown = await isAdminName(ctx, credential.username).catch(() => false)
  ctx.audit.note({
    action: 'session.drive_login',
    actor_kind: 'visitor',
    actor_id: null,
    // Unknown names are not logged, because WebDAV clients also send API keys as the name.
    actor_name: isKnown ? credential.username : null,
    target: null,
    address: clientArea(request),
    status: error.spec.status,
    code: error.spec.code,
  })
}

/**
 * Authenticates protected routes. Responds with 401 without a valid credential, and with 403 without the required
 * right.
 */
export const authentication = fp(async (app: FastifyInstance, { ctx }: { ctx: AppContext }) => {
  app.decorateRequest('actor', null)
  app.decorateRequest('authorizedAtMs', 0)
  app.decorate('authorize', async (request: FastifyRequest, access: Access) => {
    // Reads the time before the check, because the caller could lose the right during a slow check.
    const askedAtMs = ctx.clock.nowMs()
    const actor = await identify(ctx, request).catch(async (error: unknown) => {
      await noteDriveLogin(ctx, request, error)
      throw error
    })
    if (!actor) {
      const refusal = new AppError(authErrors.unauthorized)
      await noteDriveLogin(ctx, request, refusal)
      throw refusal
    }
    // Sets the actor before the right is checked, so that refused requests are logged with their actor.
    request.actor = actor
    request.authorizedAtMs = askedAtMs
    if (!opens(actor, access)) throw new AppError(authErrors.forbidden)
  })
  app.decorate('authorizeStill', async (request: FastifyRequest) => {
    const { actor } = request
    if (!actor || isJustNow(ctx, request.authorizedAtMs)) return
    const isByPassword = actor.kind === 'admin' && actor.sessionId === null
    const askedAtMs = ctx.clock.nowMs()
    const now = await (isByPassword ? identify(ctx, request) : findStill(ctx, actor))
    if (!now) throw new AppError(authErrors.unauthorized)
    request.actor = now
    request.authorizedAtMs = askedAtMs
    if (!opens(now, accessOf(request.routeOptions) ?? 'admin')) throw new AppError(authErrors.forbidden)
  })
})

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

function presentSession({ row, isCurrent }: ListedSession) {
  return {
    id: row.id,
    is_current: isCurrent,
    created_at: toInstant(row.created_at_ms),
    last_used_at: toInstant(row.last_used_at_ms ?? row.created_at_ms),
    expires_at: toInstant(row.expires_at_ms),
    address: row.address,
    ...describeUserAgent(row.user_agent),
  }
}

export async function authPlugin(app: FastifyInstance, { ctx }: { ctx: AppContext }): Promise<void> {
  app.route(
    fromContract(authRoutes.login, async ({ body, request, reply }) => {
      reply.header('cache-control', KEPT_BY_NOBODY)
      const session = await login(ctx, {
        ...body,
        network: clientNetwork(request),
        area: clientArea(request),
        userAgent: request.headers['user-agent'] ?? '',
      })
      const { state } = await readGuide(ctx)
      return {
        data: {
          username: session.username,
          token: session.token,
          expiresAt: toInstant(session.expiresAtMs),
          isFirstStart: state === 'open',
        },
      }
    }),
  )
  app.route(
    fromContract(authRoutes.logout, async ({ request }) => {
      // Accepts an expired session. Clients log out when their session has expired, and would repeat a refused logout
      // forever.
      const credential = parseAuthorization(request.headers.authorization)
      const actor = credential?.kind === 'bearer' ? await identify(ctx, request) : null
      if (actor?.kind !== 'admin') return {}
      request.actor = actor
      await logout(ctx, actor)
      return {}
    }),
  )
  app.route(
    fromContract(authRoutes.changePassword, async ({ body, request }) => {
      await changeAdmin(ctx, adminOf(request), { ...body, network: clientNetwork(request) })
      return {}
    }),
  )
  app.route(
    fromContract(authRoutes.listSessions, async ({ request }) => ({
      data: (await listSessions(ctx, adminOf(request))).map(presentSession),
    })),
  )
  app.route(
    fromContract(authRoutes.endSession, async ({ params, request }) => {
      await endSession(ctx, adminOf(request), params.id)
      return {}
    }),
  )
  app.route(
    fromContract(authRoutes.endOtherSessions, async ({ request }) => ({
      data: { ended: await endOtherSessions(ctx, adminOf(request)) },
    })),
  )
  app.route(fromContract(authRoutes.testAdminToken, async () => ({})))
  app.route(
    fromContract(authRoutes.testApiKey, async ({ request }) => ({ data: presentKeyCheck(actorOf(request)) })),
  )
}
