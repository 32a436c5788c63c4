import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/** A proxy to a server. A test can make it hold back requests and responses for any time. */
export interface Gate {
  readonly url: string
  /** Holds back everything until the gate is opened. */
  readonly hold: () => void
  readonly open: () => void
  readonly close: () => void
}

export async function startGate(target: string): Promise<Gate> {
  const { hostname, port } = new URL(target)
  const sockets = new Set<Socket>()
  let isHeld = false
  const server = createServer((outer) => {
    const inner = connect(Number(port), hostname)
    for (const [from, to] of [
      [outer, inner],
      [inner, outer],
    ] as const) {
      sockets.add(from)
      from.on('data', (chunk) => to.write(chunk))
      from.on('error', () => to.destroy())
      from.on('close', () => {
        sockets.delete(from)
        to.end()
      })
      if (isHeld) from.pause()
    }
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    hold: () => {
      isHeld = true
      for (const socket of sockets) socket.pause()
    },
    open: () => {
      isHeld = false
      for (const socket of sockets) socket.resume()
    },
    close: () => {
      for (const socket of sockets) socket.destroy()
      server.close()
    },
  }
}
