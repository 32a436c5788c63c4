import { expect, test } from 'vitest'
import { describeEachDatabase, type TestApp, type TestClient } from '../../../testing/app.ts'
import { share } from '../../../testing/files.ts'

const names = async (client: TestClient, query: Record<string, string>, who = 'admin') => {
  const { status, body } = await client.call('GET', `/api/${who}/files`, { query })
  expect(status).toBe(200)
  return body.data.files.map((file: { filename: string }) => file.filename)
}

async function fill(t: TestApp) {
  const key = await t.keyClient({ name: 'Phone', file_permission: true })
  await share(t.admin, 'Über.txt', { bytes: 'aaaa', query: { remark: 'für 100%' } })
  t.clock.advance({ seconds: 1 })
  await share(t.admin, '照片.jpg', { bytes: 'b', query: { password: 'p' } })
  t.clock.advance({ seconds: 1 })
  await share(key, 'brief.txt', { bytes: 'cc', query: { expires_in: '1' } })
  t.clock.advance({ seconds: 1 })
  await share(key, 'own.txt', { bytes: 'ddd' })
  t.clock.advance({ hours: 2 })
  return key
}

describeEachDatabase('files: searching and deleting what matches', ({ startApp }) => {
  test('a search covers suffix, name and the current remark, ignoring case', async () => {
    await using t = await startApp()
    await fill(t)
    expect(await names(t.admin, { search: 'ÜBER' })).toEqual(['Über.txt'])
    expect(await names(t.admin, { search: 'Für 100%' })).toEqual(['Über.txt'])
    expect(await names(t.admin, { search: '片' })).toEqual(['照片.jpg'])
    const { files } = (await t.admin.call('GET', '/api/admin/files', { query: { search: '片' } })).body.data
    await t.admin.call('PUT', `/api/admin/files/${files[0].id}`, { body: { remark: 'HOLIDAY' } })
    expect(await names(t.admin, { search: 'holiday' })).toEqual(['照片.jpg'])
    expect(await names(t.admin, { search: files[0].slug.toUpperCase() })).toEqual(['照片.jpg'])
    expect(await names(t.admin, { search: '%' })).toEqual(['Über.txt'])
  })

  test('filters and orders', async () => {
    await using t = await startApp()
    const key = await fill(t)
    expect(await names(t.admin, { state: 'over' })).toEqual(['brief.txt'])
    expect(await names(t.admin, { state: 'active', sort: 'size', order: 'asc' })).toEqual([
      '照片.jpg',
      'own.txt',
      'Über.txt',
    ])
    expect(await names(t.admin, { protected: '1' })).toEqual(['照片.jpg'])
    expect(await names(t.admin, { created_by: `apikey:${key.id}`, protected: '0' })).toEqual([
      'own.txt',
      'brief.txt',
    ])
    expect(await names(t.admin, { created_by: 'admin', sort: 'name', order: 'asc' })).toHaveLength(2)
    expect(await names(t.admin, { s3_config_id: 'none' })).toEqual([])
    expect(await names(key, { search: 'über' }, 'user')).toEqual([])
  })

  test('matching files are deleted with their bytes; a key can clear its own ended shares', async () => {
    await using t = await startApp()
    const key = await fill(t)
    await share(t.admin, 'admins-brief.txt', { query: { expires_in: '1' } })
    t.clock.advance({ hours: 2 })
    const cleared = await key.call('POST', '/api/user/files/clear-expired')
    expect(cleared.body.data.matching).toBe(1)
    await t.ctx.tasks.drain()
    expect(await names(t.admin, { state: 'over' })).toEqual(['admins-brief.txt'])

    const all = await t.admin.call('POST', '/api/admin/files/delete-matching', { body: { state: 'active' } })
    expect(all.body.data.matching).toBe(3)
    await t.ctx.tasks.drain()
    expect(await names(t.admin, {})).toEqual(['admins-brief.txt'])
    // The objects are deleted shortly afterwards.
    await expect.poll(() => t.ctx.db.selectFrom('object_removals').selectAll().execute()).toEqual([])
    const task = (await t.admin.call('GET', `/api/tasks/${all.body.data.task_id}`)).body.data
    expect(task).toMatchObject({ state: 'completed', type: 'delete_files', result: { deleted: 3 } })
  })
})
