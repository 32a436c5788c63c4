import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, inject, test } from 'vitest'
import { describeEachDatabase, type TestApp } from '../../../testing/app.ts'
import { share } from '../../../testing/files.ts'
import { putFile } from '../../../testing/fs.ts'
import { startCommand } from '../../../testing/server-process.ts'
import { addS3Mount, type S3Mount } from '../../../testing/storages.ts'

const inBucket = (t: TestApp, bucket: S3Mount, filename: string, query: Record<string, string> = {}) =>
  share(t.admin, filename, { bytes: filename, query: { s3_config_id: bucket.configId, ...query } })

const run = (t: TestApp, name: string, args: readonly string[]) =>
  startCommand(name, {
    args,
    env: {
      DATA_DIR: t.dataDir,
      ...(t.ctx.config.databaseUrl === null ? {} : { DATABASE_URL: t.ctx.config.databaseUrl }),
    },
  }).done

const restoredOf = async (t: TestApp) =>
  (await t.admin.call('GET', '/api/admin/dashboard/stats')).body.data.restored

async function repairAll(t: TestApp) {
  t.clock.advance({ seconds: 60 })
  const body = { repair: ['objects', 'parts', 'reservations'], grace_minutes: 0 }
  await t.admin.call('POST', '/api/admin/reconciliation', { body })
  await t.ctx.tasks.drain()
  return (await t.admin.call('GET', '/api/admin/reconciliation')).body.data.report
}

/** Creates a backup of a server, and then keeps using the server's bucket. */
async function backedUp(t: TestApp, bucket: S3Mount, folder: string) {
  const extended = await inBucket(t, bucket, 'extended.txt', { expires_in: '1' })
  const removed = await inBucket(t, bucket, 'removed.txt')
  const { data: begun } = (
    await t.admin.call('POST', '/api/s3/presign', {
      body: { s3_config_id: bucket.configId, filename: 'begun.txt', size: 5 },
    })
  ).body
  await putFile(t.admin, '/local/kept.txt', 'kept')
  // A task that has not run when the backup is made.
  await t.ctx.tasks.add({
    type: 'reconcile',
    owner: 'admin',
    payload: { repair: ['objects', 'parts'], graceMinutes: 0 },
  })
  await t.ctx.db
    .insertInto('object_removals')
    .values({
      id: 'planned',
      storage_config_id: bucket.configId,
      storage_key: 'taken-again.txt',
      attempts: 0,
      due_at_ms: 0,
    })
    .execute()
  const saved = join(folder, 'saved')
  const run1 = await run(t, 'backup', [saved])
  if (run1.code !== 0) throw new Error(run1.output)
  await t.ctx.db.deleteFrom('object_removals').execute()
  await t.ctx.db.deleteFrom('tasks').execute()
  await bucket.put('taken-again.txt', 'new')
  const put = await fetch(begun.upload_url, { method: 'PUT', body: 'bytes' })
  const commit = await t.admin.call('POST', '/api/s3/commit', { body: { file_id: begun.file_id } })
  expect([put.status, commit.status]).toEqual([200, 200])
  await inBucket(t, bucket, 'later.txt')
  await t.admin.call('PUT', `/api/admin/files/${extended.id}`, { body: { expires_in: '0' } })
  return { saved, extended, removed }
}

describe.skipIf(inject('s3Gateway') === null)('a server whose data came from a backup', () => {
  describeEachDatabase('with buckets', ({ startApp }) => {
    test('deletes nothing there until an administrator confirms that it replaces the former server', async () => {
      await using t = await startApp({ now: new Date().toISOString() })
      await using bucket = await addS3Mount(t, { mountPath: '/s3' })
      const folder = await mkdtemp(join(tmpdir(), 'dropleaf-restored-'))
      const { saved, removed } = await backedUp(t, bucket, folder)
      expect(await restoredOf(t)).toBeNull()
      const before = await bucket.keys()
      expect(before).toHaveLength(5)
      await t.stop()
      const restore = await run(t, 'restore', [saved, '--force'])
      expect([restore.code, restore.output]).toEqual([
        0,
        expect.stringMatching(/not gone on with: 1 tasks, 1 uploads, 1 deletions/),
      ])
      expect(restore.output).toMatch(/until an administrator confirms/)

      await using later = await t.restart()
      const there = async () =>
        (
          await (
            await later.ctx.storage.driverFor(await configOf(later, bucket))
          ).list({ prefix: '', limit: 100 })
        ).objects.map(({ key }) => key)
      const local = await share(later.admin, 'local.txt', { query: { expires_in: '1' } })
      const gone = await later.admin.call('DELETE', '/api/admin/files/batch-delete', {
        body: { ids: [removed.id] },
      })
      expect(gone.status).toBe(200)
      // Advances the clock past the expiry that the extended share has in the backup, and past the expiry of the
      // upload that was running.
      later.clock.advance({ hours: 20 })
      await later.ctx.jobs.drain()
      await later.ctx.tasks.drain()
      const report = await repairAll(later)
      expect(report.found.objects).toMatchObject({ count: 2, removed: 0 })
      expect((await there()).sort()).toEqual(before.sort())
      // Shares in the data folder, which was restored too, still expire.
      expect((await later.visitor.call('GET', `/api/public/files/${local.slug}`)).status).toBe(410)
      expect(await later.ctx.db.selectFrom('object_removals').select('storage_config_id').execute()).toEqual([
        { storage_config_id: bucket.configId },
        { storage_config_id: bucket.configId },
      ])
      expect(await restoredOf(later)).toEqual({
        savedAt: expect.any(String),
        restoredAt: expect.any(String),
        waitingRemovals: 2,
      })

      const confirmed = await later.admin.call('POST', '/api/admin/restored/confirm')
      expect(confirmed.status).toBe(200)
      await later.ctx.jobs.drain()
      expect(await restoredOf(later)).toBeNull()
      const left = await there()
      expect(left).toHaveLength(3)
      // Uploads that were running during the backup or began later do not count as expired.
      expect(left).toEqual(expect.arrayContaining(['taken-again.txt']))
      expect((await repairAll(later)).found.objects).toMatchObject({ count: 2, removed: 2 })
      expect(await there()).toEqual(['taken-again.txt'])
      await rm(folder, { recursive: true })
    })

    test('a key whose removal is held back can be written again', async () => {
      await using t = await startApp({ now: new Date().toISOString() })
      await using bucket = await addS3Mount(t, { mountPath: '/s3' })
      await t.ctx.db
        .insertInto('settings')
        .values({ key: 'restored_from', value: new Date().toISOString(), updated_at_ms: 0 })
        .execute()
      await putFile(t.admin, '/s3/a.txt', 'old')
      await t.ctx.db
        .insertInto('object_removals')
        .values({
          id: 'x',
          storage_config_id: bucket.configId,
          storage_key: 'a.txt',
          attempts: 0,
          due_at_ms: 0,
        })
        .execute()
      await putFile(t.admin, '/s3/a.txt', 'new')
      await t.admin.call('POST', '/api/admin/restored/confirm')
      await t.ctx.jobs.drain()
      expect(await bucket.text('a.txt')).toBe('new')
    })

    test('counts as restored when an import adds the bucket', async () => {
      await using t = await startApp({ now: new Date().toISOString() })
      await using bucket = await addS3Mount(t, { mountPath: '/s3' })
      await inBucket(t, bucket, 'a.txt')
      const passphrase = 'of this backup'
      const exported = await t.admin.call('POST', '/api/admin/backup/export', { body: { passphrase } })
      await using other = await startApp({ now: new Date().toISOString() })
      const imported = () =>
        other.admin.call('POST', '/api/admin/backup/import', {
          payload: exported.bytes,
          headers: {
            'content-type': 'application/x-ndjson',
            'x-backup-passphrase': encodeURIComponent(passphrase),
          },
        })
      expect((await imported()).status).toBe(200)
      expect(await restoredOf(other)).toMatchObject({ waitingRemovals: 0 })
      await other.admin.call('POST', '/api/admin/restored/confirm')
      // The existing configuration of the bucket is not replaced, so no confirmation is needed.
      expect((await imported()).status).toBe(200)
      expect(await restoredOf(other)).toBeNull()
    })

    test('continues as before if the restore was confirmed', async () => {
      await using t = await startApp({ now: new Date().toISOString() })
      await using bucket = await addS3Mount(t, { mountPath: '/s3' })
      const folder = await mkdtemp(join(tmpdir(), 'dropleaf-restored-'))
      await inBucket(t, bucket, 'over.txt', { expires_in: '1' })
      const saved = join(folder, 'saved')
      expect((await run(t, 'backup', [saved])).code).toBe(0)
      await t.stop()
      expect((await run(t, 'restore', [saved, '--force', '--same-server'])).code).toBe(0)
      await using later = await t.restart()
      expect(await restoredOf(later)).toBeNull()
      later.clock.advance({ hours: 2 })
      await later.ctx.jobs.drain()
      expect(await later.ctx.db.selectFrom('object_removals').selectAll().execute()).toEqual([])
      await rm(folder, { recursive: true })
    })
  })
})

const configOf = (t: TestApp, { configId }: S3Mount) =>
  t.ctx.db.selectFrom('storage_configs').selectAll().where('id', '=', configId).executeTakeFirstOrThrow()

describeEachDatabase('a server that was not restored', ({ startApp }) => {
  test('has nothing to confirm', async () => {
    await using t = await startApp()
    expect(await restoredOf(t)).toBeNull()
    expect((await t.visitor.call('POST', '/api/admin/restored/confirm')).status).toBe(401)
    expect((await t.admin.call('POST', '/api/admin/restored/confirm')).status).toBe(200)
  })
})
