import { once } from 'node:events'
import { createServer, request as httpRequest } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface RefusingServer {
  readonly url: string
  readonly close: () => void
}

const REFUSAL =
  '<?xml version="1.0"?><Error><Code>AccessDenied</Code><Message>AccessDenied.</Message></Error>'

/**
 * Starts an S3 proxy that refuses to delete objects. It forwards headers unchanged, so that signatures stay valid.
 */
export async function startRefusingServer(target: string): Promise<RefusingServer> {
  const { hostname: host, port } = new URL(target)
  const server = createServer((request, response) => {
    const { method, headers, url: path = '/' } = request
    const isRemoval = method === 'DELETE' || new URL(path, target).searchParams.has('delete')
    if (isRemoval) {
      request.resume()
      response.writeHead(403, { 'content-type': 'application/xml' }).end(REFUSAL)
      return
    }
    const outgoing = httpRequest({ host, port, method, path, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(response)
    })
    outgoing.on('error', () => response.destroy())
    request.pipe(outgoing)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
}
