import { access, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test, vi } from 'vitest'
import { createSecrets } from '../../../lib/secrets.ts'
import { credentialContext } from '../../../storage/drivers.ts'
import { describeEachDatabase, describeOneDatabase, type TestApp } from '../../../testing/app.ts'
import { startCommand } from '../../../testing/server-process.ts'
import {
  findFirstLogin,
  FIRST_LOGIN_KEY,
  FIRST_PASSWORD_CONTEXT,
  forgetFirstLogin,
} from '../../foundation/identity/auth.usecases.ts'
import { IMPORT_SEAL_CONTEXT } from '../../capabilities/url-import/imports.usecases.ts'
import { pastePasswordContext } from '../../capabilities/pastes/pastes.usecases.ts'
import { storeValue } from '../../foundation/settings/stored-values.usecases.ts'
import { SEALED_COLUMNS } from './rotate.usecases.ts'

const OLD = 'the secret of the first year'
const NEW = 'the secret of the second year'

/** Number of encrypted values. It is large enough that a kill interrupts the work. */
const MANY = 3000
const KILLS_MAX = process.env.EVERY_PAIR === '1' ? 4 : 2

const envOf = (t: TestApp, more: Record<string, string> = {}) => ({
  DATA_DIR: t.dataDir,
  ...(t.ctx.config.databaseUrl === null ? {} : { DATABASE_URL: t.ctx.config.databaseUrl }),
  ...more,
})

const rotate = (t: TestApp, more: Record<string, string> = {}) =>
  startCommand('rotate-secret', { env: envOf(t, more) })

/** Creates one encrypted value of each kind. */
async function fill(t: TestApp) {
  const key = await t.keyClient({ text_permission: true })
  const text = await t.admin.call('POST', '/api/paste', { body: { content: 'x', password: 'of the text' } })
  const file = await t.admin.call('PUT', '/api/upload-direct/a.txt', {
    payload: 'bytes',
    query: { password: 'of the file' },
  })
  const [config] = await t.ctx.db.selectFrom('storage_configs').selectAll().execute()
  if (!config) throw new Error('There is no storage.')
  const sealed = t.ctx.secrets.seal('AKIA', credentialContext(config.id, 'access_key_id'))
  await t.ctx.db.updateTable('storage_configs').set({ access_key_id_sealed: sealed }).execute()
  return {
    key,
    configId: config.id,
    textId: String(text.body.id ?? text.body.data?.id),
    fileId: String(file.body.data.id),
  }
}

async function expectAll(t: TestApp, made: Awaited<ReturnType<typeof fill>>): Promise<void> {
  expect((await t.client(`ApiKey ${made.key.key}`).call('GET', '/api/test/api-key')).status).toBe(200)
  const keys = (await t.admin.call('GET', '/api/admin/api-keys')).body.data as Array<{ key: string }>
  expect(keys.map(({ key }) => key)).toContain(made.key.key)
  const text = await t.admin.call('GET', `/api/admin/pastes/${made.textId}`)
  expect(text.body.data.plain_password).toBe('of the text')
  const file = await t.admin.call('GET', `/api/admin/files/${made.fileId}`)
  expect(file.body.data.plain_password).toBe('of the file')
  const [config] = await t.ctx.db
    .selectFrom('storage_configs')
    .selectAll()
    .where('id', '=', made.configId)
    .execute()
  expect(
    t.ctx.secrets.open(config?.access_key_id_sealed ?? '', credentialContext(made.configId, 'access_key_id')),
  ).toBe('AKIA')
}

/** Returns the bytes that the process has written, as a measure of its progress. */
async function workOf(pid: number): Promise<number> {
  const text = await readFile(`/proc/${pid}/io`, 'utf8').catch(() => '')
  return Number(/^wchar: (\d+)$/m.exec(text)?.[1] ?? 0)
}

/**
 * Kills rotations until a rotation finishes or the limit is reached. Each kill comes longer after the start than the
 * previous kill.
 * @returns the number of killed rotations
 */
async function killAgainAndAgain(t: TestApp): Promise<number> {
  for (let killed = 0; killed < KILLS_MAX; killed += 1) {
    const { process: child, done } = rotate(t)
    await vi.waitFor(() => access(join(t.dataDir, 'secret.key.next')), { interval: 5 })
    const writtenAtLeast = 64 * 1024 * (killed + 1)
    while (child.exitCode === null && (await workOf(child.pid ?? 0)) < writtenAtLeast) await sleep(1)
    child.kill('SIGKILL')
    const { code, output } = await done
    // A killed rotation has no exit code. A rotation that fails was started too soon after a kill, and finds the lock
    // of the killed process.
    if (code === 0) return killed
    if (code !== null) {
      expect(output).toMatch(/A server is running/)
      killed -= 1
    }
  }
  return KILLS_MAX
}

describeEachDatabase('rotation of the secret', ({ startApp, engine }) => {
  test(
    'loses nothing if it is killed at many moments, and is finished by one complete run',
    { timeout: 300_000 },
    async () => {
      await using t = await startApp()
      const made = await fill(t)
      const [text] = await t.ctx.db.selectFrom('pastes').selectAll().execute()
      if (!text) throw new Error('There is no text.')
      const rows = Array.from({ length: MANY }, (_, count) => {
        const id = `many-${count}`
        return { ...text, id, slug: id, password_sealed: t.ctx.secrets.seal(id, pastePasswordContext(id)) }
      })
      for (let from = 0; from < MANY; from += 500)
        await t.ctx.db
          .insertInto('pastes')
          .values(rows.slice(from, from + 500))
          .execute()
      const before = await readFile(join(t.dataDir, 'secret.key'), 'utf8')
      await t.stop()

      const killed = await killAgainAndAgain(t)
      expect(killed).toBeGreaterThan(1)
      const again = await vi.waitFor(async () => {
        const run = await rotate(t).done
        // The caller retries after this error, because the database takes a moment to notice that the killed process
        // is gone.
        if (run.code !== 0) throw new Error(run.output)
        return run
      })
      expect(again.output).toMatch(/Start the server/)
      expect(await readFile(join(t.dataDir, 'secret.key'), 'utf8')).not.toBe(before)
      await expect(access(join(t.dataDir, 'secret.key.next'))).rejects.toThrow('ENOENT')

      await using later = await t.restart()
      await expectAll(later, made)
      const many = await later.ctx.db
        .selectFrom('pastes')
        .select(['id', 'password_sealed'])
        .where('id', 'like', 'many-%')
        .execute()
      expect(many).toHaveLength(MANY)
      for (const row of many)
        expect(later.ctx.secrets.open(row.password_sealed ?? '', pastePasswordContext(row.id))).toBe(row.id)
    },
  )

  test('is reported by the server if it was interrupted before its end, and finished by the same command', async () => {
    await using t = await startApp()
    const made = await fill(t)
    const [current, next] = [join(t.dataDir, 'secret.key'), join(t.dataDir, 'secret.key.next')]
    const before = await readFile(current, 'utf8')
    await t.stop()
    expect((await rotate(t).done).code).toBe(0)
    const after = await readFile(current, 'utf8')
    await rename(current, next)
    await writeFile(current, before)

    await expect(t.restart()).rejects.toThrow(/broken off right before its end.*rotate-secret once more/)
    const again = await rotate(t).done
    expect([again.code, again.output]).toEqual([0, expect.stringMatching(/has this secret already/)])
    expect(await readFile(current, 'utf8')).toBe(after)
    await using later = await t.restart()
    await expectAll(later, made)
  })

  test('changes one configured secret to another; a repetition changes nothing, and the former secret starts no server', async () => {
    await using t = await startApp({ env: { ENCRYPTION_SECRET: OLD } })
    const made = await fill(t)
    const env = { ENCRYPTION_SECRET: NEW, ENCRYPTION_SECRET_PREVIOUS: OLD }
    const early = await rotate(t, env).done
    expect([early.code, early.output]).toEqual([
      1,
      expect.stringMatching(engine === 'sqlite' ? /Another Dropleaf is running/ : /A server is running/),
    ])
    await t.stop()
    const first = await rotate(t, env).done
    expect([first.code, first.output]).toEqual([0, expect.stringMatching(/Sealed anew: 4/)])
    const second = await rotate(t, env).done
    expect([second.code, second.output]).toEqual([0, expect.stringMatching(/has this secret already/)])
    await expect(t.restart()).rejects.toThrow(/under another ENCRYPTION_SECRET/)
    await using later = await t.restart({ ENCRYPTION_SECRET: NEW })
    await expectAll(later, made)
    const sealed = JSON.stringify(await later.ctx.db.selectFrom('api_keys').select('key_sealed').execute())
    const [row] = JSON.parse(sealed) as Array<{ key_sealed: string }>
    expect(() => createSecrets(OLD).open(row?.key_sealed ?? '', `api-key:${made.key.id}`)).toThrow()
  })

  test('a generated password that was not yet shown can still be shown', async () => {
    await using t = await startApp()
    const value = { username: 'admin', sealed: t.ctx.secrets.seal('not shown yet', FIRST_PASSWORD_CONTEXT) }
    await storeValue(t.ctx.db, FIRST_LOGIN_KEY, { value, nowMs: 0 })
    await t.stop()
    const run = await rotate(t).done
    expect([run.code, run.output]).toEqual([0, expect.stringMatching(/Sealed anew: 1/)])
    await using later = await t.restart()
    expect(await findFirstLogin(later.ctx)).toEqual({ username: 'admin', password: 'not shown yet' })
    await forgetFirstLogin(later.ctx)
    expect(await findFirstLogin(later.ctx)).toBeNull()
  })

  test('password and PIN of an import can still be decrypted, so that a retry uses them', async () => {
    await using t = await startApp()
    const body = { url: 'http://127.0.0.1:9/a', password: 'of the import', pin: '2468' }
    expect((await t.admin.call('POST', '/api/url/import', { body })).status).toBe(201)
    await t.stop()
    expect((await rotate(t).done).code).toBe(0)
    await using later = await t.restart()
    const { payload } = await later.ctx.db.selectFrom('tasks').select('payload').executeTakeFirstOrThrow()
    const fields = JSON.parse(payload) as { sealed: string; sealed_pin: string }
    const open = (sealed: string) => later.ctx.secrets.open(sealed, IMPORT_SEAL_CONTEXT)
    expect([open(fields.sealed), open(fields.sealed_pin)]).toEqual(['of the import', '2468'])
  })

  test('a wrong or missing former secret is refused with a message and changes nothing', async () => {
    await using t = await startApp({ env: { ENCRYPTION_SECRET: OLD } })
    const made = await fill(t)
    await t.stop()
    const wrong = await rotate(t, { ENCRYPTION_SECRET: NEW, ENCRYPTION_SECRET_PREVIOUS: 'no such secret' })
      .done
    expect([wrong.code, wrong.output]).toEqual([
      1,
      'The former secret is not the one that this database was filled under. Nothing has been changed.\n',
    ])
    const none = await rotate(t, { ENCRYPTION_SECRET: NEW }).done
    expect([none.code, none.output]).toEqual([1, expect.stringMatching(/^Set ENCRYPTION_SECRET_PREVIOUS/)])
    await using later = await t.restart()
    await expectAll(later, made)
  })
})

describeOneDatabase('sqlite', 'encrypted columns', ({ startApp }) => {
  test('are all included in the rotation', async () => {
    await using t = await startApp()
    const tables = await t.ctx.db.introspection.getTables()
    const sealed = tables.flatMap(({ name, columns }) =>
      columns.filter((column) => column.name.endsWith('_sealed')).map((column) => `${name}.${column.name}`),
    )
    // Removes duplicates, because PostgreSQL also returns the tables of other tests' schemas.
    const expected = [...new Set(sealed)].sort()
    expect(SEALED_COLUMNS.map(({ table, column }) => `${table}.${column}`).sort()).toEqual(expected)
  })
})
