import { once } from 'node:events'
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { atExit } from './undo.ts'

/** Matches the paths under which the server forwards the bytes of objects, in both directions. */
const OBJECT = /^\/api\/(?:bundles\/[^/]+\/objects\/\d+(?:\/parts\/\d+)?$|storage\/)/

/** Starts a proxy between a browser and the server. The proxy counts the bytes of bodies. */
export async function startPayloadCounter(target: string) {
  const seen = { payloadBytes: 0, allBytes: 0 }
  const counter = createServer((incoming, answer) => {
    const [path = ''] = (incoming.url ?? '').split('?')
    const isPayload = OBJECT.test(path) && (incoming.method === 'PUT' || incoming.method === 'GET')
    const count = (chunk: Buffer) => {
      seen.allBytes += chunk.length
      if (isPayload) seen.payloadBytes += chunk.length
    }
    const { method, headers } = incoming
    const forwarded = request(new URL(incoming.url ?? '/', target), { method, headers }, (reply) => {
      answer.writeHead(reply.statusCode ?? 502, reply.headers)
      reply.on('data', count).pipe(answer)
    })
    // Ends the other connection, because a browser can close its connection at any time.
    forwarded.on('error', () => answer.destroy())
    answer.on('close', () => forwarded.destroy())
    incoming.on('data', count).pipe(forwarded)
  })
  counter.listen(0, '127.0.0.1')
  await once(counter, 'listening')
  atExit(() => counter.closeAllConnections())
  const stop = async () => {
    counter.close()
    counter.closeAllConnections()
    await once(counter, 'close')
  }
  return { seen, url: `http://127.0.0.1:${(counter.address() as AddressInfo).port}/`, stop }
}
