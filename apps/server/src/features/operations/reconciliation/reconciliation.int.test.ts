import { Readable } from 'node:stream'
import type { ReconciliationReport } from '@dropleaf/contract'
import { parseStorageKey, StorageError } from '@dropleaf/storage'
import { expect, test } from 'vitest'
import { newId } from '../../../lib/ids.ts'
import { share } from '../../../testing/files.ts'
import { putFile } from '../../../testing/fs.ts'
import { describeEachStorage, type StorageTestApp } from '../../../testing/storages.ts'

const ALL = ['shares', 'objects', 'parts', 'reservations']

async function check(t: StorageTestApp, body: Record<string, unknown> = {}): Promise<ReconciliationReport> {
  // Gives each check a different time, because the last check is found by its time.
  t.clock.advance({ seconds: 1 })
  const begun = await t.admin.call('POST', '/api/admin/reconciliation', { body })
  expect([begun.status, begun.body.data?.type]).toEqual([200, 'reconcile'])
  await t.ctx.tasks.drain()
  const { task, report } = (await t.admin.call('GET', '/api/admin/reconciliation')).body.data
  expect([task.state, task.failures]).toEqual(['completed', []])
  return report
}

const countsOf = ({ found }: ReconciliationReport) =>
  Object.values(found).map(({ count, removed }) => [count, removed])

const shareHere = (t: StorageTestApp, filename: string) =>
  share(t.admin, filename, { bytes: filename, query: { s3_config_id: t.storage.configId, path: 'in' } })

async function keyOf(t: StorageTestApp, id: string): Promise<string> {
  const row = await t.ctx.db
    .selectFrom('files')
    .select('storage_key')
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  return row.storage_key
}

/** Creates a share, and deletes its object. */
async function loseObject(t: StorageTestApp, filename: string): Promise<string> {
  const { id } = await shareHere(t, filename)
  await (await t.storage.driver()).remove([parseStorageKey(await keyOf(t, id))])
  return id
}

/** Creates a share, and deletes its row in the database. */
async function loseRow(t: StorageTestApp, filename: string): Promise<string> {
  const { id } = await shareHere(t, filename)
  const key = await keyOf(t, id)
  await t.ctx.db.deleteFrom('files').where('id', '=', id).execute()
  return key
}

async function beginParts(t: StorageTestApp, key: string) {
  const { multipart } = await t.storage.driver()
  if (!multipart) throw new Error('There are no uploads in parts.')
  const upload = await multipart.create(parseStorageKey(key))
  await multipart.uploadPart(upload, 1, Readable.from([Buffer.from('part')]), { sizeBytes: 4 })
  return upload
}

describeEachStorage('reconciliation', ({ startApp }) => {
  test('finds differences, changes nothing without a request, and repairs the requested kinds', async () => {
    await using t = await startApp()
    const whole = await shareHere(t, 'whole.txt')
    const lost = await loseObject(t, 'lost.txt')
    const stray = await loseRow(t, 'stray.txt')
    await beginParts(t, 'in/parts.bin')
    await t.ctx.db
      .insertInto('storage_reservations')
      .values({ id: newId(), storage_config_id: t.storage.configId, size_bytes: 7, expires_at_ms: 0 })
      .execute()
    t.clock.advance({ seconds: 60 })

    const told = await check(t, { grace_minutes: 0 })
    expect(countsOf(told)).toEqual([
      [1, 0],
      [1, 0],
      [expect.any(Number), 0],
      [1, 0],
    ])
    expect(told.shares).toEqual([
      expect.objectContaining({ id: lost, filename: 'lost.txt', sizeBytes: 'lost.txt'.length }),
    ])
    expect(told.objects).toEqual([expect.objectContaining({ key: stray, sizeBytes: 'stray.txt'.length })])
    expect(told.found.parts.bytes).toBeGreaterThanOrEqual(4)
    expect(await t.storage.keys('dropleaf-shares/')).toContain(stray)

    const mended = await check(t, { grace_minutes: 0, repair: ALL })
    expect(countsOf(mended).map(([count, removed]) => count === removed)).toEqual([true, true, true, true])
    expect(countsOf(await check(t, { grace_minutes: 0 }))).toEqual(ALL.map(() => [0, 0]))
    expect((await t.storage.keys('dropleaf-shares/in/')).filter((key) => !key.endsWith('/'))).toEqual([
      await keyOf(t, whole.id),
    ])
    expect((await t.admin.call('GET', `/api/admin/files/${lost}`)).status).toBe(404)
    expect((await t.visitor.call('GET', `/api/file-download/${whole.slug}`)).text).toBe('whole.txt')
  })

  test('does not count objects as removed that the storage did not delete', async () => {
    await using t = await startApp()
    const stray = await loseRow(t, 'stray.txt')
    t.clock.advance({ seconds: 60 })
    const driver = await t.storage.driver()
    const error = new StorageError('storage.denied', 'It removes nothing.')
    driver.remove = async (keys) => ({ removed: 0, failed: keys.map((key) => ({ key, error })) })
    const { found } = await check(t, { repair: ['objects'], grace_minutes: 0 })
    expect(found.objects).toMatchObject({ count: 1, removed: 0 })
    expect(await t.storage.keys('dropleaf-shares/in/')).toContain(stray)
  })

  test('never treats files that users put beside shares as its own, with any name', async () => {
    await using t = await startApp()
    const stray = await loseRow(t, 'stray.txt')
    const name = stray.slice('in/'.length)
    const others = ['in/photo2-sea.jpg', 'in/Ab12Cd34Ef-report.pdf', `elsewhere/${name}`, name, `in/2${name}`]
    for (const key of others) await t.storage.put(key, 'of a person')
    await putFile(t.admin, `${t.storage.mountPath}/drive/${name}`, 'put through the explorer')
    t.clock.advance({ seconds: 60 })
    const { objects, found } = await check(t, { repair: ALL, grace_minutes: 0 })
    expect([objects.map(({ key }) => key), found.objects]).toEqual([
      [stray],
      { count: 1, bytes: 'stray.txt'.length, removed: 1 },
    ])
    for (const key of others) expect(await t.storage.text(key)).toBe('of a person')
    expect(await t.storage.text(`drive/${name}`)).toBe('put through the explorer')
  })

  test('ignores new objects, running uploads, and objects that are being removed', async () => {
    await using t = await startApp()
    const stray = await loseRow(t, 'stray.txt')
    const announced = { path: t.storage.mountPath, fileName: 'live.bin', fileSize: 4 }
    const session = await t.admin.call('POST', '/api/fs/multipart/init', { body: announced })
    expect(session.status).toBe(200)
    const presigned = await t.admin.call('POST', '/api/s3/presign', {
      body: { s3_config_id: t.storage.configId, filename: 'signed.txt', path: 'in' },
    })
    await t.storage.put(await keyOf(t, presigned.body.data.file_id), 'on its way')
    const planned = await loseRow(t, 'planned.txt')
    await t.ctx.db
      .insertInto('object_removals')
      .values({
        id: newId(),
        storage_config_id: t.storage.configId,
        storage_key: planned,
        attempts: 9,
        due_at_ms: t.clock.nowMs() + 3_600_000,
      })
      .execute()
    t.clock.advance({ seconds: 60 })
    // By default, objects are only removed when they are a day old.
    expect(countsOf(await check(t, { repair: ALL }))).toEqual(ALL.map(() => [0, 0]))
    const now = await check(t, { repair: ALL, grace_minutes: 0 })
    expect(now.objects.map(({ key }) => key)).toEqual([stray])
    expect(now.found.parts.count).toBe(0)
    const { uploadId } = session.body.data
    const parts = await t.admin.call('GET', '/api/fs/multipart/parts', { query: { uploadId } })
    expect(parts.status).toBe(200)
  })

  test('an unreadable storage loses no share, and does not prevent the check of others', async () => {
    await using t = await startApp()
    await shareHere(t, 'whole.txt')
    const stray = await loseRow(t, 'stray.txt')
    const away = newId()
    const config = await t.ctx.db
      .selectFrom('storage_configs')
      .selectAll()
      .where('id', '=', t.storage.configId)
      .executeTakeFirstOrThrow()
    await t.ctx.db
      .insertInto('storage_configs')
      .values({
        ...config,
        id: away,
        name: 'Away',
        provider_type: 'Other',
        endpoint_url: 'http://127.0.0.1:1',
        access_key_id_sealed: null,
        secret_access_key_sealed: null,
        is_default: 0,
      })
      .execute()
    const row = await t.ctx.db.selectFrom('files').selectAll().executeTakeFirstOrThrow()
    await t.ctx.db
      .insertInto('files')
      .values({ ...row, id: newId(), slug: 'away', storage_config_id: away })
      .execute()
    t.clock.advance({ seconds: 60 })
    await t.admin.call('POST', '/api/admin/reconciliation', { body: { repair: ALL, grace_minutes: 0 } })
    await t.ctx.tasks.drain()
    const { task, report } = (await t.admin.call('GET', '/api/admin/reconciliation')).body.data
    expect([task.state, task.failures.map(({ path }: { path: string }) => path)]).toEqual([
      'partially_complete',
      ['Away'],
    ])
    expect([report.found.shares.count, report.objects.map(({ key }: { key: string }) => key)]).toEqual([
      0,
      [stray],
    ])
    expect(await t.ctx.db.selectFrom('files').select('slug').where('slug', '=', 'away').execute()).toEqual([
      { slug: 'away' },
    ])
  })

  test('resumes after a restart, page by page, and names the first of many findings', async () => {
    await using t = await startApp()
    const many = 120
    const id = await loseObject(t, 'lost.txt')
    const row = await t.ctx.db.selectFrom('files').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
    const rows = Array.from({ length: many - 1 }, (_, at) => ({
      ...row,
      id: newId(),
      slug: `lost-${at}`,
      storage_key: `${row.storage_key}.${at}`,
    }))
    await t.ctx.db.insertInto('files').values(rows).execute()
    const report = await check(t)
    expect([report.found.shares, report.shares.length]).toEqual([
      { count: many, bytes: many * row.size_bytes, removed: 0 },
      100,
    ])
    const last = [...rows, row].map((one) => one.id).sort()[many - 11] ?? ''
    t.clock.advance({ seconds: 1 })
    const order = { repair: [], graceMinutes: 0 }
    const position = { configId: t.storage.configId, phase: 'shares', after: last }
    const value = { report: { ...report, found: { ...report.found }, shares: [] }, position }
    const task = await t.ctx.tasks.add({
      type: 'reconcile',
      owner: 'admin',
      subject: 'reconciliation',
      payload: order,
    })
    const progress = JSON.parse(task.progress)
    await t.ctx.db
      .updateTable('tasks')
      .set({ checkpoint: JSON.stringify({ value, progress, failures: [] }) })
      .where('id', '=', task.id)
      .execute()
    await t.ctx.tasks.drain()
    const done = (await t.ctx.tasks.find(task.id))?.result ?? '{}'
    expect(JSON.parse(done).found.shares.count).toBe(many + 10)
  })

  test('of two concurrent starts one runs, and an interrupted check does not restart beside it', async () => {
    await using t = await startApp()
    const begin = () => t.admin.call('POST', '/api/admin/reconciliation', { body: {} })
    const answers = await Promise.all([begin(), begin()])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
    const [row, ...others] = await t.ctx.db.selectFrom('tasks').selectAll().execute()
    expect(others).toEqual([])
    await t.ctx.tasks.drain()
    await t.ctx.db.updateTable('tasks').set({ state: 'failed' }).execute()
    const order = { owner: 'admin', subject: 'reconciliation', payload: { repair: [], graceMinutes: 0 } }
    const second = await t.ctx.tasks.add({ type: 'reconcile', ...order })
    const retry = () => t.admin.call('POST', `/api/tasks/${row?.id}/retry`)
    expect((await retry()).body.error.code).toBe('task.not_retryable')
    await t.ctx.tasks.cancel(second.id)
    expect((await retry()).status).toBe(200)
    expect((await begin()).body.error?.code).toBe('reconciliation.running')
  })

  test('runs one at a time, and only for administrators', async () => {
    await using t = await startApp()
    const held = await t.ctx.tasks.add({
      type: 'reconcile',
      owner: 'admin',
      subject: 'reconciliation',
      payload: { repair: [], graceMinutes: 0 },
    })
    const second = await t.admin.call('POST', '/api/admin/reconciliation', { body: {} })
    expect([second.status, second.body.error.code]).toEqual([409, 'reconciliation.running'])
    await t.ctx.tasks.cancel(held.id)
    const key = await t.keyClient({ text_permission: true, file_permission: true, mount_permission: true })
    for (const client of [key, t.visitor])
      for (const method of ['GET', 'POST'])
        expect((await client.call(method, '/api/admin/reconciliation')).status).toBeGreaterThanOrEqual(401)
    expect((await t.admin.call('POST', '/api/admin/reconciliation')).status).toBe(200)
    const bad = await t.admin.call('POST', '/api/admin/reconciliation', { body: { repair: ['all'] } })
    expect(bad.status).toBe(400)
  })
})
