import type { IncomingMessage, ServerResponse } from 'node:http'
import type { FastifyInstance } from 'fastify'

/** Whether the connection is idle because of the client: it has stopped sending its body or reading the response. */
const isWaitingForClient = (request: IncomingMessage, response: ServerResponse): boolean =>
  response.headersSent || (!request.complete && request.readableLength === 0)

/**
 * Keeps an idle connection open while the server is working, for example while a storage takes minutes to join parts.
 */
export function keepWhileAtWork(response: ServerResponse): void {
  response.on('timeout', endIfWaiting)
}

function endIfWaiting(this: ServerResponse): void {
  if (isWaitingForClient(this.req, this)) this.req.socket.destroy()
}

export function installIdleRule(app: FastifyInstance): void {
  app.addHook('onRequest', (_request, reply, done) => {
    keepWhileAtWork(reply.raw)
    done()
  })
}
