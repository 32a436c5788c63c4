import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { ADMIN_PASSWORD, describeEachDatabase, type TestApp } from '../../../testing/app.ts'
import { startCommand } from '../../../testing/server-process.ts'
import { FIRST_LOGIN_KEY } from './auth.usecases.ts'

const reset = (t: TestApp, more: Record<string, string> = {}, input?: string) =>
  startCommand('reset-password', {
    args: input === undefined ? [] : ['-'],
    input,
    env: {
      DATA_DIR: t.dataDir,
      ...(t.ctx.config.databaseUrl === null ? {} : { DATABASE_URL: t.ctx.config.databaseUrl }),
      ...more,
    },
  }).done

const loginStatus = async (t: TestApp, password: string, username = 'admin') =>
  (await t.visitor.call('POST', '/api/admin/login', { body: { username, password } })).status

describeEachDatabase('a lost password', ({ startApp }) => {
  test('is replaced by a random one while the server runs; its sessions end, and a blocked login is unblocked', async () => {
    await using t = await startApp()
    expect((await t.admin.call('GET', '/api/admin/sessions')).status).toBe(200)
    for (let tries = 0; tries < 12; tries += 1) await loginStatus(t, `guess ${tries}`)
    expect(await loginStatus(t, 'one more')).toBe(429)
    const { code, output } = await reset(t)
    expect([code, output]).toEqual([0, expect.stringMatching(/Administrator: admin\n/)])
    const password = output.trim().split('\n').at(-1) ?? ''
    expect(password).toMatch(/^[A-Za-z0-9]{20}$/)
    await vi.waitFor(async () => {
      expect((await t.admin.call('GET', '/api/admin/sessions')).status).toBe(401)
    })
    // The server notices changes by other processes to the SQLite file after a short delay.
    await vi.waitFor(async () => expect(await loginStatus(t, password)).toBe(200), { interval: 500 })
    const rows = await t.ctx.db
      .selectFrom('audit_log')
      .selectAll()
      .where('action', '=', 'account.reset_password')
      .execute()
    expect(rows).toMatchObject([{ target: 'admin', status: 200 }])
    expect(JSON.stringify(rows)).not.toContain(password)
    expect(
      await t.ctx.db.selectFrom('settings').select('key').where('key', '=', FIRST_LOGIN_KEY).execute(),
    ).toEqual([])
  })

  test('is replaced by a chosen one while the server is stopped; one that is too short changes nothing', async () => {
    await using t = await startApp()
    const configured = await reset(t, { ADMIN_PASSWORD: 'of the configuration' })
    expect([configured.code, configured.output]).toEqual([0, expect.stringContaining('ADMIN_PASSWORD')])
    expect(await loginStatus(t, 'of the configuration')).toBe(200)
    expect(await loginStatus(t, ADMIN_PASSWORD)).toBe(401)
    await t.stop()
    const short = await reset(t, {}, 'short\n')
    expect([short.code, short.output]).toEqual([1, expect.stringMatching(/^The password must have at least/)])
    const typed = await reset(t, {}, `${ADMIN_PASSWORD}\n`)
    expect([typed.code, typed.output]).toEqual([0, expect.not.stringContaining(ADMIN_PASSWORD)])
    await using later = await t.restart()
    expect(await loginStatus(later, ADMIN_PASSWORD)).toBe(200)
    expect(await loginStatus(later, 'of the configuration')).toBe(401)
  })
})

test('the command creates no database if there is none', async () => {
  const { code, output } = await startCommand('reset-password', { env: { DATA_DIR: '/nonexistent/place' } })
    .done
  expect([code, output]).toEqual([1, expect.stringMatching(/^There is no database in/)])
})

test('the command changes nothing in a database that no server has initialized', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'dropleaf-empty-'))
  await writeFile(join(folder, 'dropleaf.sqlite'), '')
  const { code, output } = await startCommand('reset-password', { env: { DATA_DIR: folder } }).done
  await rm(folder, { recursive: true })
  expect([code, output]).toEqual([1, 'This database is empty. Start the server once to set it up.\n'])
})
