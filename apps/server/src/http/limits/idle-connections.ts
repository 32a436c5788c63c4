import type { IncomingMessage, ServerResponse } from 'node:http'
import type { FastifyInstance } from 'fastify'

/** Whether it is the client who lets the connection rest: it sends no more of its body, or takes no more of the answer. */
const isWaitingForClient = (request: IncomingMessage, response: ServerResponse): boolean =>
  response.headersSent || (!request.complete && request.readableLength === 0)

/** A connection that rests while the server is at work, for a storage that takes minutes to join a file, is kept. */
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
