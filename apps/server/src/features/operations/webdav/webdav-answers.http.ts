import { authErrors, fsErrors, webdavErrors } from '@dropleaf/contract'
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { type Failure, failureOf, stopReading } from '../../../http/core/error-handler.ts'
import { languageOf, messageFor } from '../../../messages/index.ts'
import type { TaskFailure } from '../../../jobs/tasks.models.ts'
import { AppError } from '../../../lib/app-error.ts'
import { parseOverwrite } from './headers.models.ts'
import { driveRootOf, hrefOf } from './hrefs.models.ts'
import {
  errorBody,
  failedResponse,
  MULTISTATUS_END,
  MULTISTATUS_START,
  XML_TYPE,
} from './multistatus.models.ts'
import { type DavCall, hasConditions, headerOf } from './webdav-requests.http.ts'
import { escapeText } from './xml.models.ts'
import { specOfFailure } from './transferring.usecases.ts'

/** Conditions that RFC 4918 defines, keyed by error code. */
const CONDITIONS: Readonly<Record<string, string>> = {
  [webdavErrors.lock_unknown.code]: '<D:lock-token-matches-request-uri/>',
  [webdavErrors.depth_infinite.code]: '<D:propfind-finite-depth/>',
}

/** Builds the list of locked resources whose tokens the request lacks. */
function lockedPlaces({ spec, details = [] }: Failure, root: string): string {
  if (spec.code !== webdavErrors.locked.code) return ''
  const hrefs = details.map(
    ({ path }) => `<D:href>${escapeText(hrefOf(root, path, { isFolder: path.endsWith('/') }))}</D:href>`,
  )
  return `<D:lock-token-submitted>${hrefs.join('')}</D:lock-token-submitted>`
}

/** Methods that create resources or set properties. Both are impossible outside of mounts. */
const MAKING: ReadonlySet<string> = new Set(['MKCOL', 'PUT', 'LOCK', 'PROPPATCH', 'COPY', 'MOVE'])

const MAKING_ONLY: ReadonlySet<string> = new Set(['PUT', 'MKCOL'])

/** `Allow` header for existing resources. */
export const ALLOW_THERE = 'OPTIONS, PROPFIND, GET, HEAD, DELETE, COPY, MOVE, PROPPATCH, LOCK, UNLOCK'

/** WebDAV statuses of file system errors that differ from the API's statuses. */
const STATUSES: Readonly<Record<string, number>> = {
  [authErrors.forbidden.code]: 401,
  [fsErrors.not_a_file.code]: 405,
  [fsErrors.not_a_folder.code]: 405,
  [fsErrors.into_itself.code]: 403,
  [fsErrors.changed.code]: 412,
  [fsErrors.partly_done.code]: 409,
  'file.storage_full': 507,
  'storage.full': 507,
}

/**
 * Returns the status for a resource that was created concurrently. The status for existing resources depends on the
 * method.
 */
function existsStatus(request: FastifyRequest, status: number): number {
  const { method } = request
  if (method === 'MKCOL') return 405
  const isTransfer = method === 'COPY' || method === 'MOVE'
  return isTransfer && (hasConditions(request) || !parseOverwrite(headerOf(request, 'overwrite')))
    ? webdavErrors.condition_failed.status
    : status
}

function statusOf({ spec, status }: Failure, request: FastifyRequest): number {
  const { method } = request
  if (spec.code === fsErrors.no_mount.code && MAKING.has(method)) return 403
  if (spec.code === fsErrors.exists.code) return existsStatus(request, status)
  return STATUSES[spec.code] ?? status
}

/** Whether the client is the Dart HTTP client, which cannot parse a list of schemes. */
const isDart = (agent: string | undefined) => /Dart\/.*dart:io/.test(agent ?? '')

function challenge(request: FastifyRequest, reply: FastifyReply): void {
  const basic = 'Basic realm="WebDAV", charset="UTF-8"'
  const schemes = isDart(request.headers['user-agent']) ? basic : `${basic}, Bearer realm="WebDAV"`
  reply.header('www-authenticate', schemes)
}

/**
 * Sends an error in the form that WebDAV defines: a status, and an XML body with the message and the violated
 * condition.
 */
export function answerFailure(
  { error, root }: { error: FastifyError; root: string },
  request: FastifyRequest,
  reply: FastifyReply,
): void {
  const failure = failureOf(error, request)
  const { spec, params, retryAfterSeconds } = failure
  const status = statusOf(failure, request)
  // An `AppError` is expected, so it is not logged as a bug.
  if (status >= 500 && !(error instanceof AppError)) request.log.error({ err: error }, 'request failed')
  if (reply.raw.headersSent) {
    reply.raw.destroy(error)
    return
  }
  if (status === 401) challenge(request, reply)
  // A PUT or MKCOL is refused with 405 because the resource exists, so `Allow` omits both methods. For a file, `allow`
  // is already set.
  if (status === 405 && !reply.hasHeader('allow'))
    reply.header('allow', MAKING_ONLY.has(request.method) ? ALLOW_THERE : `${ALLOW_THERE}, PUT, MKCOL`)
  if (retryAfterSeconds !== undefined) reply.header('retry-after', retryAfterSeconds)
  if (spec.code === webdavErrors.coding_unsupported.code) reply.header('accept-encoding', 'identity')
  stopReading(request, reply)
  for (const name of ['etag', 'last-modified', 'content-disposition', 'content-encoding', 'content-length'])
    reply.removeHeader(name)
  reply.code(status).header('cache-control', 'no-store').type(XML_TYPE)
  const isForbidden = spec.code === fsErrors.no_mount.code && status === 403
  const { code } = isForbidden ? fsErrors.not_operable : spec
  const message = messageFor(code, languageOf(request.headers['accept-language']), params)
  void reply.send(errorBody(CONDITIONS[spec.code] ?? lockedPlaces(failure, root), message))
}

/** Responds with the failed members of an operation. All other members succeeded. */
export function answerFailures(
  { ctx, request, reply }: Pick<DavCall, 'ctx' | 'request' | 'reply'>,
  failures: readonly TaskFailure[],
): FastifyReply {
  const language = languageOf(request.headers['accept-language'])
  const responses = failures.map((failure) => {
    const spec = specOfFailure(failure)
    const href = hrefOf(driveRootOf(ctx.config), failure.path, { isFolder: failure.path.endsWith('/') })
    // A failed member has status 412 only if the request has conditions.
    const isUnasked = spec.code === fsErrors.changed.code && !hasConditions(request)
    const status = isUnasked ? spec.status : (STATUSES[spec.code] ?? spec.status)
    return failedResponse(href, status, messageFor(spec.code, language, failure.params ?? {}))
  })
  return reply
    .code(207)
    .type(XML_TYPE)
    .send(`${MULTISTATUS_START}${responses.join('')}${MULTISTATUS_END}`)
}
