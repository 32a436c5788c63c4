import type { Readable } from 'node:stream'
import { requestErrors } from '@dropleaf/contract'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { AppError } from '../../lib/app-error.ts'

export interface SlowBodyRule {
  /** So long any body may take. */
  readonly graceMs: number
  readonly lookEveryMs: number
  /** What it must have brought on average from then on. */
  readonly bytesPerSecond: number
}

/** The slowest mobile line brings more. A text of the largest size may take hours of it, which is not many for an attacker. */
const RULE: SlowBodyRule = { graceMs: 30_000, lookEveryMs: 10_000, bytesPerSecond: 1024 }

const hasBody = ({ headers }: FastifyRequest): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0

interface BodyWatch {
  readonly request: FastifyRequest
  readonly payload: Readable
  readonly bytesBefore: number
  readonly startedAt: number
}

declare module 'fastify' {
  interface FastifyRequest {
    bodyWatch: BodyWatch | null
  }
}

/**
 * Refuses bodies that come drop by drop, each in time for the rule of idle connections: whoever may call a route without a
 * credential could keep any number of connections so. It ends where a body has become a value, or is handed to a route
 * that takes it as it comes, which asks for a credential.
 */
export function installSlowBodyRule(app: FastifyInstance, rule: SlowBodyRule = RULE): void {
  /**
   * One timer looks at all. With one for each, every request with a body stayed in memory long after its end, among V8's old objects: a
   * collection of the whole heap for every 2,000 small files that a drive puts.
   */
  const watches: BodyWatch[] = []

  function end(request: FastifyRequest): void {
    const one = request.bodyWatch
    if (one === null) return
    request.bodyWatch = null
    watches.splice(watches.indexOf(one), 1)
  }

  const isTooSlow = ({ request, bytesBefore, startedAt }: BodyWatch): boolean => {
    const seconds = (performance.now() - startedAt) / 1000
    const bytes = request.raw.socket.bytesRead - bytesBefore
    return seconds * 1000 >= rule.graceMs && bytes / seconds < rule.bytesPerSecond
  }

  function look(): void {
    for (const { request, payload } of watches.filter(isTooSlow)) {
      end(request)
      // Who reads the body answers the error; the connection is closed after it.
      const error = new AppError(requestErrors.too_slow)
      if (payload.listenerCount('error') > 0) payload.emit('error', error)
      else payload.destroy()
    }
  }

  const timer = setInterval(look, rule.lookEveryMs).unref()
  app.addHook('onClose', async () => clearInterval(timer))
  app.decorateRequest('bodyWatch', null)
  app.addHook('preParsing', (request, _reply, payload, done) => {
    if (hasBody(request)) {
      const bytesBefore = request.raw.socket.bytesRead
      request.bodyWatch = { request, payload, bytesBefore, startedAt: performance.now() }
      watches.push(request.bodyWatch)
      request.raw.once('close', () => end(request))
    }
    done()
  })
  app.addHook('preValidation', (request, _reply, done) => {
    end(request)
    done()
  })
}
