import type { Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { requestErrors } from '@dropleaf/contract'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from '../../lib/app-error.ts'

/** @param isCut whether the connection ended before the answer had gone out. */
type EndListener = (request: FastifyRequest, reply: FastifyReply, o: { isCut: boolean }) => void

declare module 'fastify' {
  interface FastifyInstance {
    /**
     * Tells of the end of every request, exactly once: when its answer has gone out, or, where nobody waits for one any more,
     * when its work has ended. `onResponse` alone knows nothing of those whose sender has hung up.
     */
    atEnd(listener: EndListener): void
  }
  interface FastifyRequest {
    openEnd: OpenEnd | null
  }
}

interface OpenEnd {
  readonly request: FastifyRequest
  readonly reply: FastifyReply
  /** A request that was thrown away has none any more. */
  readonly socket: Socket
  /** Whether the work has ended: there is an answer. */
  isAnswered: boolean
}

/** What a stop leaves to work whose connections it has had to cut: most of it notices at its next byte. */
const AFTER_CUT_MS = 2000

/**
 * To be installed before any other hook. A stop of the app waits for its connections by itself; here it waits for the work
 * of those that have hung up as well, so that what they did is told before logs and database are closed.
 * @param stopMs how long a stop takes at most before it cuts connections.
 */
export function installRequestEnd(app: FastifyInstance, { stopMs }: { stopMs: number }): void {
  const listeners: EndListener[] = []
  let unended = 0
  let whenAllEnded: (() => void) | null = null
  /**
   * By connection: several requests may be running on one, some of which have no response yet that could close. No
   * sets: for V8's collector of young objects, a set that is filled and emptied all the time retains each request that
   * it has held.
   */
  const open = new WeakMap<Socket, OpenEnd[]>()

  function end(one: OpenEnd, isCut: boolean): void {
    const { request, reply } = one
    if (request.openEnd === null) return
    request.openEnd = null
    unended -= 1
    for (const listener of listeners) listener(request, reply, { isCut })
    if (unended === 0) whenAllEnded?.()
  }

  function endsOn(socket: Socket): OpenEnd[] {
    const known = open.get(socket)
    if (known) return known
    const ends: OpenEnd[] = []
    open.set(socket, ends)
    socket.once('close', () => {
      for (const one of ends) if (one.isAnswered) end(one, true)
    })
    return ends
  }

  app.decorateRequest('openEnd', null)
  app.decorate('atEnd', (listener: EndListener) => void listeners.push(listener))
  app.addHook('onRequest', (request, reply, done) => {
    const { socket } = request.raw
    request.openEnd = { request, reply, socket, isAnswered: false }
    unended += 1
    endsOn(socket).push(request.openEnd)
    done()
  })
  app.addHook('preParsing', (request, _reply, _payload, done) => {
    const { raw, headers } = request
    const hasBody =
      Number(headers['content-length'] ?? 0) > 0 ||
      headers['transfer-encoding'] !== undefined ||
      headers['content-type'] !== undefined
    const isLost = hasBody && raw.destroyed && !raw.readableEnded
    // Its sender disconnected while it was being authenticated: a parser would wait for it forever.
    done(isLost ? new AppError(requestErrors.refused, { params: { detail: 'the body broke off' } }) : null)
  })
  app.addHook('onSend', (request, _reply, _payload, done) => {
    const one = request.openEnd
    if (one) {
      one.isAnswered = true
      if (one.socket.destroyed) end(one, true)
    }
    done()
  })
  app.addHook('onResponse', (request, _reply, done) => {
    const one = request.openEnd
    if (one) {
      const ends = endsOn(one.socket)
      ends.splice(ends.indexOf(one), 1)
      end(one, false)
    }
    done()
  })

  let stopsAt = 0
  app.addHook('preClose', (done) => {
    stopsAt = performance.now() + stopMs
    done()
  })
  app.addHook('onClose', async () => {
    const waiting = new AbortController()
    const leftMs = Math.max(0, stopsAt - performance.now()) + AFTER_CUT_MS
    const allEnded = new Promise<void>((resolve) => {
      whenAllEnded = resolve
      if (unended === 0) resolve()
    })
    const timeUp = sleep(leftMs, undefined, { signal: waiting.signal }).catch(() => undefined)
    await Promise.race([allEnded, timeUp])
    waiting.abort()
    if (unended > 0) app.log.warn({ requests: unended }, 'stopped before requests had ended')
  })
}
