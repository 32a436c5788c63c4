import { once } from 'node:events'
import { createServer, request, type ServerResponse } from 'node:http'

/** Distributes requests to several servers in turn, and responds with 502 for a server that is down. */
export interface Balancer extends AsyncDisposable {
  /** URL without a trailing slash. */
  readonly url: string
}

function badGateway(response: ServerResponse): void {
  if (response.headersSent) response.destroy()
  else response.writeHead(502).end('Bad gateway')
}

export async function startBalancer(servers: readonly number[]): Promise<Balancer> {
  let turn = 0
  const balancer = createServer((incoming, response) => {
    turn += 1
    const port = servers[turn % servers.length]
    const { method, url, headers } = incoming
    const onward = request({ host: '127.0.0.1', port, method, path: url, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.on('error', () => response.destroy())
      answer.pipe(response)
    })
    onward.on('error', () => {
      // An unread body would block the next request on this connection.
      incoming.resume()
      badGateway(response)
    })
    incoming.on('error', () => onward.destroy())
    incoming.pipe(onward)
  })
  balancer.listen(0, '127.0.0.1')
  await once(balancer, 'listening')
  const { port } = balancer.address() as { port: number }
  return {
    url: `http://127.0.0.1:${port}`,
    async [Symbol.asyncDispose]() {
      balancer.closeAllConnections()
      balancer.close()
      await once(balancer, 'close')
    },
  }
}
