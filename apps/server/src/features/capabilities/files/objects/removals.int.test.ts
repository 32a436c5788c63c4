import { rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { StorageError } from '@dropleaf/storage'
import { expect, test } from 'vitest'
import { describeOneDatabase } from '../../../../testing/app.ts'
import { filesOnDisk, share } from '../../../../testing/files.ts'
import { mountSecondDisk, putFile } from '../../../../testing/fs.ts'
import { localDisk } from '../../../../testing/storages.ts'

describeOneDatabase('sqlite', 'removals', ({ startApp }) => {
  test('objects that cannot be removed now are removed later', async () => {
    await using t = await startApp()
    const { id, slug } = await share(t.admin, 'a.txt')
    expect(await filesOnDisk(t)).toHaveLength(1)
    const folder = join(t.dataDir, 'storage', 'local')
    await rename(folder, `${folder}-away`)
    const gone = await t.admin.call('DELETE', '/api/admin/files/batch-delete', { body: { ids: [id] } })
    expect(gone.status).toBe(200)
    await t.ctx.jobs.drain()
    expect((await t.visitor.call('GET', `/api/public/files/${slug}`)).status).toBe(404)
    await rename(`${folder}-away`, folder)
    for (let hours = 0; hours < 24 && (await filesOnDisk(t)).length > 0; hours += 1) {
      t.clock.advance({ hours: 1 })
      await t.ctx.jobs.drain()
    }
    expect(await filesOnDisk(t)).toEqual([])

    // An available storage can also refuse a deletion.
    const driver = await (await localDisk(t)).driver()
    const remove = driver.remove.bind(driver)
    const { id: kept } = await share(t.admin, 'b.txt')
    const error = new StorageError('storage.denied', 'It is kept.')
    driver.remove = async (keys) => ({ removed: 0, failed: keys.map((key) => ({ key, error })) })
    await t.admin.call('DELETE', '/api/admin/files/batch-delete', { body: { ids: [kept] } })
    await t.ctx.jobs.drain()
    expect(await filesOnDisk(t)).toHaveLength(1)
    driver.remove = remove
    t.clock.advance({ hours: 1 })
    await t.ctx.jobs.drain()
    expect(await filesOnDisk(t)).toEqual([])
  })

  test('an unavailable storage prevents neither the sweep of others nor the start of the server', async () => {
    await using t = await startApp()
    const folder = join(t.dataDir, 'storage', 'local')
    await t.admin.call('POST', '/api/paste', { body: { content: 'x', slug: 'over', maxViews: 1 } })
    await rename(folder, `${folder}-away`)
    await writeFile(folder, 'what is no folder')
    await t.ctx.jobs.drain()
    await using again = await t.restart()
    expect((await again.visitor.call('GET', '/api/raw/over')).text).toBe('x')
    const refused = await again.admin.call('PUT', '/api/upload-direct/a.txt', { payload: 'x' })
    expect(refused.status).toBeGreaterThanOrEqual(400)
    await rm(folder)
    await rename(`${folder}-away`, folder)
    expect((await share(again.admin, 'b.txt')).filename).toBe('b.txt')
  })

  test('a storage that does not respond does not delay removals from others', async () => {
    await using t = await startApp()
    await mountSecondDisk(t.admin)
    const second = await t.ctx.db
      .selectFrom('storage_configs')
      .selectAll()
      .where('name', '=', 'Second')
      .executeTakeFirstOrThrow()
    const silent = await share(t.admin, 'silent.txt', { query: { s3_config_id: second.id } })
    const other = await share(t.admin, 'other.txt')
    const driver = await t.ctx.storage.driverFor(second)
    const remove = driver.remove.bind(driver)
    const answers = Promise.withResolvers<void>()
    driver.remove = async (keys, o) => {
      await answers.promise
      return remove(keys, o)
    }
    const drop = (id: string) =>
      t.admin.call('DELETE', '/api/admin/files/batch-delete', { body: { ids: [id] } })
    await drop(silent.id)
    await drop(other.id)
    await expect.poll(() => filesOnDisk(t)).toEqual([])
    answers.resolve()
    await t.ctx.jobs.settle()
    expect(await t.ctx.db.selectFrom('object_removals').selectAll().execute()).toEqual([])
  })

  test('a removal that is planned at the end of a run is not left to the next sweep', async () => {
    await using t = await startApp()
    const [one, two] = [await share(t.admin, 'one.txt'), await share(t.admin, 'two.txt')]
    const drop = (id: string) =>
      t.admin.call('DELETE', '/api/admin/files/batch-delete', { body: { ids: [id] } })
    const { database } = t.ctx as unknown as {
      database: Record<'exclusively', typeof t.ctx.database.exclusively>
    }
    const exclusively = database.exclusively.bind(database)
    let isFirst = true
    database.exclusively = (name, work) =>
      exclusively(name, async () => {
        const result = await work()
        if (isFirst) {
          isFirst = false
          await drop(two.id)
        }
        return result
      })
    await drop(one.id)
    await t.ctx.jobs.settle()
    expect(await filesOnDisk(t)).toEqual([])
  })

  test('deleting a file deletes only its own share, not those with the same path prefix or in other storages', async () => {
    await using t = await startApp()
    const key = await t.keyClient({ mount_permission: true, file_permission: true, basic_path: '/local/a' })
    const paths = ['/local/a/b', '/local/a/bc', '/local/a/b.txt', '/local/ab', '/local/b']
    const slugs: string[] = []
    for (const path of paths) {
      await putFile(t.admin, path)
      slugs.push((await t.admin.call('POST', '/api/fs/share', { body: { path } })).body.data.slug)
    }
    const removed = await key.call('DELETE', '/api/fs/batch-remove', { body: { paths: ['/local/a/b'] } })
    expect(removed.status).toBe(200)
    await t.ctx.tasks.drain()
    const statuses = []
    for (const slug of slugs) statuses.push((await t.visitor.call('GET', `/api/file-view/${slug}`)).status)
    expect(statuses).toEqual([404, 200, 200, 200, 200])
  })
})
