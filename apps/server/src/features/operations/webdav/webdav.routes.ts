import type { IncomingMessage, ServerResponse } from 'node:http'
import { WEBDAV_PREFIX, webdavErrors } from '@dropleaf/contract'
import type { FastifyError, FastifyInstance, FastifyReply } from 'fastify'
import type { AppContext } from '../../../context.ts'
import { answerNotFound } from '../../../http/core/error-handler.ts'
import { leaveBodiesRaw } from '../../../http/bodies/raw-bodies.ts'
import { applyWholeAddress } from '../../../http/core/urls.ts'
import { withoutBasePath } from '../../../lib/urls.ts'
import { AppError } from '../../../lib/app-error.ts'
import { driveRootOf } from './hrefs.models.ts'
import { answerFailure } from './webdav-answers.http.ts'
import { DAV_CLASSES } from './multistatus.models.ts'
import { lock, unlock } from './locking.handlers.ts'
import * as handlers from './webdav.handlers.ts'
import { callOf, type DavCall, noteExpectation, requirePlainBody } from './webdav-requests.http.ts'

type DavHandler = (call: DavCall) => Promise<FastifyReply>

/** Methods that RFC 4918 adds to HTTP. */
const METHODS = ['PROPFIND', 'PROPPATCH', 'MKCOL', 'COPY', 'MOVE', 'LOCK', 'UNLOCK'] as const

const HANDLERS: Readonly<Record<string, DavHandler>> = {
  PROPFIND: handlers.propfind,
  PROPPATCH: handlers.proppatch,
  GET: handlers.get,
  HEAD: handlers.get,
  PUT: handlers.put,
  DELETE: handlers.remove,
  MKCOL: handlers.mkcol,
  COPY: handlers.copy,
  MOVE: handlers.move,
  LOCK: lock,
  UNLOCK: unlock,
}

const ALLOWED = ['OPTIONS', ...Object.keys(HANDLERS)].join(', ')

/** Answers OPTIONS with the supported features. Windows also checks `MS-Author-Via`. */
function options(reply: FastifyReply): FastifyReply {
  return reply
    .code(200)
    .headers({
      dav: DAV_CLASSES,
      allow: ALLOWED,
      public: ALLOWED,
      'ms-author-via': 'DAV',
      'content-length': 0,
    })
    .send()
}

/** Registers routes that read the body as a stream instead of parsing it. */
async function davRoutes(app: FastifyInstance, { ctx }: { ctx: AppContext }): Promise<void> {
  leaveBodiesRaw(app, { conditions: 'checked' })
  // Ignores `Content-Type`, because media types are derived from filenames, and an invalid header must never cause an
  // error.
  app.addHook('onRequest', async ({ raw }) => void delete raw.headers['content-type'])
  app.setErrorHandler<FastifyError>((error, request, reply) =>
    answerFailure({ error, root: driveRootOf(ctx.config) }, request, reply),
  )
  // Reports an unsupported method instead of a missing resource, because the resource can exist.
  app.setNotFoundHandler(async (request, reply) => {
    if (request.method === 'POST') return answerNotFound(request, reply)
    throw new AppError(webdavErrors.method_impossible)
  })
  for (const url of ['', '/*']) {
    app.route({
      method: 'OPTIONS',
      url,
      config: { access: 'public' },
      handler: async (_request, reply) => options(reply),
    })
    app.route({
      method: Object.keys(HANDLERS),
      url,
      config: { access: 'mount' },
      handler: async (request, reply) => {
        const handle = HANDLERS[request.method]
        if (!handle) throw new Error(`No handler for ${request.method}.`)
        requirePlainBody(request)
        return handle(callOf(ctx, request, reply))
      },
    })
  }
}

/** Registers the network drive: the virtual file system for WebDAV clients. */
export async function webdavPlugin(app: FastifyInstance, { ctx }: { ctx: AppContext }): Promise<void> {
  for (const method of METHODS) app.addHttpMethod(method, { hasBody: true })
  // Sends `100 Continue` only after all checks, so that a client does not upload a large file that is then refused.
  app.server.on('checkContinue', (request: IncomingMessage, response: ServerResponse) => {
    applyWholeAddress(request)
    const url = withoutBasePath(request.url ?? '/', ctx.config.basePath)
    if (url.startsWith(`${WEBDAV_PREFIX}/`)) noteExpectation(request)
    else response.writeContinue()
    app.server.emit('request', request, response)
  })
  // Windows first sends OPTIONS to the root of the host, and gives up if the root does not support WebDAV.
  app.route({
    method: 'OPTIONS',
    url: '/',
    config: { access: 'public' },
    handler: async (_request, reply) => options(reply),
  })
  await app.register(davRoutes, { ctx, prefix: WEBDAV_PREFIX })
}
