import type { Readable } from 'node:stream'
import { requestErrors } from '@dropleaf/contract'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { AppError } from '../../lib/app-error.ts'

export interface SlowBodyRule {
  /** Time that any body is allowed to take. */
  readonly graceMs: number
  readonly lookEveryMs: number
  /** Minimum average rate after `graceMs`. */
  readonly bytesPerSecond: number
}

/**
 * The minimum rate is lower than that of any mobile connection. A text of the maximum size can still take hours, but
 * this helps an attacker little.
 */
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
 * Refuses bodies that arrive just fast enough to defeat the idle timeout. Without a credential, a client could
 * otherwise hold any number of connections. The rule no longer applies when a body has been parsed, or when a route
 * streams it. Such a route requires a credential.
 */
export function installSlowBodyRule(app: FastifyInstance, rule: SlowBodyRule = RULE): void {
  /**
   * All bodies share one timer. With one timer per body, requests stayed in V8's old generation long after their end.
   * Every 2,000 small files that a network drive uploads then caused a full collection.
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
      // The reader of the body responds to the error before the connection closes.
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
