import { once } from 'node:events'
import { createServer, request as httpRequest } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Transform } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'

/** A request that has passed through a {@link Front}. */
interface Passed {
  readonly method: string
  readonly path: string
  /** Number of bytes of the request body that have arrived. */
  sentBytes: number
  /** Number of bytes of the response body that the S3 server has sent. */
  fetchedBytes: number
}

/**
 * A proxy that makes an S3 server slower and less reliable. It forwards headers unchanged, so that signatures stay
 * valid.
 */
export interface Front {
  readonly url: string
  readonly passed: Passed[]
  /** From now on, breaks all downloads after they have fetched this number of bytes in total. */
  readonly cutGetsAfter: (bytes: number) => void
  /** Returns the number of bytes that all downloads have fetched. */
  readonly fetched: () => number
  readonly close: () => void
}

/** @param bytesPerSecond rate of each request body */
export async function startFront(
  target: string,
  { delayMs = 0, bytesPerSecond = Infinity }: { delayMs?: number; bytesPerSecond?: number } = {},
): Promise<Front> {
  const { hostname: host, port } = new URL(target)
  let fetchedBytes = 0
  let cutAtBytes = Infinity
  const server = createServer((request, response) => {
    const { method = '', headers, url: path = '/' } = request
    const one: Passed = { method, path, sentBytes: 0, fetchedBytes: 0 }
    front.passed.push(one)
    const counted = new Transform({
      async transform(chunk: Buffer, _encoding, done) {
        one.sentBytes += chunk.length
        if (bytesPerSecond !== Infinity) await sleep((chunk.length * 1000) / bytesPerSecond)
        done(null, chunk)
      },
    })
    const forward = () => {
      const outgoing = httpRequest({ host, port, method, path, headers }, (answer) => {
        response.writeHead(answer.statusCode ?? 502, answer.headers)
        answer.on('data', (chunk: Buffer) => {
          one.fetchedBytes += chunk.length
          if (method === 'GET') fetchedBytes += chunk.length
          if (method === 'GET' && fetchedBytes > cutAtBytes) response.destroy()
          else if (!response.write(chunk)) answer.pause()
        })
        response.on('drain', () => answer.resume())
        answer.on('end', () => response.end())
        answer.on('error', () => response.destroy())
      })
      outgoing.on('error', () => response.destroy())
      response.on('close', () => outgoing.destroy())
      counted.pipe(outgoing)
    }
    request.pipe(counted)
    if (delayMs > 0) setTimeout(forward, delayMs)
    else forward()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const front: Front = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    passed: [],
    cutGetsAfter(bytes) {
      cutAtBytes = fetchedBytes + bytes
    },
    fetched: () => fetchedBytes,
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
  return front
}
