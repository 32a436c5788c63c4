import { requestErrors } from '@dropleaf/contract'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { AppError } from '../../lib/app-error.ts'
import { hostOf } from '../core/urls.ts'

/** A name or an address, with or without a port; empty for very old clients. */
const HOST = /^(?:\[[\da-f:.]+(?:%[\w.~-]+)?\]|[\w.~-]*)(?::\d*)?$/i

/** Several `Host` headers: a proxy may use another one than we do. */
const namesSeveral = ({ raw }: FastifyRequest): boolean =>
  raw.rawHeaders.filter((name, at) => at % 2 === 0 && name.toLowerCase() === 'host').length > 1

/** Refuses invalid hosts first, since links in responses contain the requested host. */
export function installHostRule(app: FastifyInstance): void {
  app.addHook('onRequest', (request, _reply, done) => {
    if (HOST.test(hostOf(request)) && !namesSeveral(request)) done()
    else done(new AppError(requestErrors.bad_host))
  })
}
