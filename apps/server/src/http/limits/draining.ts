import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import type { FastifyInstance } from 'fastify'

declare module 'fastify' {
  interface FastifyInstance {
    /** Call before closing, which cuts idle connections: lets clients with open connections learn that they end. */
    drain(): Promise<void>
    isDraining(): boolean
  }
}

/** Time for clients to notice. */
const DRAIN_MS = 1000
const LOOK_MS = 25

/**
 * A client that sends a request on a connection that is being cut cannot know whether it ran. So for a moment before the stop,
 * each response closes its connection, and `/api/ready` reports the stop.
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
