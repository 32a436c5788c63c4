import { expect, test } from 'vitest'
import { describeEachDatabase, type TestApp } from '../../../testing/app.ts'
import { objectRows, publishedBundle, putObject } from '../../../testing/bundles.ts'
import { filesOnDisk, share } from '../../../testing/files.ts'

const PASSPHRASE = 'a long passphrase'

const exported = async (t: TestApp) =>
  (await t.admin.call('POST', '/api/admin/backup/export', { body: { passphrase: PASSPHRASE } })).text
const imported = (t: TestApp, text: string, query: Record<string, string>) =>
  t.admin.call('POST', '/api/admin/backup/import', {
    payload: text,
    query,
    headers: {
      'content-type': 'application/octet-stream',
      'x-backup-passphrase': encodeURIComponent(PASSPHRASE),
    },
  })

async function contentsOf(t: TestApp) {
  const bundles = await t.ctx.db.selectFrom('bundles').selectAll().orderBy('id').execute()
  const revisions = await t.ctx.db.selectFrom('bundle_revisions').selectAll().orderBy('revision').execute()
  const objects = (await objectRows(t)).map(({ bundle_id, object_number, storage_key, size_bytes }) => ({
    bundle_id,
    object_number,
    storage_key,
    size_bytes,
  }))
  return {
    bundles: bundles.map(({ password_sealed: _sealed, search_text: _text, ...row }) => row),
    revisions,
    objects,
  }
}

describeEachDatabase('bundles in backups', ({ startApp }) => {
  test('a backup brings them back whole, and a sweep keeps what they name', async () => {
    await using t = await startApp()
    const bundle = await publishedBundle(t.admin, { slug: 'trip', password: 'pw', max_views: 4 })
    await putObject(t.admin, bundle, { n: 1 })
    await share(t.admin, 'a.txt')
    const before = await contentsOf(t)
    const text = await exported(t)
    expect(text).not.toContain('"pw"')
    const header = JSON.parse(text.split('\n', 1)[0] ?? '')
    expect(header.counts).toMatchObject({ bundle: 1, bundle_revision: 1, file: 3 })

    await t.admin.call('PUT', `/api/bundles/${bundle.id}`, { body: { slug: 'changed' } })
    const { status, body } = await imported(t, text, { mode: 'replace', confirm: 'true' })
    expect([status, body.data?.imported]).toEqual([
      200,
      expect.objectContaining({ bundle: 1, bundle_revision: 1, file: 3 }),
    ])
    expect(await contentsOf(t)).toEqual(before)
    const detail = (await t.admin.call('GET', '/api/bundles/trip/own')).body.data
    expect(detail).toMatchObject({ plain_password: 'pw', title: 'Trip', revision: 1 })
    expect((await t.admin.call('GET', '/api/admin/files')).body.data.files.length).toBe(1)

    const merged = (await imported(t, text, { mode: 'merge' })).body.data
    expect(merged.imported).toMatchObject({ bundle: 0, bundle_revision: 0, file: 0 })
    expect(merged.skipped).toContainEqual({ kind: 'bundle', name: 'trip', reason: 'id_exists' })
    t.clock.advance({ hours: 25 })
    await t.ctx.jobs.drain()
    expect((await objectRows(t)).map(({ object_number }) => object_number)).toEqual([0])
    expect((await filesOnDisk(t)).length).toBe(2)
  })

  test('a line whose revision does not list its objects, or leads out of the bundle, is refused', async () => {
    await using t = await startApp()
    await publishedBundle(t.admin)
    const lines = (await exported(t)).split('\n')
    const index = lines.findIndex((line) => line.includes('"kind":"bundle_revision"'))
    for (const change of [
      (row: Record<string, unknown>) => ({ ...row, objects: '[]' }),
      (row: Record<string, unknown>) => ({
        ...row,
        manifest: String(row['manifest']).replace('files/0', '../0'),
      }),
      (row: Record<string, unknown>) => ({ ...row, manifest: '{"items":1}' }),
    ]) {
      const line = JSON.parse(lines[index] ?? '')
      const altered = lines.with(index, JSON.stringify({ ...line, row: change(line.row) })).join('\n')
      const { status, body } = await imported(t, altered, { mode: 'merge' })
      expect([status, body.error.code]).toEqual([400, 'backup.line_invalid'])
    }
  })
})
