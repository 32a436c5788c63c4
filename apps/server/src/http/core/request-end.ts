import type { Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { requestErrors } from '@dropleaf/contract'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from '../../lib/app-error.ts'

/** @param isCut whether the connection ended before the response was sent. */
type EndListener = (request: FastifyRequest, reply: FastifyReply, o: { isCut: boolean }) => void

declare module 'fastify' {
  interface FastifyInstance {
    /**
     * Calls the listener exactly once at the end of every request. A request ends when its response has been sent.
     * After a disconnect, it ends when its work has ended. `onResponse` does not run after a disconnect.
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
  /** The socket is stored separately, because a discarded request no longer has a socket. */
  readonly socket: Socket
  /** Whether the work has ended. If so, a response exists. */
  isAnswered: boolean
}

/** Time for work to end after a stop has cut its connections. Most work notices the cut at its next byte. */
const AFTER_CUT_MS = 2000

/** Tracks requests that have not ended. */
class OpenRequests {
  readonly #listeners: EndListener[] = []
  /**
   * Open requests by connection. Several requests can run on one connection, and some of them have no response yet
   * that could emit `close`. The requests are in arrays, because V8's young generation retains every request that a
   * frequently changing set has held.
   */
  readonly #open = new WeakMap<Socket, OpenEnd[]>()
  #unended = 0
  #whenAllEnded: (() => void) | null = null

  get count(): number {
    return this.#unended
  }

  listen(listener: EndListener): void {
    this.#listeners.push(listener)
  }

  begin(request: FastifyRequest, reply: FastifyReply): void {
    const { socket } = request.raw
    request.openEnd = { request, reply, socket, isAnswered: false }
    this.#unended += 1
    this.#endsOn(socket).push(request.openEnd)
  }

  /** Records that the work of the request has ended. */
  answer(one: OpenEnd): void {
    one.isAnswered = true
    if (one.socket.destroyed) this.#end(one, true)
  }

  /** Records that the response of the request has been sent. */
  finish(one: OpenEnd): void {
    const ends = this.#endsOn(one.socket)
    ends.splice(ends.indexOf(one), 1)
    this.#end(one, false)
  }

  /** @returns a promise that resolves when all requests have ended; call only once */
  allEnded(): Promise<void> {
    return new Promise((resolve) => {
      this.#whenAllEnded = resolve
      if (this.#unended === 0) resolve()
    })
  }

  #end(one: OpenEnd, isCut: boolean): void {
    const { request, reply } = one
    if (request.openEnd === null) return
    request.openEnd = null
    this.#unended -= 1
    for (const listener of this.#listeners) listener(request, reply, { isCut })
    if (this.#unended === 0) this.#whenAllEnded?.()
  }

  #endsOn(socket: Socket): OpenEnd[] {
    const known = this.#open.get(socket)
    if (known) return known
    const ends: OpenEnd[] = []
    this.#open.set(socket, ends)
    socket.once('close', () => {
      for (const one of ends) if (one.isAnswered) this.#end(one, true)
    })
    return ends
  }
}

/** Whether the sender disconnected before the body was read. */
function isBodyLost({ raw, headers }: FastifyRequest): boolean {
  const hasBody =
    Number(headers['content-length'] ?? 0) > 0 ||
    headers['transfer-encoding'] !== undefined ||
    headers['content-type'] !== undefined
  return hasBody && raw.destroyed && !raw.readableEnded
}

/**
 * Delays a stop until the work of disconnected clients has ended, so that this work is logged before the log and the
 * database close. The app itself waits only for open connections. Install before any other hook.
 * @param stopMs maximum time of a stop before it cuts connections
 */
export function installRequestEnd(app: FastifyInstance, { stopMs }: { stopMs: number }): void {
  const open = new OpenRequests()
  app.decorateRequest('openEnd', null)
  app.decorate('atEnd', (listener: EndListener) => open.listen(listener))
  app.addHook('onRequest', (request, reply, done) => {
    open.begin(request, reply)
    done()
  })
  app.addHook('preParsing', (request, _reply, _payload, done) => {
    // Refuses a request whose client disconnected during authentication, because a parser would wait forever.
    const isLost = isBodyLost(request)
    done(isLost ? new AppError(requestErrors.refused, { params: { detail: 'the body broke off' } }) : null)
  })
  app.addHook('onSend', (request, _reply, _payload, done) => {
    if (request.openEnd) open.answer(request.openEnd)
    done()
  })
  app.addHook('onResponse', (request, _reply, done) => {
    if (request.openEnd) open.finish(request.openEnd)
    done()
  })
  awaitAtClose(app, { open, stopMs })
}

function awaitAtClose(app: FastifyInstance, { open, stopMs }: { open: OpenRequests; stopMs: number }): void {
  let stopsAt = 0
  app.addHook('preClose', (done) => {
    stopsAt = performance.now() + stopMs
    done()
  })
  app.addHook('onClose', async () => {
    const waiting = new AbortController()
    const leftMs = Math.max(0, stopsAt - performance.now()) + AFTER_CUT_MS
    const timeUp = sleep(leftMs, undefined, { signal: waiting.signal }).catch(() => undefined)
    await Promise.race([open.allEnded(), timeUp])
    waiting.abort()
    if (open.count > 0) app.log.warn({ requests: open.count }, 'stopped before requests had ended')
  })
}
