import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { describeEachDatabase, type TestApp } from '../../../testing/app.ts'
import {
  objectItems,
  objectRows,
  publishBundle,
  publishedBundle,
  putObject,
} from '../../../testing/bundles.ts'
import { openSealed, publishedSealed } from '../../../testing/sealed.ts'
import { filesOnDisk, share } from '../../../testing/files.ts'

const PASSPHRASE = 'a long passphrase'

const exported = async (t: TestApp, passphrase: string | null = PASSPHRASE) =>
  (await t.admin.call('POST', '/api/admin/backup/export', { body: { passphrase } })).text

/** Returns an export with the given lines and a valid end line, so that an import accepts the changed lines. */
function resealed(lines: readonly string[]): string {
  const digest = createHash('sha256')
    .update(lines.map((line) => `${line}\n`).join(''))
    .digest('hex')
  const end = { kind: 'end', lines: lines.length, digest, signature: null }
  return `${lines.join('\n')}\n${JSON.stringify(end)}\n`
}

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
  test('a backup restores bundles completely, and a sweep keeps their objects', async () => {
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

  test('a restored encrypted bundle has its seal and opens with the same key', async () => {
    await using t = await startApp()
    const bundle = await publishedSealed(t.admin, { bytes: new Uint8Array(10), password: 'pw' })
    const before = await contentsOf(t)
    const opened = (await openSealed(t, bundle)).body.data
    const text = await exported(t)
    await t.admin.call('POST', '/api/bundles/delete', { body: { ids: [bundle.id] } })
    const { status, body } = await imported(t, text, { mode: 'merge' })
    expect([status, body.data?.imported]).toMatchObject([200, { bundle: 1, bundle_revision: 1, file: 1 }])
    const { bundles, revisions } = await contentsOf(t)
    expect(revisions).toEqual(before.revisions)
    expect(bundles[0]).toMatchObject({
      sealed: 1,
      salt: bundle.share.facts.salt,
      verifier: bundle.share.facts.verifier,
    })
    expect((await openSealed(t, bundle)).body.data.manifest).toBe(opened.manifest)
    const [row] = await objectRows(t)
    expect(row?.part_size_bytes).toBeGreaterThan(0)
  })

  test('a revision that is published during the export is left out, and publishing still works after the import', async () => {
    await using t = await startApp()
    const bundle = await publishedBundle(t.admin, { slug: 'trip' })
    const linesOf = async () => (await exported(t, null)).trimEnd().split('\n').slice(0, -1)
    const older = await linesOf()
    await putObject(t.admin, bundle, { n: 1 })
    await publishBundle(t.admin, bundle, { items: objectItems(1), expected: 1 })
    const newer = await linesOf()
    // Simulates an export that read the bundle before the second revision was published, and the revisions afterwards.
    const isBundle = (line: string) => line.startsWith('{"kind":"bundle",')
    const mixed = resealed(newer.map((line) => (isBundle(line) ? (older.find(isBundle) ?? '') : line)))
    await t.admin.call('POST', '/api/bundles/delete', { body: { ids: [bundle.id] } })
    const { status, body } = await imported(t, mixed, { mode: 'merge' })
    expect([status, body.data?.imported]).toMatchObject([200, { bundle: 1, bundle_revision: 1 }])
    expect(body.data.skipped).toContainEqual({
      kind: 'bundle_revision',
      name: `${bundle.id} 2`,
      reason: 'revision_ahead',
    })
    const published = await publishBundle(t.admin, bundle, { page: { text: 'next' }, expected: 1 })
    expect([published.status, published.body.data?.revision]).toEqual([201, 2])
  })

  test('an export contains no revision beyond that of its bundle, and an import names bundles without theirs', async () => {
    await using t = await startApp()
    const bundle = await publishedBundle(t.admin, { slug: 'trip' })
    await publishBundle(t.admin, bundle, { page: { text: 'two' }, expected: 1 })
    await t.ctx.db.updateTable('bundles').set({ revision: 1 }).execute()
    const revisionsIn = (text: string) =>
      text.split('\n').flatMap((line) => {
        const { kind, row } = JSON.parse(line || '{}')
        return kind === 'bundle_revision' ? [row.revision] : []
      })
    expect(revisionsIn(await exported(t))).toEqual([1])
    await t.ctx.db.updateTable('bundles').set({ revision: 3 }).execute()
    const text = await exported(t)
    expect(revisionsIn(text)).toEqual([1, 2])
    const { body } = await imported(t, text, { mode: 'replace', confirm: 'true' })
    expect(body.data.gaps).toContainEqual({ kind: 'bundle', name: 'trip', gap: 'revision_missing' })
    const detail = (await t.admin.call('GET', '/api/bundles/trip/own')).body.data
    expect(detail).toMatchObject({ revision: 3, manifest: null })
    const repaired = await publishBundle(t.admin, bundle, { page: { text: 'four' }, expected: 3 })
    expect([repaired.status, repaired.body.data?.revision]).toEqual([201, 4])
  })

  test('a revision beyond that of its bundle is replaced by the next publication, with its objects', async () => {
    await using t = await startApp()
    const bundle = await publishedBundle(t.admin)
    await putObject(t.admin, bundle, { n: 1 })
    await putObject(t.admin, bundle, { n: 2 })
    await publishBundle(t.admin, bundle, { items: objectItems(1, 2), expected: 1 })
    await t.ctx.db.updateTable('bundles').set({ revision: 1 }).execute()
    const published = await publishBundle(t.admin, bundle, { items: objectItems(2), expected: 1 })
    expect([published.status, published.body.data?.revision]).toEqual([201, 2])
    await t.ctx.jobs.drain()
    expect((await objectRows(t)).map(({ object_number }) => object_number)).toEqual([0, 2])
  })

  test('imported bundles are found by their text and the names of their files', async () => {
    await using t = await startApp()
    const bundle = await publishedBundle(t.admin, { slug: 'trip', remark: 'souvenir' })
    const page = { text: 'a marmalade' }
    await publishBundle(t.admin, bundle, { title: 'Journey', page, items: objectItems(0), expected: 1 })
    await imported(t, await exported(t), { mode: 'replace', confirm: 'true' })
    const found = async (search: string) =>
      (await t.admin.call('GET', '/api/shares', { query: { search } })).body.data.pagination.total
    const words = ['marmalade', 'files/0.txt', 'journey', 'souvenir', 'nothing']
    expect(await Promise.all(words.map(found))).toEqual([1, 1, 1, 1, 0])
  })

  test('a line with a revision that does not list its objects, or has a path outside the bundle, is refused', async () => {
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
