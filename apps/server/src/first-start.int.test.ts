import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { expect, test } from 'vitest'
import { loadConfig } from './config/config.ts'
import { createContext } from './context.ts'
import { prepare } from './first-start.ts'

/** Opens a context with an empty data folder and default settings. */
async function openNew() {
  const folder = await mkdtemp(join(tmpdir(), 'dropleaf-first-start-'))
  const ctx = await createContext(loadConfig({ DATA_DIR: folder }), pino({ level: 'silent' }))
  return {
    ctx,
    async [Symbol.asyncDispose]() {
      await ctx.close()
      await rm(folder, { recursive: true })
    },
  }
}

test('two first starts generate two different random passwords', async () => {
  await using one = await openNew()
  await using two = await openNew()
  const passwords = [await prepare(one.ctx), await prepare(two.ctx)].map((login) => login?.password)
  for (const password of passwords) expect(password).toMatch(/^[A-Za-z0-9]{20}$/)
  expect(new Set(passwords).size).toBe(2)
})

test('the schema is created before the server can accept a request', async () => {
  const open = async () => {
    await using one = await openNew()
    return one.ctx.db.selectFrom('admins').selectAll().execute()
  }
  await expect(open()).resolves.toEqual([])
})
