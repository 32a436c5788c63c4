import type { AuditAction } from '@dropleaf/contract'
import type { FastifyError, FastifyInstance, FastifyRequest, RouteOptions } from 'fastify'
import { actionOf } from './audit-actions.ts'
import type { AuditLog, AuditNote } from '../../audit/audit-log.ts'
import { createdBy, idsOf, namesOf, targetOf } from './audit-targets.ts'
import { clientArea } from '../core/client-address.ts'
import { failureOf } from '../core/error-handler.ts'

/** Facts about a request, collected before it is logged. */
interface Facts {
  code: string | null
  /** Target that the route has set. */
  target: string | null
  created: string | null
  /** Whether the response reveals a password. */
  isSecret: boolean
  /** Network of the client. */
  address: string | null
  isNoted: boolean
}

declare module 'fastify' {
  interface FastifyRequest {
    auditFacts: Facts | null
  }
}

export type Who = Pick<AuditNote, 'actor_kind' | 'actor_id' | 'actor_name'>

const NOBODY: Who = { actor_kind: 'visitor', actor_id: null, actor_name: null }

const factsOf = (request: FastifyRequest): Facts =>
  (request.auditFacts ??= {
    code: null,
    target: null,
    created: null,
    isSecret: false,
    isNoted: false,
    address: null,
  })

/** Sets the target of a request whose URL and parsed body do not name the target, such as a form upload. */
export function nameForAudit(request: FastifyRequest, target: string): void {
  factsOf(request).target = target
}

const asList = <Hook>(hooks: Hook | Hook[] | undefined): Hook[] =>
  hooks === undefined ? [] : ([hooks].flat() as Hook[])

const showsPassword = (payload: unknown): boolean => {
  const { data } = (payload ?? {}) as { data?: { plain_password?: unknown } | null }
  return typeof data?.plain_password === 'string'
}

interface Context {
  readonly log: Pick<AuditLog, 'note' | 'flush'>
  readonly whoOf: (request: FastifyRequest) => Who | null
  readonly isAdminName: (name: string) => Promise<boolean>
  /** Returns the known names of the resources with these ids. Empty for actions on other kinds of resources. */
  readonly namesFor: (action: AuditAction, ids: readonly string[]) => Promise<readonly string[]>
  readonly basePath: string
}

/**
 * Finds the actor: for a login the account name, for other requests the authenticated caller. A failed login is logged
 * with a name only if an administrator has this name. Users sometimes type a password into the name field, and
 * attackers send arbitrary text.
 */
async function whoIn(
  request: FastifyRequest,
  action: AuditAction,
  isDone: boolean,
  { whoOf, isAdminName }: Context,
): Promise<Who | null> {
  if (action !== 'session.login') return whoOf(request)
  const { username } = (request.body ?? {}) as { username?: unknown }
  const name = typeof username === 'string' ? username : null
  if (isDone) return { actor_kind: 'admin', actor_id: null, actor_name: name }
  const isKnown = name !== null && (await isAdminName(name).catch(() => false))
  return { ...NOBODY, actor_name: isKnown ? name : null }
}

async function noteRequest(
  request: FastifyRequest,
  status: number,
  action: AuditAction,
  context: Context,
): Promise<void> {
  const facts = factsOf(request)
  if (facts.isNoted) return
  facts.isNoted = true
  const isDone = status < 400
  if (action.endsWith('.read_password') && !facts.isSecret) return
  const who = await whoIn(request, action, isDone, context)
  // Does not log unauthenticated requests, because they could fill the audit log. Only the request log contains them.
  if (who === null) return
  const target =
    action === 'session.login'
      ? null
      : (facts.target ?? targetOf(request, { action, basePath: context.basePath }))
  context.log.note({
    action,
    ...who,
    target:
      target !== null && facts.created !== null && facts.created !== target
        ? `${target} (${facts.created})`
        : (target ?? facts.created),
    address: facts.address ?? clientArea(request),
    status,
    code: facts.code,
  })
}

/** Reads the names before the handler runs, because a deletion removes them. */
async function nameBefore(request: FastifyRequest, action: AuditAction, context: Context): Promise<void> {
  const { ids, total } = idsOf(request)
  if (ids.length === 0 || context.whoOf(request) === null) return
  // If the names cannot be read, the entry contains only the id.
  const names = await context.namesFor(action, ids).catch(() => [])
  factsOf(request).created = namesOf(names, total)
}

type ActionFor = (request: FastifyRequest) => AuditAction | undefined

/** Adds the hooks of the audit log to a route. */
function watch(route: RouteOptions, actionFor: ActionFor, context: Context): void {
  const isForAdmins = route.config?.contract?.access === 'admin' || route.url === '/api/admin/login'
  route.onRequest = [
    async (request: FastifyRequest) => {
      // Stores the address early, because the address of a disconnected client is no longer available.
      factsOf(request).address = clientArea(request)
    },
    ...asList(route.onRequest),
  ]
  route.preHandler = [
    ...asList(route.preHandler),
    async (request: FastifyRequest) => {
      const action = actionFor(request)
      if (action !== undefined) await nameBefore(request, action, context)
    },
  ]
  route.onError = [
    ...asList(route.onError),
    async (request: FastifyRequest, _reply: unknown, error: FastifyError) => {
      factsOf(request).code = failureOf(error, request).spec.code
    },
  ]
  route.preSerialization = [
    ...asList(route.preSerialization),
    async (request: FastifyRequest, _reply: unknown, payload: unknown) => {
      const facts = factsOf(request)
      facts.created ??= createdBy(payload)
      facts.isSecret ||= showsPassword(payload)
      return payload
    },
  ]
  route.onSend = [
    ...asList(route.onSend),
    async (request: FastifyRequest, reply: { statusCode: number }, payload: unknown) => {
      const action = actionFor(request)
      // An administrator's action is logged before the response is sent, on every interface.
      const isAwaited = isForAdmins || context.whoOf(request)?.actor_kind === 'admin'
      if (action === undefined || !isAwaited) return payload
      await noteRequest(request, reply.statusCode, action, context)
      await context.log.flush()
      return payload
    },
  ]
}

/**
 * Logs requests that change something or reveal a secret. The server does not start if a changing route has no action.
 * Install after `installRequestEnd` and before any route.
 */
export function installAudit(app: FastifyInstance, context: Context): void {
  const actions = new Map<string, AuditAction>()
  const actionFor = ({ method, routeOptions }: FastifyRequest) => actions.get(`${method} ${routeOptions.url}`)
  app.decorateRequest('auditFacts', null)
  app.addHook('onRoute', (route) => {
    let isWatched = false
    for (const method of [route.method].flat()) {
      const action = actionOf(method, route.url)
      if (action === null) continue
      actions.set(`${method} ${route.url}`, action)
      isWatched = true
    }
    if (isWatched) watch(route, actionFor, context)
  })
  // Runs even if the client disconnects early, because the action is completed in any case.
  app.atEnd((request, reply) => {
    const action = actionFor(request)
    if (action !== undefined) void noteRequest(request, reply.statusCode, action, context)
  })
  app.addHook('onClose', async () => context.log.flush())
}
