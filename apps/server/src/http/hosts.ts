import { requestErrors } from '@dropleaf/contract'
import type { FastifyInstance } from 'fastify'
import { AppError } from '../lib/app-error.ts'
import { hostOf } from './urls.ts'

/** A name or an address, with or without a port; clients of old name none. */
const HOST = /^(?:\[[\da-f:.]+(?:%[\w.~-]+)?\]|[\w.~-]*)(?::\d*)?$/i

/** Links in answers are made of the host that was asked for: what there cannot be is refused before anything is done. */
export function installHostRule(app: FastifyInstance): void {
  app.addHook('onRequest', (request, _reply, done) => {
    if (HOST.test(hostOf(request))) done()
    else done(new AppError(requestErrors.bad_host))
  })
}
