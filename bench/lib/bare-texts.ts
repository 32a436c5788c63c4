import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'

/**
 * The minimum that a Node.js server does with texts. It parses the JSON, stores the last thousand texts in a map and
 * returns them, without names, permissions or a database. `texts.ts` and `start.ts` compare the product with this
 * server. Prints its port.
 */

const KEPT = 1000

const texts = new Map<string, string>()
let created = 0

async function create(request: IncomingMessage): Promise<string> {
  const { content } = (await json(request)) as { content: string }
  created += 1
  const slug = `t${created % KEPT}`
  texts.set(slug, content)
  return JSON.stringify({ success: true, slug })
}

const server = createServer((request, response) => {
  const url = request.url ?? ''
  const answer = (status: number, type: string, body: string) => {
    const headers = { 'content-type': type, 'content-length': Buffer.byteLength(body) }
    response.writeHead(status, headers).end(body)
  }
  if (request.method === 'POST') {
    void (async () => answer(201, 'application/json', await create(request)))()
    return
  }
  const content = texts.get(url.slice(url.lastIndexOf('/') + 1)) ?? ''
  if (url.startsWith('/api/raw/')) answer(200, 'text/plain; charset=utf-8', content)
  else answer(200, 'application/json', JSON.stringify({ success: true, data: { content } }))
})
// Uses a free port. Only `start.ts` sets the port, because it must know the port in advance.
server.listen(Number(process.env.BARE_PORT ?? 0), '127.0.0.1', () =>
  console.log((server.address() as AddressInfo).port),
)
