import { gunzipSync, gzipSync } from 'node:zlib'
import { expect, inject, test } from 'vitest'
import { basic, listen } from '../../../../testing/drive.ts'
import { addS3Mount, describeOneStorage } from '../../../../testing/storages.ts'

const JSON_TEXT = JSON.stringify({ greeting: '你好', many: 'x'.repeat(500) })

describeOneStorage('s3', 'objects that are stored as gzip', ({ startApp }) => {
  test.skipIf(inject('s3Gateway') === null)(
    'are sent with their encoding by downloads, shares and the drive, so that clients decode them',
    async () => {
      await using t = await startApp()
      await using storage = await addS3Mount(t, { mountPath: '/gz' })
      const { s3, bucket } = storage.bucket
      const Body = gzipSync(JSON_TEXT)
      const stored = { ContentEncoding: 'gzip', ContentType: 'application/json' }
      await s3.putObject({ Bucket: bucket, Key: 'data.json', Body, ...stored })
      const path = '/gz/data.json'
      const whole = await t.admin.call('GET', '/api/fs/download', { query: { path } })
      expect(whole.headers).toMatchObject({
        'content-encoding': 'gzip',
        'content-length': String(Body.length),
      })
      expect(gunzipSync(whole.bytes).toString()).toBe(JSON_TEXT)
      const headers = { range: 'bytes=2-9' }
      const part = await t.admin.call('GET', '/api/fs/download', { query: { path }, headers })
      expect([part.status, part.headers['content-encoding']]).toEqual([206, 'gzip'])
      expect(part.bytes).toEqual(Body.subarray(2, 10))
      const { key } = await t.keyClient({ mount_permission: true })
      // `fetch` decodes the body, because the response has a `Content-Encoding` header.
      const url = `${await listen(t)}${path}`
      const authorization = basic('anyone', key)
      expect(await (await fetch(url, { headers: { authorization } })).text()).toBe(JSON_TEXT)
      const { data } = (await t.admin.call('POST', '/api/fs/share', { body: { path } })).body
      const shared = await t.visitor.call('GET', `/api/file-download/${data.slug}`)
      expect(shared.headers['content-encoding']).toBe('gzip')
      expect(gunzipSync(shared.bytes).toString()).toBe(JSON_TEXT)
    },
  )
})
