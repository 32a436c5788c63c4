import type { IncomingMessage, ServerResponse } from 'node:http'
import type { FastifyInstance } from 'fastify'

/** Whether the client causes the idleness: it sends no more of its body, or reads no more of the response. */
const isWaitingForClient = (request: IncomingMessage, response: ServerResponse): boolean =>
  response.headersSent || (!request.complete && request.readableLength === 0)

/** Does not close an idle connection while the server is working, for example while a storage takes minutes to join parts. */
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
