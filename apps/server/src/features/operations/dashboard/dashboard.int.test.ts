import { expect, test } from 'vitest'
import { ADMIN_PASSWORD, describeEachDatabase, type TestApp, type TestClient } from '../../../testing/app.ts'
import { setCapacity, share } from '../../../testing/files.ts'
import { putFile } from '../../../testing/fs.ts'

const stats = async (client: TestClient, query: Record<string, string> = {}) =>
  (await client.call('GET', '/api/admin/dashboard/stats', { query })).body.data
/** Authenticates by password, because a session ends after a day and the tests advance the clock by several days. */
const adminForDays = (t: TestApp) =>
  t.client(`Basic ${Buffer.from(`admin:${ADMIN_PASSWORD}`).toString('base64')}`)
const paste = (client: TestClient, body: object = {}) =>
  client.call('POST', '/api/paste', { body: { content: 'x', ...body } })

describeEachDatabase('dashboard', ({ startApp }) => {
  test('an empty server has zeros and seven days without activity', async () => {
    await using t = await startApp()
    expect(await stats(adminForDays(t))).toMatchObject({
      totalPastes: 0,
      totalFiles: 0,
      totalApiKeys: 0,
      totalS3Configs: 1,
      totalMounts: 1,
      totalStorageUsed: 0,
      s3Buckets: [{ name: 'Local disk', usedStorage: 0, hasLimit: false, fileCount: 0, usagePercent: 0 }],
      lastWeekPastes: [0, 0, 0, 0, 0, 0, 0],
      lastWeekFiles: [0, 0, 0, 0, 0, 0, 0],
    })
  })

  test('counts the shares, the use of the storage, and each of the last seven days', async () => {
    await using t = await startApp({ now: '2030-01-01T23:59:59Z' })
    const key = await t.keyClient({ text_permission: true, file_permission: true })
    await paste(key)
    t.clock.advance({ seconds: 1 })
    await paste(key)
    await share(key, 'a.bin', { bytes: Buffer.alloc(300) })
    t.clock.advance({ hours: 24 * 5 })
    await paste(key, { maxViews: 1, slug: 'gone' })
    await share(key, 'b.bin', { bytes: Buffer.alloc(200) })
    await setCapacity(t, 1000)
    expect(await stats(adminForDays(t))).toMatchObject({
      totalPastes: 3,
      totalFiles: 2,
      totalApiKeys: 1,
      totalStorageUsed: 500,
      s3Buckets: [{ usedStorage: 500, totalStorage: 1000, hasLimit: true, fileCount: 2, usagePercent: 50 }],
      lastWeekPastes: [1, 1, 0, 0, 0, 0, 1],
      lastWeekFiles: [0, 1, 0, 0, 0, 0, 1],
      lastWeekDays: [
        '2030-01-01',
        '2030-01-02',
        '2030-01-03',
        '2030-01-04',
        '2030-01-05',
        '2030-01-06',
        '2030-01-07',
      ],
    })
    t.clock.advance({ hours: 24 })
    await t.visitor.call('GET', '/api/paste/gone')
    await t.ctx.jobs.drain()
    const later = await stats(adminForDays(t))
    expect(later.lastWeekPastes).toEqual([1, 0, 0, 0, 0, 0, 0])
    expect([later.totalPastes, later.lastWeekFiles]).toEqual([2, [1, 0, 0, 0, 0, 1, 0]])
  })

  test('days begin at midnight in the time zone of the reader', async () => {
    await using t = await startApp({ now: '2030-01-01T15:59:59Z' })
    const admin = adminForDays(t)
    await paste(admin)
    t.clock.advance({ seconds: 1 })
    await paste(admin)
    await share(admin, 'a.bin')
    const inChina = await stats(admin, { utc_offset: '480' })
    expect(inChina.lastWeekPastes).toEqual([0, 0, 0, 0, 0, 1, 1])
    expect(inChina.lastWeekFiles).toEqual([0, 0, 0, 0, 0, 0, 1])
    expect(inChina.lastWeekDays.at(-1)).toBe('2030-01-02')
    expect((await stats(admin)).lastWeekPastes).toEqual([0, 0, 0, 0, 0, 0, 2])
    const bad = await admin.call('GET', '/api/admin/dashboard/stats', { query: { utc_offset: '9000' } })
    expect(bad.status).toBe(400)
  })

  test('files of mounts count as they do for the capacity', async () => {
    await using t = await startApp()
    await putFile(t.admin, '/local/in/a.bin', Buffer.alloc(300))
    await share(t.admin, 'b.bin', { bytes: Buffer.alloc(200) })
    await t.ctx.jobs.drain()
    const { data } = (await t.admin.call('GET', '/api/admin/dashboard/stats')).body
    expect(data).toMatchObject({
      totalFiles: 1,
      totalStorageUsed: 500,
      s3Buckets: [{ usedStorage: 500, fileCount: 2 }],
    })
  })

  test('cache figures and clearing', async () => {
    await using t = await startApp()
    const { id } = await share(t.admin, 'a.txt')
    await t.admin.call('GET', `/api/admin/files/${id}`)
    const { data } = (await t.admin.call('GET', '/api/admin/cache/stats')).body
    expect(data.cache.s3Url).toMatchObject({ name: 's3Url', cacheSize: 1, hits: 1, hitRate: 0.5 })
    expect(data.cache.directory).toMatchObject({ cacheSize: 0, hitRate: 0 })
    expect(data.system.memory.rss).toBeGreaterThan(1)
    const clear = (body?: object) => t.admin.call('POST', '/api/admin/cache/clear', body ? { body } : {})
    expect((await clear({ s3ConfigId: 'another' })).body.data.clearedCount).toBe(0)
    expect((await clear()).body.data.clearedCount).toBe(1)
    const key = await t.keyClient({ mount_permission: true })
    const empty = { payload: '', headers: { 'content-type': 'application/json' } }
    expect((await key.call('POST', '/api/user/cache/clear', empty)).body.data.clearedCount).toBe(0)
    expect((await t.admin.call('POST', '/api/user/cache/clear', { body: {} })).status).toBe(200)
  })

  test('every replica clears its caches', async () => {
    await using t = await startApp()
    const heard: unknown[] = []
    t.ctx.notices.subscribe('caches.forget', (payload) => heard.push(payload))
    await t.admin.call('POST', '/api/admin/cache/clear')
    await t.admin.call('POST', '/api/admin/cache/clear', { body: { mountId: 'one' } })
    await expect.poll(() => heard).toEqual([{ id: null }, { id: 'one' }])
  })

  test('a key clears only the caches of the mounts that it sees', async () => {
    await using t = await startApp()
    const key = await t.keyClient({ mount_permission: true, basic_path: '/local' })
    const other = await t.keyClient({ mount_permission: true, basic_path: '/elsewhere' })
    const mount = await t.ctx.db.selectFrom('mounts').selectAll().executeTakeFirstOrThrow()
    const clear = async (client: TestClient, body: object) =>
      (await client.call('POST', '/api/user/cache/clear', { body })).body.data.clearedCount
    const list = () => t.admin.call('GET', '/api/fs/list', { query: { path: '/local' } })
    for (const body of [{}, { mountId: mount.id }, { s3ConfigId: mount.storage_config_id }]) {
      await list()
      expect(t.ctx.caches.directory.figures().cacheSize).toBe(1)
      expect([await clear(other, body), await clear(key, { mountId: 'another' })]).toEqual([0, 0])
      expect(await clear(key, body)).toBe(1)
    }
  })
})
