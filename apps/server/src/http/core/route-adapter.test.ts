import { Readable } from 'node:stream'
import { route } from '@dropleaf/contract'
import Fastify, { type FastifyBaseLogger } from 'fastify'
import { pino } from 'pino'
import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import { fromContract, validatorCompiler } from './route-adapter.ts'

test('a response that a handler streams itself does not violate the contract', async () => {
  const lines: string[] = []
  const log: FastifyBaseLogger = pino({ level: 'error' }, { write: (line: string) => void lines.push(line) })
  const app = Fastify({ loggerInstance: log })
  app.setValidatorCompiler(validatorCompiler)
  const reply = z.object({ data: z.string() })
  const spec = route({ method: 'GET', path: '/x', access: 'public', summary: '', reply, errors: [] })
  app.route(fromContract(spec, async (call) => call.reply.send(Readable.from(['{"data":', '"x"}']))))
  const answer = await app.inject({ url: '/x' })
  expect([answer.statusCode, answer.body]).toEqual([200, '{"data":"x"}'])
  await app.close()
  expect(lines).toEqual([])
})
