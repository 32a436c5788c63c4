import { randomBytes } from 'node:crypto'
import type { Readable } from 'node:stream'
import type { NodeHttpHandler } from '@smithy/node-http-handler'
import { expect, test } from 'vitest'
import { Receiver } from './receiver.ts'
import { openTransport } from './transport.ts'

test('long bodies are sent in slices, so that Node sees progress over TLS; each attempt sends all of them', async () => {
  const sent: Buffer[][] = []
  class Handler {
    metadata = { handlerProtocol: 'http/1.1' }
    async handle({ body }: { body: Readable }) {
      sent.push((await body.toArray()) as Buffer[])
      return { response: { headers: {} } }
    }
  }
  const { requestHandler, close } = openTransport(
    { Handler: Handler as unknown as typeof NodeHttpHandler, Reading: Receiver },
    { timeoutMs: 1000 },
  )
  const body = randomBytes(1_000_003)
  const request = { method: 'PUT', query: {}, body } as unknown as Parameters<NodeHttpHandler['handle']>[0]
  for (const _attempt of [1, 2]) await requestHandler.handle(request)
  expect(sent).toHaveLength(2)
  for (const slices of sent) {
    expect(Math.max(...slices.map(({ length }) => length))).toBeLessThanOrEqual(128 * 1024)
    expect(Buffer.concat(slices).equals(body)).toBe(true)
  }
  close()
})
