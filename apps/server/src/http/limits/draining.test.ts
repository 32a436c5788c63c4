import { once } from 'node:events'
import { Agent, get, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import Fastify from 'fastify'
import { expect, test } from 'vitest'
import { installDraining } from './draining.ts'

test('clients with an open connection are notified of its end, and lose no request', async () => {
  const app = Fastify({ forceCloseConnections: 'idle' })
  installDraining(app)
  app.get('/', () => ({ isDraining: app.isDraining() }))
  await app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = app.server.address() as AddressInfo
  const agent = new Agent({ keepAlive: true, maxSockets: 4 })
  const ask = async () => {
    const [answer] = (await once(get({ port, host: '127.0.0.1', agent }), 'response')) as [IncomingMessage]
    answer.resume()
    await once(answer, 'end')
    return answer.headers.connection
  }
  const said: Array<string | undefined> = []
  const over = new AbortController()
  const work = async () => {
    while (!over.signal.aborted) said.push(await ask())
  }
  const working = Promise.all(Array.from({ length: 4 }, work))
  while (said.length < 50) await ask()
  const drained = app.drain()
  const before = said.length
  while (said.length < before + 50) await ask()
  over.abort()
  await working
  agent.destroy()
  await drained
  await app.close()
  expect(said[0]).toBe('keep-alive')
  expect(said.at(-1)).toBe('close')
})

test('without a connection there is nothing to wait for', async () => {
  const app = Fastify()
  installDraining(app)
  await app.listen({ port: 0, host: '127.0.0.1' })
  await app.drain()
  expect(app.isDraining()).toBe(true)
  await app.close()
})
