import { expect, inject, test } from 'vitest'
import type { TestClient } from '../../../../testing/app.ts'
import { share } from '../../../../testing/files.ts'
import { putFile } from '../../../../testing/fs.ts'
import {
  addS3Mount,
  describeEachStorage,
  moveShareTo,
  type StorageTestApp,
} from '../../../../testing/storages.ts'
import { objectKeyFor } from '../../../foundation/share-objects/share-keys.models.ts'

const BYTES = 'bytes-of-a-protected-share'
const OLD_KEY = 'old/Größe.txt'.normalize('NFC')

/** Creates a password-protected share whose object is outside the folder of shares, as earlier versions did. */
async function oldShare(t: StorageTestApp): Promise<void> {
  const query = { s3_config_id: t.storage.configId, password: 'correct-horse', slug: 'older' }
  await share(t.admin, 'named.txt', { bytes: BYTES, query })
  await moveShareTo(t, t.storage, { slug: 'older', key: OLD_KEY })
}

const listPage = async (client: TestClient, path: string, cursor?: string) => {
  const query = { path, limit: '1', refresh: '1', ...(cursor === undefined ? {} : { cursor }) }
  return (await client.call('GET', '/api/fs/list', { query })).body.data
}

describeEachStorage('indirect access to objects of shares', ({ startApp, mountPath, kind }) => {
  test('a copy between storages gets no URL to overwrite an object; the other files are copied', async () => {
    await using t = await startApp()
    await oldShare(t)
    await using other = await addS3Mount(t, { mountPath: '/other' })
    const client = await t.keyClient({ mount_permission: true })
    await putFile(client, `/other/src/${OLD_KEY.slice(4)}`, 'INTRUDER')
    await putFile(client, '/other/src/b.txt', 'b')
    const items = [{ sourcePath: '/other/src/', targetPath: `${mountPath}/old/` }]
    const body = { items, conflict: 'overwrite' }
    const { body: answer } = await client.call('POST', '/api/fs/batch-copy', { body })
    const planned = answer.data.crossStorageResults.flatMap((result: { items: object[] }) => result.items)
    expect(planned.map((item: { targetKey: string }) => item.targetKey)).toEqual(['old/b.txt'])
    expect(JSON.stringify(answer.data.failed)).toContain('fs.path_reserved')
    expect(await t.storage.text(OLD_KEY)).toBe(BYTES)
    expect(await other.text('src/b.txt')).toBe('b')
  })

  test.skipIf(kind === 's3')(
    'a URL that was issued before the share was created cannot overwrite its object',
    async () => {
      await using t = await startApp()
      await using _other = await addS3Mount(t, { mountPath: '/other' })
      const client = await t.keyClient({ mount_permission: true })
      await putFile(client, '/other/a.txt', 'INTRUDER')
      const items = [{ sourcePath: '/other/a.txt', targetPath: `${mountPath}/${OLD_KEY}` }]
      const { body: answer } = await client.call('POST', '/api/fs/batch-copy', { body: { items } })
      const { uploadUrl } = answer.data.crossStorageResults[0]
      await oldShare(t)
      const { pathname, search } = new URL(uploadUrl)
      const put = await t.visitor.call('PUT', pathname + search, { payload: 'INTRUDER' })
      expect([put.status, put.body.error.code]).toEqual([403, 'storage.link_invalid'])
      expect(await t.storage.text(OLD_KEY)).toBe(BYTES)
    },
  )

  test('pages of a listing exclude objects and have no gap for them', async () => {
    await using t = await startApp()
    await oldShare(t)
    await t.storage.put('old/z.txt', 'z')
    const client = await t.keyClient({ mount_permission: true })
    const first = await listPage(client, `${mountPath}/old/`)
    expect(first.items.map(({ name }: { name: string }) => name)).toEqual(['z.txt'])
    await t.storage.put('old/A.txt', 'a')
    const { items, next_cursor: cursor } = await listPage(client, `${mountPath}/old/`)
    expect(items.map(({ name }: { name: string }) => name)).toEqual(['A.txt'])
    expect(Buffer.from(cursor, 'base64url').toString('latin1')).not.toContain('old')
    expect((await listPage(client, `${mountPath}/old/`, cursor)).items).toHaveLength(1)
  })

  test('another spelling of an object’s key is also reserved', async () => {
    await using t = await startApp()
    await oldShare(t)
    const client = await t.keyClient({ mount_permission: true })
    const path = `${mountPath}/${OLD_KEY.normalize('NFD')}`
    const put = await client.call('PUT', '/api/fs/upload', { query: { path }, payload: 'twin' })
    expect([put.status, put.body.error.code]).toEqual([403, 'fs.path_reserved'])
  })

  test('another spelling of an object that only its mark identifies is also reserved', async () => {
    await using t = await startApp()
    const maker = { configId: t.storage.configId, sign: (text: string) => t.ctx.secrets.sign(text) }
    const key = objectKeyFor({ maker, folders: ['old'], filename: 'Größe.txt', keepsName: false })
    await t.storage.put(key, BYTES)
    const client = await t.keyClient({ mount_permission: true })
    for (const form of ['NFC', 'NFD']) {
      const path = `${mountPath}/${key.normalize(form)}`
      const put = await client.call('PUT', '/api/fs/upload', { query: { path }, payload: 'twin' })
      expect([form, put.status, put.body.error.code]).toEqual([form, 403, 'fs.path_reserved'])
    }
  })

  test('an object of a deleted share stays hidden until its storage has removed it', async () => {
    await using t = await startApp()
    await oldShare(t)
    const driver = await t.storage.driver()
    driver.remove = () => Promise.reject(new Error('This storage removes nothing.'))
    const { data } = (await t.admin.call('GET', '/api/admin/files')).body
    const ids = data.files.map(({ id }: { id: string }) => id)
    await t.admin.call('DELETE', '/api/admin/files/batch-delete', { body: { ids } })
    const client = await t.keyClient({ mount_permission: true })
    const read = await client.call('GET', '/api/fs/download', { query: { path: `${mountPath}/${OLD_KEY}` } })
    expect(read.status).toBe(404)
    expect(await t.storage.text(OLD_KEY)).toBe(BYTES)
  })

  test('a folder with only objects of shares counts as empty', async () => {
    await using t = await startApp()
    await oldShare(t)
    const client = await t.keyClient({ mount_permission: true })
    const path = `${mountPath}/old/`
    const seen = [
      await client.call('GET', '/api/fs/list', { query: { path } }),
      await client.call('GET', '/api/fs/get', { query: { path } }),
    ]
    expect(seen.map((answer) => answer.status)).toEqual([200, 200])
    expect(seen[0]?.body.data.items).toEqual([])
    expect(await t.storage.text(OLD_KEY)).toBe(BYTES)
  })

  test.skipIf(kind === 'disk' || inject('s3Gateway') === null)(
    'a bucket that is configured twice shows the objects through neither configuration',
    async () => {
      await using t = await startApp()
      await oldShare(t)
      const gateway = inject('s3Gateway')
      const config = await t.ctx.db
        .selectFrom('storage_configs')
        .selectAll()
        .where('id', '=', t.storage.configId)
        .executeTakeFirstOrThrow()
      const again = await t.admin.call('POST', '/api/s3-configs', {
        body: {
          name: 'again',
          provider_type: 'Other',
          endpoint_url: config.endpoint_url,
          bucket_name: config.bucket_name,
          access_key_id: gateway?.accessKeyId,
          secret_access_key: gateway?.secretAccessKey,
          path_style: true,
          is_public: true,
        },
      })
      await t.admin.call('POST', '/api/admin/mounts', {
        body: {
          name: 'again',
          storage_type: 'S3',
          storage_config_id: again.body.data.id,
          mount_path: '/again',
        },
      })
      await t.storage.put('old/own.txt', 'own')
      const client = await t.keyClient({ mount_permission: true })
      const { data } = (await client.call('GET', '/api/fs/list', { query: { path: '/again/old/' } })).body
      expect(data.items.map(({ name }: { name: string }) => name)).toEqual(['own.txt'])
      const read = await client.call('GET', '/api/fs/download', { query: { path: `/again/${OLD_KEY}` } })
      expect(read.status).toBe(404)
      await client.call('DELETE', '/api/fs/batch-remove', {
        body: { paths: ['/again/old/'] },
      })
      expect(await t.storage.text(OLD_KEY)).toBe(BYTES)
    },
  )
})
