import { parseStorageKey } from '@dropleaf/storage'
import { expect, inject, test } from 'vitest'
import { describeEachDatabase } from '../testing/app.ts'
import { share } from '../testing/files.ts'
import { addS3Mount, describeEachStorage } from '../testing/storages.ts'

describeEachStorage('a share on each storage', ({ startApp, kind }) => {
  test('is uploaded with a signed URL, and downloaded with another', async () => {
    await using t = await startApp()
    const { configId } = t.storage
    const file = { s3_config_id: configId, filename: '文件 +1.txt', mimetype: 'text/plain' }
    const { data } = (await t.admin.call('POST', '/api/s3/presign', { body: file })).body
    if (kind === 's3') {
      const put = await fetch(data.upload_url, { method: 'PUT', body: 'its text' })
      expect(put.status).toBe(200)
    } else {
      const path = new URL(data.upload_url).pathname + new URL(data.upload_url).search
      expect((await t.visitor.call('PUT', path, { payload: 'its text' })).status).toBe(200)
    }
    const done = await t.admin.call('POST', '/api/s3/commit', { body: { file_id: data.file_id } })
    expect(done.body.data).toMatchObject({ size: 8, filename: '文件 +1.txt' })
    const read = await t.visitor.call('GET', `/api/file-download/${done.body.data.slug}`)
    expect(read.text).toBe('its text')
    const [key = ''] = await t.storage.keys()
    expect(await t.storage.text(key)).toBe('its text')
    await t.admin.call('DELETE', '/api/admin/files/batch-delete', { body: { ids: [data.file_id] } })
    await t.ctx.jobs.drain()
    expect(await t.storage.keys()).toEqual([])
  })

  test('is uploaded through the server', async () => {
    await using t = await startApp()
    const file = await share(t.admin, 'a.bin', {
      bytes: Buffer.alloc(3_000_000, 7),
      query: { s3_config_id: t.storage.configId },
    })
    expect(await t.storage.keys()).toHaveLength(1)
    const read = await t.visitor.call('GET', `/api/file-view/${file.slug}`, {
      headers: { range: 'bytes=2999990-' },
    })
    expect([read.status, read.bytes]).toEqual([206, Buffer.alloc(10, 7)])
  })
})

describeEachDatabase('drivers of S3 storages', ({ startApp }) => {
  test.skipIf(inject('s3Gateway') === null)(
    'a custom host serves downloads, active types only as attachments, and never uploads [s3]',
    async () => {
      await using t = await startApp({ now: new Date().toISOString() })
      await using s3 = await addS3Mount(t, { mountPath: '/s3', customHost: 'https://cdn.test/' })
      const { links } = await s3.driver()
      const key = parseStorageKey('a b.txt')
      const base = `https://cdn.test/${s3.bucket.bucket}/a%20b.txt`
      const hour = { expiresInSeconds: 3600 }
      expect(await links.get(key, { ...hour, contentDisposition: 'inline; filename="a"' })).toBe(base)
      const saved = new URL(await links.get(key, { ...hour, contentDisposition: 'attachment; filename="a"' }))
      expect(saved.origin + saved.pathname).toBe(base)
      expect(saved.searchParams.get('X-Amz-Signature')).toMatch(/^[0-9a-f]{64}$/)
      for (const [name, contentType] of [
        ['a.html', 'text/html; charset=UTF-8'],
        ['a.svg', 'image/svg+xml'],
        ['a.xhtml', 'application/xhtml+xml'],
        ['a.xml', 'text/plain'],
        ['unnamed', 'text/html'],
      ] as const) {
        const active = { ...hour, contentType, contentDisposition: `inline; filename="${name}"` }
        const address = new URL(await links.get(parseStorageKey(name), active))
        expect([name, address.searchParams.get('response-content-disposition')]).toEqual([
          name,
          `attachment; filename="${name}"`,
        ])
      }
      const gateway = new URL(inject('s3Gateway')?.endpointUrl ?? '').host
      expect(new URL(await links.get(key, hour)).host).toBe(gateway)
      expect(new URL(await links.put(key, hour)).host).toBe(gateway)
    },
  )

  test('a storage whose credentials cannot be decrypted is unavailable, not an internal error', async () => {
    await using t = await startApp()
    const { id } = await t.ctx.db.selectFrom('storage_configs').select('id').executeTakeFirstOrThrow()
    const change = {
      provider_type: 'AWS S3',
      endpoint_url: 'https://s3.eu-west-1.amazonaws.com',
      access_key_id_sealed: 'v1.AAAA',
    }
    await t.ctx.db.updateTable('storage_configs').set(change).where('id', '=', id).execute()
    const answer = await t.admin.call('PUT', '/api/upload-direct/a.txt', { payload: 'x' })
    expect([answer.status, answer.body.error.code]).toEqual([502, 'storage.denied'])
  })
})
