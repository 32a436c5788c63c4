import type { Readable } from 'node:stream'
import { requestErrors } from '@dropleaf/contract'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { AppError } from '../lib/app-error.ts'

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

/** @returns what ends the watch */
function watch(request: FastifyRequest, payload: Readable, rule: SlowBodyRule): () => void {
  const { socket } = request.raw
  const bytesBefore = socket.bytesRead
  const startedAt = performance.now()
  const look = () => {
    const bytes = socket.bytesRead - bytesBefore
    if (bytes / ((performance.now() - startedAt) / 1000) >= rule.bytesPerSecond) {
      timer = setTimeout(look, rule.lookEveryMs)
      timer.unref()
      return
    }
    // Who reads the body answers the error; the connection is closed after it.
    const error = new AppError(requestErrors.too_slow)
    if (payload.listenerCount('error') > 0) payload.emit('error', error)
    else payload.destroy()
  }
  let timer = setTimeout(look, rule.graceMs)
  timer.unref()
  return () => clearTimeout(timer)
}

/**
 * Refuses bodies that come drop by drop, each in time for the rule of idle connections: whoever may call a route without a
 * credential could keep any number of connections so. It ends where a body has become a value, or is handed to a route
 * that takes it as it comes, which asks for a credential.
 */
export function installSlowBodyRule(app: FastifyInstance, rule: SlowBodyRule = RULE): void {
  const watches = new WeakMap<FastifyRequest, () => void>()
  app.addHook('preParsing', (request, _reply, payload, done) => {
    if (hasBody(request)) {
      const end = watch(request, payload, rule)
      watches.set(request, end)
      request.raw.once('close', end)
    }
    done()
  })
  app.addHook('preValidation', (request, _reply, done) => {
    watches.get(request)?.()
    done()
  })
}
