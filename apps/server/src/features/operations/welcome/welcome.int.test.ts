import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ADMIN_PASSWORD, describeEachDatabase, type TestApp } from '../../../testing/app.ts'

const read = async (t: TestApp) => (await t.admin.call('GET', '/api/admin/welcome')).body.data
const save = (t: TestApp, body: object) => t.admin.call('PUT', '/api/admin/welcome', { body })
const login = (t: TestApp, password = ADMIN_PASSWORD) =>
  t.visitor.call('POST', '/api/admin/login', { body: { username: 'admin', password } })

describeEachDatabase('the guide of a first start', ({ startApp }) => {
  test('is open at first, and shows the origin of the password and the location of files', async () => {
    await using t = await startApp()
    expect(await read(t)).toEqual({
      state: 'open',
      step: 'language',
      done: [],
      username: 'admin',
      password: 'environment',
      disk: {
        folder: join(t.dataDir, 'storage', 'local'),
        freeBytes: expect.any(Number),
        totalBytes: expect.any(Number),
      },
    })
    expect((await login(t)).body.data.isFirstStart).toBe(true)
    t.clock.advance({ seconds: 1 })
    await t.admin.call('POST', '/api/admin/change-password', {
      body: { currentPassword: ADMIN_PASSWORD, newPassword: 'a password of my own' },
    })
    const { token } = (await login(t, 'a password of my own')).body.data
    const later = await t.client(`Bearer ${token}`).call('GET', '/api/admin/welcome')
    expect(later.body.data.password).toBe('own')
  })

  test('is stored on the server, also across restarts', async () => {
    await using t = await startApp()
    expect((await save(t, { state: 'open', step: 'storage' })).status).toBe(200)
    expect(await read(t)).toMatchObject({ state: 'open', step: 'storage' })
    await save(t, { state: 'later', step: 'storage', done: ['language'] })
    expect((await login(t)).body.data.isFirstStart).toBe(false)
    await using again = await t.restart()
    expect(await read(again)).toMatchObject({ state: 'later', step: 'storage', done: ['language'] })
    // Saves the state of a browser that had opened the guide before.
    await save(again, { state: 'later', step: 'language', done: ['password'] })
    expect(await read(again)).toMatchObject({ step: 'language', done: ['language', 'password'] })
    const stats = await again.admin.call('GET', '/api/admin/dashboard/stats')
    expect(stats.body.data.guide).toBe('later')
    for (const bad of [{}, { state: 'open' }, { state: 'never', step: 'done' }, { state: 'done', step: 'x' }])
      expect([bad, (await save(again, bad)).status]).toEqual([bad, 400])
  })

  test('does not appear on servers that were set up without it', async () => {
    await using t = await startApp()
    await t.ctx.db.deleteFrom('settings').where('key', '=', 'welcome').execute()
    await using again = await t.restart()
    expect(await read(again)).toMatchObject({ state: 'done', step: 'done' })
    expect((await login(again)).body.data.isFirstStart).toBe(false)
  })

  test('names no folder if no files are stored on this machine', async () => {
    await using t = await startApp()
    for (const { id } of (await t.admin.call('GET', '/api/admin/mounts')).body.data)
      await t.admin.call('DELETE', `/api/admin/mounts/${id}`)
    for (const { id } of (await t.admin.call('GET', '/api/s3-configs')).body.data)
      await t.admin.call('DELETE', `/api/s3-configs/${id}`)
    expect((await read(t)).disk).toBeNull()
  })
})
