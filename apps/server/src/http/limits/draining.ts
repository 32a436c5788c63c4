import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import type { FastifyInstance } from 'fastify'

declare module 'fastify' {
  interface FastifyInstance {
    /** Before a close, which cuts connections that rest: lets whoever keeps one open learn that it ends. */
    drain(): Promise<void>
    isDraining(): boolean
  }
}

/** How long clients have for it. Who sends nothing meanwhile has nothing to lose. */
const DRAIN_MS = 1000
const LOOK_MS = 25

/**
 * A client may send a request on a connection that is about to be cut, and would not know whether it was carried out. So each answer
 * of a server that is to stop closes its connection, and `/api/ready` says that it is over, for a moment before it does stop.
 */
export function installDraining(app: FastifyInstance): void {
  let isDraining = false
  app.decorate('isDraining', () => isDraining)
  app.decorate('drain', async () => {
    isDraining = true
    const openConnections = promisify(app.server.getConnections.bind(app.server))
    const untilMs = performance.now() + DRAIN_MS
    while (performance.now() < untilMs && (await openConnections()) > 0) await sleep(LOOK_MS)
  })
  app.addHook('onSend', (_request, reply, _payload, done) => {
    if (isDraining) reply.header('connection', 'close')
    done()
  })
}
