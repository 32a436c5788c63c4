import { expect, test } from 'vitest'
import type { TestClient } from '../../../testing/app.ts'
import { pathOf, readAddress, share } from '../../../testing/files.ts'
import { putFile } from '../../../testing/fs.ts'
import { describeEachStorage, type StorageTestApp } from '../../../testing/storages.ts'

/** Makes the URLs of a share's bytes invalid. */
type Life = (t: StorageTestApp, o: { slug: string; id: string; keyId: string }) => Promise<unknown>

const change =
  (body: object): Life =>
  (t, { id }) =>
    t.admin.call('PUT', `/api/admin/files/${id}`, { body })
const changeKey =
  (body: object): Life =>
  (t, { keyId }) =>
    t.admin.call('PUT', `/api/admin/api-keys/${keyId}`, { body })
const closeMount: Life = (t) =>
  t.admin.call('PUT', `/api/admin/mounts/${t.storage.mountId}`, { body: { is_active: false } })
const closeStorage: Life = (t) =>
  t.admin.call('PUT', `/api/s3-configs/${t.storage.configId}`, { body: { is_public: false } })

const LIVES: Readonly<Record<string, Life>> = {
  'it is deleted': (t, { id }) =>
    t.admin.call('DELETE', '/api/admin/files/batch-delete', { body: { ids: [id] } }),
  'it expires': async (t, o) => {
    await change({ expires_in: 1 })(t, o)
    t.clock.advance({ hours: 1, seconds: 1 })
  },
  'it gets a password': change({ password: 'new password' }),
  'its limit is used': async (t, o) => {
    await change({ max_views: 1 })(t, o)
    await t.visitor.call('GET', `/api/public/files/${o.slug}`)
  },
  'the storage is closed to keys': closeStorage,
  'the key is deleted': (t, { keyId }) => t.admin.call('DELETE', `/api/admin/api-keys/${keyId}`),
  'the key loses the right': changeKey({ file_permission: false }),
}

/** Includes the cases that apply only to shares of files in a mount. */
const LINKED_LIVES: Readonly<Record<string, Life>> = {
  ...LIVES,
  'the mount is switched off': closeMount,
  'the key loses its mounts': changeKey({ mount_permission: false }),
  'the key may use another folder only': changeKey({ basic_path: '/elsewhere' }),
}

const BYTES = 'bytes of a share'
const SHORT = 600

async function sharedBy(client: TestClient, t: StorageTestApp, isLinked: boolean) {
  if (!isLinked)
    return share(client, 'a.txt', {
      bytes: BYTES,
      query: { s3_config_id: t.storage.configId, use_proxy: '0' },
    })
  const path = `${t.storage.mountPath}/a.txt`
  await putFile(client, path, BYTES)
  const answer = await client.call('POST', '/api/fs/share', { body: { path, use_proxy: false } })
  return answer.body.data
}

const publicOf = async (t: StorageTestApp, slug: string) =>
  (await t.visitor.call('GET', `/api/public/files/${slug}`)).body.data

describeEachStorage('an address of the bytes of a share', ({ startApp, kind }) => {
  for (const [isLinked, lives] of [
    [false, LIVES],
    [true, LINKED_LIVES],
  ] as const)
    test.each(Object.entries(lives))(
      `of ${isLinked ? 'a file in a mount' : 'an uploaded file'} ends when %s`,
      async (_, end) => {
        await using t = await startApp()
        const key = await t.keyClient({ file_permission: true, mount_permission: true, basic_path: '/' })
        const { slug, id } = await sharedBy(key, t, isLinked)
        const data = await publicOf(t, slug)
        for (const address of [data.s3_direct_preview_url, data.s3_direct_download_url]) {
          expect(pathOf(address)).toContain('/api/storage/')
          expect(await readAddress(t.visitor, address)).toMatchObject({ status: 200, text: BYTES })
        }
        await end(t, { slug, id: id ?? data.id, keyId: key.id })
        for (const address of [data.s3_direct_preview_url, data.s3_direct_download_url]) {
          const answer = await t.visitor.call('GET', pathOf(address))
          expect([answer.status, answer.text.includes(BYTES)]).toEqual([403, false])
        }
      },
    )

  test('does not redirect to a bucket if a password, a view limit or the owner requires control', async () => {
    await using t = await startApp()
    await t.admin.call('PUT', `/api/s3-configs/${t.storage.configId}`, {
      body: { signature_expires_in: SHORT },
    })
    const query = { s3_config_id: t.storage.configId, use_proxy: '0' }
    const open = await share(t.admin, 'open.txt', { bytes: BYTES, query })
    const isBucket = (url: string) => !pathOf(url).startsWith('/api/')
    const { s3_direct_preview_url: direct, previewUrl } = await publicOf(t, open.slug)
    expect([isBucket(direct), previewUrl]).toEqual([kind === 's3', direct])
    if (kind === 's3')
      expect(Number(new URL(direct).searchParams.get('X-Amz-Expires'))).toBeLessThanOrEqual(900)
    for (const control of [{ use_proxy: '1' }, { max_views: '5' }]) {
      const { slug } = await share(t.admin, 'a.txt', { bytes: BYTES, query: { ...query, ...control } })
      const data = await publicOf(t, slug)
      const addresses = Object.values(data).filter((value) => String(value).startsWith('http')) as string[]
      expect(addresses.length).toBeGreaterThan(3)
      expect([control, addresses.filter(isBucket)]).toEqual([control, []])
      for (const address of addresses) expect((await t.visitor.call('GET', pathOf(address))).text).toBe(BYTES)
    }
    const { slug } = await share(t.admin, 'a.txt', { bytes: BYTES, query: { ...query, password: 'secret' } })
    const unlocked = await t.visitor.call('POST', `/api/public/files/${slug}/verify`, {
      body: { password: 'secret' },
    })
    expect(unlocked.text.match(/"https?:[^"]+"/g)?.filter((url) => isBucket(url.slice(1, -1)))).toEqual([])
  })

  test('of a file in a mount becomes invalid with the mount, for every owner', async () => {
    await using t = await startApp()
    const path = `${t.storage.mountPath}/a.txt`
    await putFile(t.admin, path, BYTES)
    const key = await t.keyClient({ mount_permission: true, basic_path: '/' })
    const addresses = []
    for (const client of [t.admin, key]) {
      const link = await client.call('GET', '/api/fs/file-link', { query: { path, expires_in: '3600' } })
      const entry = await client.call('GET', '/api/fs/get', { query: { path } })
      addresses.push(link.body.data.presignedUrl ?? link.body.data.url, entry.body.data.preview_url)
    }
    for (const address of addresses)
      expect(await readAddress(t.visitor, address)).toMatchObject({ status: 200, text: BYTES })
    await closeMount(t, { slug: '', id: '', keyId: '' })
    for (const address of addresses) expect((await t.visitor.call('GET', pathOf(address))).status).toBe(403)
  })

  const moveMount: Life = (t) =>
    t.admin.call('PUT', `/api/admin/mounts/${t.storage.mountId}`, { body: { mount_path: '/elsewhere' } })
  const coverFile: Life = (t) =>
    t.admin.call('POST', '/api/admin/mounts', {
      body: {
        name: 'cover',
        storage_type: 'S3',
        storage_config_id: t.storage.configId,
        mount_path: `${t.storage.mountPath}/in`,
      },
    })

  test.runIf(kind === 'disk').each([
    ['the mount is switched off', closeMount],
    ['the mount moves out of the folder of the key', moveMount],
  ])('by which a key with a folder of its own shares a file ends when %s', async (_, end) => {
    await using t = await startApp()
    const key = await t.keyClient({
      file_permission: true,
      mount_permission: true,
      basic_path: `${t.storage.mountPath}/mine`,
    })
    const body = { s3_config_id: t.storage.configId, filename: 'a.txt', size: BYTES.length }
    const presigned = await key.call('POST', '/api/s3/presign', { body })
    const put = () => t.visitor.call('PUT', pathOf(presigned.body.data.upload_url), { body: BYTES })
    expect((await put()).status).toBe(200)
    await end(t, { slug: '', id: '', keyId: key.id })
    expect((await put()).status).toBe(403)
  })

  test.each([
    ['the mount moves out of the folder of the key', moveMount],
    ['another mount takes its path', coverFile],
  ])('by which a key reads and writes in a mount ends when %s', async (_, end) => {
    await using t = await startApp()
    const folder = `${t.storage.mountPath}/in`
    const path = `${folder}/a.txt`
    await putFile(t.admin, path, BYTES)
    const key = await t.keyClient({ mount_permission: true, basic_path: t.storage.mountPath })
    const link = await key.call('GET', '/api/fs/file-link', { query: { path, expires_in: '3600' } })
    const entry = await key.call('GET', '/api/fs/get', { query: { path } })
    const own = [link.body.data.presignedUrl ?? link.body.data.url, entry.body.data.preview_url].filter(
      (address: string) => pathOf(address).startsWith('/api/storage/'),
    )
    for (const address of own)
      expect(await readAddress(t.visitor, address)).toMatchObject({ status: 200, text: BYTES })
    const presigned = await key.call('POST', '/api/fs/presign', { body: { path: folder, fileName: 'c.txt' } })
    const writes = [presigned.body.data.presignedUrl].filter((address: string) =>
      pathOf(address).startsWith('/api/storage/'),
    )
    await end(t, { slug: '', id: '', keyId: key.id })
    for (const address of own) expect((await t.visitor.call('GET', pathOf(address))).status).toBe(403)
    for (const address of writes)
      expect((await t.visitor.call('PUT', pathOf(address), { body: 'planted' })).status).toBe(403)
    expect([own.length > 0, writes.length > 0]).toEqual([true, kind === 'disk'])
  })
})
