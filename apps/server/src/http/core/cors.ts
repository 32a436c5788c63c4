import cors, { type FastifyCorsOptions } from '@fastify/cors'
import { OPEN_HEADER } from '@dropleaf/contract'
import type { FastifyInstance, FastifyRequest } from 'fastify'

const METHODS = 'GET,HEAD,PUT,POST,DELETE,OPTIONS,PROPFIND,PROPPATCH,MKCOL,COPY,MOVE,LOCK,UNLOCK'
const MAX_AGE_SECONDS = 86_400

const isDrive = (url: string) => /^\/dav(?:[/?]|$)/.test(url)

/**
 * Whether the request can come from a client of the network drive. Such clients query the server's features with
 * OPTIONS. Windows sends OPTIONS to the root of the host, whatever the path of the drive.
 */
const isAskedByDrives = (url: string) => isDrive(url) || url === '/'

const PREFLIGHT: FastifyCorsOptions = {
  origin: '*',
  methods: METHODS,
  exposedHeaders: 'ETag,Content-Type,Content-Length,Last-Modified',
  maxAge: MAX_AGE_SECONDS,
  strictPreflight: false,
}
const CALL: FastifyCorsOptions = {
  exposedHeaders: 'ETag,Content-Length,Content-Disposition,Retry-After',
  preflight: false,
}

/**
 * Returns the response to a preflight. Allows every header except the header that opens shares. A page of another
 * origin must not open a share, even if the page contains the link.
 */
function preflightFor({ headers }: FastifyRequest): FastifyCorsOptions {
  const asked = [headers['access-control-request-headers'] ?? []].flat().join(',').split(',')
  const names = asked.map((name) => name.trim()).filter((name) => name !== '')
  const allowedHeaders = names.filter((name) => name.toLowerCase() !== OPEN_HEADER)
  return allowedHeaders.length === names.length ? PREFLIGHT : { ...PREFLIGHT, allowedHeaders }
}

function optionsFor(request: FastifyRequest): FastifyCorsOptions {
  const { method, url, headers } = request
  const isPreflight =
    method === 'OPTIONS' && (!isAskedByDrives(url) || headers['access-control-request-method'] !== undefined)
  if (isPreflight) return preflightFor(request)
  return url.startsWith('/api/') || isDrive(url)
    ? { ...CALL, origin: headers.origin ?? '*' }
    : { origin: false }
}

/**
 * Allows any origin to call the API. This is safe, because credentials are not in cookies, but in a header that only a
 * page with the credential can set. Answers preflights for every URL, before authentication.
 */
export async function installCors(app: FastifyInstance): Promise<void> {
  await app.register(cors, { delegator: (request, done) => done(null, optionsFor(request)) })
}
