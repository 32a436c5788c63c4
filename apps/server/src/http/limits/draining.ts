import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import type { FastifyInstance } from 'fastify'

declare module 'fastify' {
  interface FastifyInstance {
    /**
     * Announces to clients with open connections that the connections will end. Call before closing the server,
     * because closing cuts idle connections.
     */
    drain(): Promise<void>
    isDraining(): boolean
  }
}

const DRAIN_MS = 1000
const LOOK_MS = 25

/**
 * For a moment before a stop, makes each response close its connection, and makes `/api/ready` report the stop.
 * Otherwise, a client whose connection is cut could not know whether its last request ran.
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
