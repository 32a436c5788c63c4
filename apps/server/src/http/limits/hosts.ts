import { requestErrors } from '@dropleaf/contract'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { AppError } from '../../lib/app-error.ts'
import { hostOf } from '../core/urls.ts'

/** Matches a host name or address, with or without a port, and an empty host, which very old clients send. */
const HOST = /^(?:\[[\da-f:.]+(?:%[\w.~-]+)?\]|[\w.~-]*)(?::\d*)?$/i

/** Whether a request has several `Host` headers. A proxy might use a different header than this server. */
const namesSeveral = ({ raw }: FastifyRequest): boolean =>
  raw.rawHeaders.filter((name, at) => at % 2 === 0 && name.toLowerCase() === 'host').length > 1

/** Refuses invalid hosts before anything else, because links in responses contain the requested host. */
export function installHostRule(app: FastifyInstance): void {
  app.addHook('onRequest', (request, _reply, done) => {
    if (HOST.test(hostOf(request)) && !namesSeveral(request)) done()
    else done(new AppError(requestErrors.bad_host))
  })
}
