import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { describeEachDatabase } from '../../../testing/app.ts'
import { type Insert, importOld, oldConfig, sha256, stamps } from '../../../testing/cloudpaste.ts'

const share = (more: object) => ({ id: randomUUID(), created_by: 'a', ...stamps, ...more })
const LONGEST = 1000
const longSlug = 's'.repeat(LONGEST)
const longPassword = '密'.repeat(LONGEST)

function fill(insert: Insert): void {
  const text = (slug: string, password: string | null) => {
    const row = share({ slug, content: `text ${slug.length}`, password: password && sha256(password) })
    insert('pastes', row)
    if (password !== null)
      insert('paste_passwords', { paste_id: row.id, plain_password: password, ...stamps })
  }
  text(longSlug, null)
  text('locked', longPassword)
  text('admin', null)
  text(randomUUID(), null)
  text('s'.repeat(LONGEST + 1), null)
  text('overlocked', 'x'.repeat(LONGEST + 1))
  const config = oldConfig('bucket')
  insert('s3_configs', config)
  const file = { filename: 'a.txt', storage_path: 'a.txt', s3_config_id: config.id, use_proxy: 1 }
  insert('files', share({ ...file, slug: longSlug, password: sha256(longPassword) }))
}

describeEachDatabase('links of CloudPaste that exceed the limits here', ({ startApp }) => {
  test('work, and so do long passwords, up to a length above which they are reported', async () => {
    await using t = await startApp()
    const { unfit, result } = await importOld(t, fill)
    expect([result.imported.paste, result.imported.file]).toEqual([4, 1])
    expect(unfit).toEqual([
      {
        kind: 'paste',
        name: 's'.repeat(LONGEST + 1),
        field: 'slug',
        reason: expect.stringContaining('1000'),
      },
      { kind: 'paste', name: 'overlocked', field: 'password', reason: expect.stringContaining('1000') },
    ])
    const body = { password: longPassword }
    const query = body
    const text = { status: 200, body: { content: 'text 1000' } }
    expect(await t.visitor.call('GET', `/api/paste/${longSlug}`)).toMatchObject(text)
    expect(await t.visitor.call('GET', `/api/raw/${longSlug}`)).toMatchObject({ text: 'text 1000' })
    expect(await t.visitor.call('POST', '/api/paste/locked', { body })).toMatchObject({ status: 200 })
    expect(await t.visitor.call('GET', '/api/raw/locked', { query })).toMatchObject({ text: 'text 6' })
    expect(await t.admin.call('GET', `/api/admin/pastes/${longSlug}`)).toMatchObject({ status: 200 })
    const file = await t.visitor.call('POST', `/api/public/files/${longSlug}/verify`, { body })
    expect([file.status, file.body.data.slug]).toEqual([200, longSlug])
    // The bytes cannot be read because there is no bucket, but HEAD shows that access is allowed.
    const bytes = await t.visitor.call('HEAD', `/api/file-view/${longSlug}`, { query })
    expect(bytes.status).toBe(200)
    const wrong = await t.visitor.call('HEAD', `/api/file-view/${longSlug}`, { query: { password: 'x' } })
    expect(wrong.status).toBe(403)
  })

  test('new links keep the limits', async () => {
    await using t = await startApp()
    const refused = [
      { content: 'x', slug: 's'.repeat(51) },
      { content: 'x', password: 'x'.repeat(257) },
    ].map(async (body) => (await t.admin.call('POST', '/api/paste', { body })).status)
    expect(await Promise.all(refused)).toEqual([400, 400])
    const login = { username: 'admin', password: 'x'.repeat(257) }
    expect((await t.visitor.call('POST', '/api/admin/login', { body: login })).status).toBe(400)
  })

  test('survive a backup and its import', async () => {
    await using t = await startApp()
    await importOld(t, fill)
    const backup = await t.admin.call('POST', '/api/admin/backup/export', { body: {} })
    await using to = await startApp()
    const taken = await to.admin.call('POST', '/api/admin/backup/import', {
      payload: backup.bytes,
      headers: { 'content-type': 'application/x-ndjson' },
    })
    expect([taken.status, taken.body.data?.imported]).toEqual([
      200,
      expect.objectContaining({ paste: 4, file: 1 }),
    ])
    expect((await to.visitor.call('GET', `/api/paste/${longSlug}`)).status).toBe(200)
  })
})
