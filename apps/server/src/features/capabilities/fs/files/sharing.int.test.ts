import { expect, test } from 'vitest'
import type { TestAnswer, TestClient } from '../../../../testing/app.ts'
import { share } from '../../../../testing/files.ts'
import { describeEachStorage } from '../../../../testing/storages.ts'
import { sweepFilesJob } from '../../files/files.jobs.ts'

const shareAt = (client: TestClient, path: string, wishes: object = {}): Promise<TestAnswer> =>
  client.call('POST', '/api/fs/share', { body: { path, ...wishes } })
const codeOf = (answer: TestAnswer) => answer.body?.error?.code

describeEachStorage('fs: share', ({ startApp, mountPath: m }) => {
  test('a file is shared without a copy, and stays when its share is deleted', async () => {
    await using t = await startApp()
    await t.storage.put('docs/报告.txt', 'the report')
    const made = await shareAt(t.admin, `${m}/docs/报告.txt`, { slug: 'report', remark: 'r', max_views: 5 })
    expect([made.status, made.body.data]).toMatchObject([
      201,
      { slug: 'report', filename: '报告.txt', size: 10, remark: 'r', maxViews: 5, url: '/file/report' },
    ])
    expect((await t.visitor.call('GET', '/api/file-download/report')).text).toBe('the report')
    expect(await t.storage.keys()).toEqual(['docs/报告.txt'])
    const { data } = (await t.admin.call('GET', '/api/admin/files')).body
    expect(data.files).toMatchObject([{ slug: 'report', is_linked: true, views: 1 }])

    await t.admin.call('DELETE', '/api/admin/files/batch-delete', { body: { ids: [made.body.data.id] } })
    await t.ctx.jobs.drain()
    expect((await t.visitor.call('GET', '/api/file-download/report')).status).toBe(404)
    expect(await t.storage.text('docs/报告.txt')).toBe('the report')
  })

  test('an ended share keeps the file, which can be shared again', async () => {
    await using t = await startApp()
    await t.storage.put('a.txt', 'a')
    const path = `${m}/a.txt`
    const made = await shareAt(t.admin, path, { expires_in: 1, password: 'secret' })
    expect(made.body.data.hasPassword).toBe(true)
    const again = await shareAt(t.admin, path)
    expect([again.status, codeOf(again), again.body.error.details]).toEqual([
      409,
      'file.already_shared',
      [{ path: 'slug', message: made.body.data.slug }],
    ])
    await t.ctx.db
      .updateTable('files')
      .set({ expires_at_ms: t.ctx.clock.nowMs() - 1 })
      .execute()
    expect((await t.admin.call('GET', '/api/fs/get', { query: { path } })).status).toBe(200)
    await sweepFilesJob(t.ctx).run(new AbortController().signal)
    expect((await t.visitor.call('GET', `/api/public/files/${made.body.data.slug}`)).status).toBe(410)
    expect(await t.storage.text('a.txt')).toBe('a')
    expect((await shareAt(t.admin, path, { slug: made.body.data.slug })).status).toBe(201)
  })

  test('a share follows its moved file, shows its replacement, and is deleted with the file', async () => {
    await using t = await startApp()
    await t.storage.put('a.txt', 'one')
    const { slug } = (await shareAt(t.admin, `${m}/a.txt`)).body.data
    const read = () => t.visitor.call('GET', `/api/file-download/${slug}`)
    const body = { oldPath: `${m}/a.txt`, newPath: `${m}/b.txt` }
    expect((await t.admin.call('POST', '/api/fs/rename', { body })).status).toBe(200)
    expect((await read()).text).toBe('one')
    const update = { path: `${m}/b.txt`, content: 'two' }
    await t.admin.call('POST', '/api/fs/update', { body: update })
    expect((await read()).text).toBe('two')
    await t.admin.call('DELETE', '/api/fs/batch-remove', { body: { paths: [`${m}/b.txt`] } })
    expect((await read()).status).toBe(404)
    expect(await t.storage.keys()).toEqual([])
  })

  test('paths that cannot be shared and callers without permission are refused', async () => {
    await using t = await startApp()
    await t.storage.put('in/a.txt', 'a')
    await t.storage.put('out/b.txt', 'b')
    const mount = { mount_permission: true, basic_path: `${m}/in` }
    const reader = await t.keyClient({ ...mount, file_permission: true, mount_read_only: true })
    const noFiles = await t.keyClient(mount)
    expect(codeOf(await shareAt(noFiles, `${m}/in/a.txt`))).toBe('auth.forbidden')
    expect((await shareAt(t.visitor, `${m}/in/a.txt`)).status).toBe(401)
    expect(codeOf(await shareAt(reader, `${m}/out/b.txt`))).toBe('auth.path_forbidden')
    expect(codeOf(await shareAt(reader, `${m}/in/../out/b.txt`))).toBe('fs.path_invalid')
    for (const [path, code] of [
      [`${m}/in`, 'fs.not_a_file'],
      [`${m}/none.txt`, 'fs.not_found'],
      ['', 'request.invalid'],
      [m, 'fs.not_a_file'],
    ] as const)
      expect([path, codeOf(await shareAt(t.admin, path))]).toEqual([path, code])
    await share(t.admin, 'c.txt', { query: { slug: 'taken' } })
    expect(codeOf(await shareAt(t.admin, `${m}/in/a.txt`, { slug: 'taken' }))).toBe('file.slug_taken')
    const own = await shareAt(reader, `${m}/in/a.txt`)
    expect(own.status).toBe(201)
    expect((await reader.call('GET', '/api/user/files')).body.data.files).toHaveLength(1)
    expect((await shareAt(t.admin, `${m}/in/a.txt`)).body.error.details).toHaveLength(1)
  })
})
