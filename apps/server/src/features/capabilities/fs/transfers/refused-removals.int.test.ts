import { expect, test } from 'vitest'
import { basic, driveAt, listen } from '../../../../testing/drive.ts'
import { addRefusingBucket, nameOfRefusal, REFUSALS } from '../../../../testing/refusing-bucket.ts'
import { describeOneStorage } from '../../../../testing/storages.ts'

const named = REFUSALS.map((refusal) => [nameOfRefusal(refusal), refusal] as const)
const among = (...names: string[]) => named.filter(([name]) => names.includes(name))

describeOneStorage('s3', 'a bucket that removes nothing', ({ startApp }) => {
  test.each(named)(
    'a removal names the files that the storage refused to delete, and deletes the others (%s)',
    async (_name, refusal) => {
      await using t = await startApp()
      await using bucket = await addRefusingBucket(t, { mountPath: '/nd', refusal })
      await bucket.put('x.txt', 'x')
      await bucket.put('folder/a.txt', 'a')
      await t.storage.put('y.txt', 'y')
      const paths = ['/nd/x.txt', '/nd/folder/', `${t.storage.mountPath}/y.txt`]
      const { status, body } = await t.admin.call('DELETE', '/api/fs/batch-remove', { body: { paths } })
      expect(status).toBe(200)
      expect(body.data.success).toBe(1)
      const failed = body.data.failed.map(({ path }: { path: string }) => path)
      expect(failed.toSorted()).toEqual(['/nd/folder/', '/nd/x.txt'])
      for (const { error } of body.failed) expect(error).toMatch(/\w/)
      expect(await t.storage.keys()).toEqual([])
      expect(await bucket.keys()).toEqual(['folder/a.txt', 'x.txt'])
    },
  )

  test.each(among('403', '405', '503'))(
    'the drive answers a refused removal with the status of the resource (%s)',
    async (_name, refusal) => {
      await using t = await startApp()
      await using bucket = await addRefusingBucket(t, { mountPath: '/nd', refusal })
      const { key } = await t.keyClient({ mount_permission: true })
      const drive = driveAt(await listen(t), basic('anyone', key))
      for (const name of ['x.txt', 'folder/a.txt', 'folder/b.txt']) await bucket.put(name, name)
      expect((await drive.call('DELETE', '/nd/x.txt')).status).toBe(502)
      expect((await drive.call('DELETE', '/nd/folder/')).status).toBe(502)
      expect(await bucket.keys()).toEqual(['folder/a.txt', 'folder/b.txt', 'x.txt'])
      const destination = (name: string) => ({ headers: { destination: `/dav/nd/${name}` } })
      expect((await drive.call('MOVE', '/nd/x.txt', destination('moved.txt'))).status).toBe(502)
      expect((await drive.call('MOVE', '/nd/folder/', destination('moved/'))).status).toBe(502)
      expect(await bucket.keys()).toEqual(['folder/a.txt', 'folder/b.txt', 'x.txt'])
      bucket.refuse(null)
      expect((await drive.call('MOVE', '/nd/x.txt', destination('moved.txt'))).status).toBe(201)
      expect((await drive.call('MOVE', '/nd/folder/', destination('moved/'))).status).toBe(201)
      expect(await bucket.keys()).toEqual(expect.arrayContaining(['moved.txt', 'moved/a.txt', 'moved/b.txt']))
      expect(await bucket.keys()).not.toContain('x.txt')
    },
  )

  test.each(among('403', '400'))(
    'a move whose source cannot be deleted at its end leaves no copy, and its share stays (%s)',
    async (_name, refusal) => {
      await using t = await startApp()
      await using bucket = await addRefusingBucket(t, { mountPath: '/nd' })
      await bucket.put('x.txt', 'x')
      const shared = await t.admin.call('POST', '/api/fs/share', { body: { path: '/nd/x.txt' } })
      expect(shared.status).toBe(201)
      const driver = await bucket.driver()
      const remove = driver.remove.bind(driver)
      driver.remove = (keys, o) => {
        // The bucket allows the removal probe, but refuses to remove `x.txt`.
        bucket.refuse(keys.includes('x.txt' as never) ? refusal : null)
        return remove(keys, o)
      }
      const items = [{ sourcePath: '/nd/x.txt', targetPath: `${t.storage.mountPath}/x.txt` }]
      const { body } = await t.admin.call('POST', '/api/fs/batch-move', { body: { items } })
      expect(body.data).toMatchObject({ success: 0, failed: 1 })
      expect(body.data.details[0].code).toMatch(/^storage\./)
      expect(await t.storage.keys()).toEqual([])
      expect(await bucket.keys()).toEqual(['x.txt'])
      const { slug } = shared.body.data
      expect((await t.visitor.call('GET', `/api/public/files/${slug}`)).status).toBe(200)
      driver.remove = remove
      bucket.refuse(null)
      const again = await t.admin.call('POST', '/api/fs/batch-move', { body: { items } })
      expect(again.body.data).toMatchObject({ success: 1, failed: 0 })
      expect(await t.storage.keys()).toEqual(['x.txt'])
      expect(await bucket.keys()).toEqual([])
      expect((await t.visitor.call('GET', `/api/public/files/${slug}`)).status).toBe(200)
    },
  )
})
