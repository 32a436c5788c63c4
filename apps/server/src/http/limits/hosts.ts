import { requestErrors } from '@dropleaf/contract'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { AppError } from '../../lib/app-error.ts'
import { hostOf } from '../core/urls.ts'

/** A name or an address, with or without a port; clients of old name none. */
const HOST = /^(?:\[[\da-f:.]+(?:%[\w.~-]+)?\]|[\w.~-]*)(?::\d*)?$/i

/** Proxies may go by another of them than we do. */
const namesSeveral = ({ raw }: FastifyRequest): boolean =>
  raw.rawHeaders.filter((name, at) => at % 2 === 0 && name.toLowerCase() === 'host').length > 1

/** Links in answers are made of the host that was asked for: what there cannot be is refused before anything is done. */
export function installHostRule(app: FastifyInstance): void {
  app.addHook('onRequest', (request, _reply, done) => {
    if (HOST.test(hostOf(request)) && !namesSeveral(request)) done()
    else done(new AppError(requestErrors.bad_host))
  })
}
