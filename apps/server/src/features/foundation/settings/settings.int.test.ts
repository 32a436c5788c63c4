import { expect, test } from 'vitest'
import { describeEachDatabase, type TestApp } from '../../../testing/app.ts'

const put = (t: TestApp, body: unknown) => t.admin.call('PUT', '/api/admin/system-settings', { body })
const rows = async (t: TestApp) => (await t.admin.call('GET', '/api/admin/system-settings')).body.data

describeEachDatabase('settings', ({ startApp }) => {
  test('are rows of text with defaults, without internal settings', async () => {
    await using t = await startApp()
    expect(await rows(t)).toMatchObject([
      { key: 'max_upload_size', value: '100', description: expect.any(String) },
      { key: 'webdav_upload_mode', value: 'direct' },
      { key: 'show_share_files', value: 'false' },
    ])
    expect((await t.visitor.call('GET', '/api/system/max-upload-size')).body).toMatchObject({
      code: 200,
      success: true,
      data: { max_upload_size: 100 },
    })
  })

  test('can be changed individually, numbers also as text; unknown ones are ignored', async () => {
    await using t = await startApp({ now: '2030-01-01T00:00:00Z' })
    const answer = await put(t, { max_upload_size: '250', unknown: 'x' })
    expect(answer.body).toMatchObject({ code: 200, success: true })
    await put(t, { webdav_upload_mode: 'multipart' })
    expect(await rows(t)).toMatchObject([
      { value: '250', updated_at: '2030-01-01T00:00:00.000Z' },
      { value: 'multipart' },
      { value: 'false' },
    ])
    await put(t, { max_upload_size: 1 })
    expect((await t.visitor.call('GET', '/api/system/max-upload-size')).body.data.max_upload_size).toBe(1)
  })

  test('a setting that CloudPaste does not have is listed once it is set', async () => {
    await using t = await startApp()
    expect((await put(t, { opening_grace_minutes: '0' })).status).toBe(200)
    expect((await rows(t)).slice(3)).toMatchObject([{ key: 'opening_grace_minutes', value: '0' }])
  })

  test('invalid values and requests without a known setting are 400 and change nothing', async () => {
    await using t = await startApp()
    for (const bad of [
      { max_upload_size: 0 },
      { max_upload_size: -1 },
      { max_upload_size: 0.5 },
      { max_upload_size: 'much' },
      { max_upload_size: null },
      { max_upload_size: 1e300 },
      { webdav_upload_mode: 'fast' },
      { opening_grace_minutes: -1 },
      { opening_grace_minutes: 1441 },
      { opening_grace_minutes: 'long' },
      { max_upload_size: 5, webdav_upload_mode: 'fast' },
    ])
      expect([bad, (await put(t, bad)).status]).toEqual([bad, 400])
    expect((await put(t, {})).body.error.code).toBe('settings.nothing_to_change')
    expect((await put(t, { unknown: 1 })).body.error.code).toBe('settings.nothing_to_change')
    expect((await rows(t))[0].value).toBe('100')
  })
})

describeEachDatabase('status routes', ({ startApp, engine }) => {
  test('version, health and readiness are open to everyone', async () => {
    await using t = await startApp({
      now: '2030-01-01T00:00:00Z',
      env: { SOURCE_URL: 'https://example.org/src' },
    })
    expect((await t.visitor.call('GET', '/api/version')).body.data).toMatchObject({
      version: expect.stringMatching(/^\d+\.\d+\.\d+/),
      protocol: '0.7.0',
      storage: engine === 'sqlite' ? 'SQLite' : 'PostgreSQL',
      nodeVersion: process.version,
      sourceUrl: 'https://example.org/src',
    })
    const health = await t.visitor.call('GET', '/api/health')
    expect(health.body).toMatchObject({ status: 'ok', timestamp: '2030-01-01T00:00:00.000Z' })
    expect((await t.visitor.call('GET', '/api/ready')).body.status).toBe('ready')
    // Load balancers and monitors use HEAD requests.
    for (const path of ['/api/health', '/api/ready']) {
      const asked = await t.visitor.call('HEAD', path)
      expect([asked.status, asked.text]).toEqual([200, ''])
    }
  })

  test('without the database readiness is 503 in the envelope, and health is unchanged', async () => {
    await using t = await startApp()
    await t.ctx.db.destroy()
    const ready = await t.visitor.call('GET', '/api/ready')
    expect([ready.status, ready.body.error.code]).toEqual([503, 'request.unavailable'])
    expect(ready.text).not.toMatch(/sql|driver|destroy/i)
    expect((await t.visitor.call('GET', '/api/health')).status).toBe(200)
  })
})
