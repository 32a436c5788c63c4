import { randomUUID } from 'node:crypto'
import { temporaryBucket } from '@dropleaf/storage/testing'
import { describe, expect, inject, test } from 'vitest'
import { describeEachDatabase } from '../../../testing/app.ts'
import { readAddress, share } from '../../../testing/files.ts'
import { importOld, oldConfig, stamps } from '../../../testing/cloudpaste.ts'
import { isLost, storedShares } from '../../capabilities/files/objects/stray-objects.usecases.ts'
import { confirmRestored } from '../../foundation/restored/restored.usecases.ts'
import { driverOf, getConfig } from '../../foundation/storage-configs/storage-configs.usecases.ts'

/** Keys of CloudPaste with leading or double slashes, and with names that CloudPaste allowed. */
const KEYS = [
  '/docs/Ab12Cd-a.txt',
  'files//docs/Ab12Cd-b.txt',
  '//x//Ab12Cd-照片 +%.txt',
  `${'long'.repeat(100)}/Ab12Cd-c.txt`,
]
const plainOf = (key: string) => key.replace(/^\/+/, '').replaceAll(/\/+/g, '/')

describeEachDatabase('such keys on the local disk', ({ startApp }) => {
  test.each(['/a.txt', 'in//a.txt', 'in/../../dropleaf.db'])(
    '%j is refused, and leads to no other file',
    async (storage_key) => {
      await using t = await startApp()
      const { id, slug } = await share(t.admin, 'a.txt')
      await t.ctx.db.updateTable('files').set({ storage_key }).where('id', '=', id).execute()
      const { status, body } = await t.visitor.call('GET', `/api/file-download/${slug}`)
      expect([status, body.error.code]).toEqual([400, 'file.path_invalid'])
    },
  )
})

describe.skipIf(inject('s3Gateway') === null)('object keys of CloudPaste', () => {
  describeEachDatabase('that begin with a slash, or have two in a row', ({ startApp }) => {
    test('are read and deleted unchanged, beside the keys without such slashes', async () => {
      await using bucket = await temporaryBucket()
      await using t = await startApp({ now: new Date().toISOString() })
      const stored = async (Key: string) => {
        const { Body } = await bucket.s3.getObject({ Bucket: bucket.bucket, Key })
        return Body?.transformToString()
      }
      for (const key of KEYS) {
        await bucket.s3.putObject({ Bucket: bucket.bucket, Key: key, Body: `old ${key}` })
        if (plainOf(key) !== key)
          await bucket.s3.putObject({ Bucket: bucket.bucket, Key: plainOf(key), Body: 'another' })
      }
      const config = oldConfig(bucket.bucket)
      const configId = config.id
      const outcome = await importOld(t, (insert) => {
        insert('s3_configs', config)
        for (const [index, storage_path] of KEYS.entries())
          insert('files', {
            id: randomUUID(),
            filename: 'a.txt',
            storage_path,
            s3_config_id: configId,
            slug: `old-${index}`,
            mimetype: 'text/plain',
            size: Buffer.byteLength(`old ${storage_path}`),
            use_proxy: index % 2,
            created_by: 'admin',
            ...stamps,
          })
      })
      expect([outcome.unfit, outcome.result.imported.file]).toEqual([[], KEYS.length])
      for (const [index, key] of KEYS.entries()) {
        const slug = `old-${index}`
        const whole = await t.visitor.call('GET', `/api/file-download/${slug}`)
        expect([whole.status, whole.text]).toEqual([200, `old ${key}`])
        const part = await t.visitor.call('GET', `/api/file-view/${slug}`, {
          headers: { range: 'bytes=4-' },
        })
        expect([part.status, part.text]).toEqual([206, key])
        const head = await t.visitor.call('HEAD', `/api/file-download/${slug}`)
        expect([head.status, head.headers['content-length']]).toEqual([
          200,
          String(Buffer.byteLength(`old ${key}`)),
        ])
        const { body } = await t.visitor.call('GET', `/api/public/files/${slug}`)
        for (const link of [body.data.s3_direct_preview_url, body.data.s3_direct_download_url]) {
          const direct = await readAddress(t.visitor, link)
          expect([direct.status, direct.text]).toEqual([200, `old ${key}`])
        }
      }

      const driver = await driverOf(t.ctx, await getConfig(t.ctx, configId))
      const shares = await storedShares(t.ctx, configId, { afterId: '', limit: 10 })
      const lost = await Promise.all(shares.map((share) => isLost(t.ctx, configId, { driver, share })))
      expect(lost).toEqual(KEYS.map(() => false))

      await confirmRestored(t.ctx)
      const listed = await t.admin.call('GET', '/api/admin/files')
      const ids = listed.body.data.files.map((file: { id: string }) => file.id)
      const gone = await t.admin.call('DELETE', '/api/admin/files/batch-delete', { body: { ids } })
      expect(gone.body.data).toMatchObject({ success: KEYS.length, failed: [] })
      await t.ctx.jobs.drain()
      for (const key of KEYS) {
        await expect(stored(key)).rejects.toMatchObject({ name: 'NoSuchKey' })
        if (plainOf(key) !== key) expect(await stored(plainOf(key))).toBe('another')
      }
    })
  })
})
