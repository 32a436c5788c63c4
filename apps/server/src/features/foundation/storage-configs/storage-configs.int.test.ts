import { describe, expect, inject, test } from 'vitest'
import { describeEachDatabase, type TestApp, type TestClient } from '../../../testing/app.ts'
import { localDiskId, share } from '../../../testing/files.ts'
import { addS3Mount } from '../../../testing/storages.ts'

const S3 = {
  name: 'Pictures',
  provider_type: 'AWS S3',
  endpoint_url: 'https://s3.eu-west-1.amazonaws.com/',
  bucket_name: 'pictures',
  access_key_id: 'AKIA123',
  secret_access_key: 'very secret',
}
const DISK = { name: 'Second disk', provider_type: 'Local disk', bucket_name: 'second' }

const create = (client: TestClient, body: object) => client.call('POST', '/api/s3-configs', { body })
const made = async (t: TestApp, body: object = S3) => {
  const answer = await create(t.admin, body)
  if (answer.status !== 201) throw new Error(answer.text)
  return answer.body.data
}
const change = (t: TestApp, id: string, body: object) =>
  t.admin.call('PUT', `/api/s3-configs/${id}`, { body })
const read = async (t: TestApp, id: string) => (await t.admin.call('GET', `/api/s3-configs/${id}`)).body.data
const rowOf = (t: TestApp, id: string) =>
  t.ctx.db.selectFrom('storage_configs').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
const defaults = async (t: TestApp) => {
  const { data } = (await t.admin.call('GET', '/api/s3-configs')).body
  return data
    .filter((one: { is_default: number }) => one.is_default === 1)
    .map((one: { id: string }) => one.id)
}

describeEachDatabase('storage configs', ({ startApp, engine }) => {
  test('are created with defaults, and returned with real booleans', async () => {
    await using t = await startApp()
    const answer = await create(t.admin, { ...S3, name: ' Pictures ', is_public: true })
    expect([answer.status, answer.body.code, answer.body.success]).toEqual([201, 201, true])
    expect(answer.body.data).toMatchObject({
      name: 'Pictures',
      endpoint_url: 'https://s3.eu-west-1.amazonaws.com',
      region: '',
      path_style: false,
      default_folder: '',
      is_public: true,
      is_default: false,
      total_storage_bytes: 5_368_709_120,
      custom_host: null,
      signature_expires_in: 3600,
    })
    const listed = (await t.admin.call('GET', '/api/s3-configs')).body
    expect(listed.total).toBe(2)
    expect(listed.data.map((one: { name: string }) => one.name)).toEqual(['Local disk', 'Pictures'])
    expect(listed.data[1]).toMatchObject({ path_style: 0, is_public: 1, is_default: 0, last_used: null })
  })

  test('store their credentials encrypted and never return them', async () => {
    await using t = await startApp()
    const created = await create(t.admin, S3)
    const { id } = created.body.data
    await change(t, id, { name: 'Renamed', access_key_id: '', secret_access_key: ' ' })
    const kept = await rowOf(t, id)
    await change(t, id, { secret_access_key: 'another secret', access_key_id: null })
    const changed = await rowOf(t, id)
    expect(changed.access_key_id_sealed).toBe(kept.access_key_id_sealed)
    expect(changed.secret_access_key_sealed).not.toBe(kept.secret_access_key_sealed)
    const answers = [
      created.text,
      (await t.admin.call('GET', '/api/s3-configs')).text,
      (await t.admin.call('GET', `/api/s3-configs/${id}`)).text,
      JSON.stringify(changed),
    ]
    for (const secret of ['AKIA123', 'very secret', 'another secret', 'sealed":"']) {
      for (const answer of answers.slice(0, secret.startsWith('sealed') ? 3 : 4))
        expect(answer).not.toContain(secret)
    }
    const { secrets } = t.ctx
    const context = `storage-config:${id}:secret_access_key`
    expect(secrets.open(changed.secret_access_key_sealed ?? '', context)).toBe('another secret')
    expect(() => secrets.open(changed.secret_access_key_sealed ?? '', `${context}x`)).toThrow(/./)
  })

  test.each([
    [{ name: ' ' }, 'request.invalid'],
    [{ name: 'n'.repeat(51) }, 'request.invalid'],
    [{ provider_type: '' }, 'request.invalid'],
    [{ bucket_name: ' ' }, 'request.invalid'],
    [{ bucket_name: 'a/b' }, 'storage.bucket_invalid'],
    [{ bucket_name: 'a b' }, 'storage.bucket_invalid'],
    [{ bucket_name: '..' }, 'storage.bucket_invalid'],
    [{ endpoint_url: '' }, 'storage.endpoint_invalid'],
    [{ endpoint_url: null }, 'storage.endpoint_invalid'],
    [{ endpoint_url: 's3.example.com' }, 'storage.endpoint_invalid'],
    [{ endpoint_url: 'ftp://s3.example.com' }, 'storage.endpoint_invalid'],
    [{ endpoint_url: 'file:///etc/passwd' }, 'storage.endpoint_invalid'],
    [{ endpoint_url: 'https://user:password@s3.example.com' }, 'storage.endpoint_invalid'],
    [{ endpoint_url: 'https://s3.example.com?x=1' }, 'storage.endpoint_invalid'],
    [{ endpoint_url: 'https://' }, 'storage.endpoint_invalid'],
    [{ custom_host: 'cdn.example.com' }, 'storage.custom_host_invalid'],
    [{ custom_host: 'javascript:alert(1)' }, 'storage.custom_host_invalid'],
    [{ access_key_id: '' }, 'storage.credentials_missing'],
    [{ secret_access_key: undefined }, 'storage.credentials_missing'],
    [{ default_folder: '../up' }, 'storage.default_folder_invalid'],
    [{ default_folder: 'a//b' }, 'storage.default_folder_invalid'],
    [{ default_folder: 'x'.repeat(300) }, 'storage.default_folder_invalid'],
    [{ path_style: 'maybe' }, 'request.invalid'],
  ])('%j is refused with %s', async (wrong, code) => {
    await using t = await startApp()
    const answer = await create(t.admin, { ...S3, ...wrong })
    expect([answer.status, answer.body.error.code]).toEqual([400, code])
    expect((await t.admin.call('GET', '/api/s3-configs')).body.total).toBe(1)
    const id = await localDiskId(t)
    const { id: s3 } = await made(t)
    if (!('access_key_id' in wrong || 'secret_access_key' in wrong))
      expect((await change(t, s3, wrong)).body.error.code).toBe(code)
    expect((await change(t, id, { provider_type: 'AWS S3' })).body.error.code).toBe(
      'storage.endpoint_invalid',
    )
  })

  test('capacity and signature time: values other than positive numbers get the default', async () => {
    await using t = await startApp()
    const of = async (body: object) => {
      const { total_storage_bytes, signature_expires_in } = await made(t, { ...S3, ...body })
      return [total_storage_bytes, signature_expires_in]
    }
    expect(await of({ provider_type: 'Cloudflare R2' })).toEqual([10_737_418_240, 3600])
    expect(await of({ total_storage_bytes: '2048', signature_expires_in: '60' })).toEqual([2048, 60])
    expect(await of({ total_storage_bytes: -1, signature_expires_in: 0 })).toEqual([5_368_709_120, 3600])
    expect(await of({ total_storage_bytes: 'many', signature_expires_in: 'NaN' })).toEqual([
      5_368_709_120, 3600,
    ])
    expect(await of({ signature_expires_in: 99_999_999 })).toEqual([5_368_709_120, 604_800])
    const { id } = await made(t, { ...S3, provider_type: 'Backblaze B2', total_storage_bytes: 5 })
    await change(t, id, { total_storage_bytes: 'many', signature_expires_in: -5 })
    expect(await read(t, id)).toMatchObject({ total_storage_bytes: 5, signature_expires_in: 3600 })
    await change(t, id, { total_storage_bytes: null })
    expect((await read(t, id)).total_storage_bytes).toBe(10_737_418_240)
  })

  test('a change keeps absent fields', async () => {
    await using t = await startApp()
    const full = { region: 'eu-west-1', custom_host: 'https://cdn.test/', default_folder: '/in/here/' }
    const { id } = await made(t, { ...S3, ...full, path_style: true })
    expect((await change(t, id, { name: 'New' })).body).toMatchObject({ code: 200, success: true })
    expect(await read(t, id)).toMatchObject({
      name: 'New',
      region: 'eu-west-1',
      custom_host: 'https://cdn.test',
      default_folder: 'in/here',
      path_style: 1,
    })
    await change(t, id, { custom_host: '', region: null, default_folder: '', path_style: 0 })
    expect(await read(t, id)).toMatchObject({
      custom_host: null,
      region: '',
      default_folder: '',
      path_style: 0,
    })
  })

  test('a change applies to the next signed URL', async () => {
    await using t = await startApp()
    const { slug } = await share(t.admin, 'a.txt')
    const direct = async () => {
      const { data } = (await t.visitor.call('GET', `/api/public/files/${slug}`)).body
      return Number(new URL(data.s3_direct_download_url).searchParams.get('expires'))
    }
    const nowS = () => Math.floor(t.clock.nowMs() / 1000)
    expect([await direct(), await direct()]).toEqual([nowS() + 3600, nowS() + 3600])
    t.clock.advance({ seconds: 1 })
    await change(t, await localDiskId(t), { signature_expires_in: 60 })
    expect(await direct()).toBe(nowS() + 60)
  })

  test('exactly one is the default, also after concurrent changes', async () => {
    await using t = await startApp()
    const ids: string[] = []
    for (let index = 0; index < 4; index += 1) ids.push((await made(t, { ...S3, name: `S3 ${index}` })).id)
    expect(await defaults(t)).toEqual([await localDiskId(t)])
    const setDefault = (id: string) => t.admin.call('PUT', `/api/s3-configs/${id}/set-default`)
    const answers = await Promise.all([...ids, ...ids].map(setDefault))
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200))
    expect(await defaults(t)).toHaveLength(1)
    expect((await setDefault(ids[2] ?? '')).body).toMatchObject({ code: 200, success: true })
    expect(await defaults(t)).toEqual([ids[2]])
    expect((await setDefault('unknown')).status).toBe(404)
    expect(await defaults(t)).toEqual([ids[2]])
    await t.admin.call('DELETE', `/api/s3-configs/${ids[2]}`)
    expect(await defaults(t)).toHaveLength(1)
  })

  test('a storage that files or mounts use is not deleted; the error has their numbers', async () => {
    await using t = await startApp()
    const disk = await localDiskId(t)
    const remove = (id: string, language = 'en') =>
      t.admin.call('DELETE', `/api/s3-configs/${id}`, { headers: { 'accept-language': language } })
    const one = await share(t.admin, 'a.txt')
    await share(t.admin, 'b.txt')
    const refused = await remove(disk)
    expect([refused.status, refused.body.error.code]).toEqual([409, 'storage.in_use'])
    expect(refused.body.message).toContain('2 files, 1 mounts')
    expect(refused.body.error.details).toEqual([
      { path: 'files', message: '2' },
      { path: 'mounts', message: '1' },
    ])
    expect((await remove(disk, 'zh-CN')).body.message).toContain('2 个文件')
    const { id: mounted } = await made(t, DISK)
    await t.admin.call('POST', '/api/admin/mounts', {
      body: { name: 'second', storage_type: 'S3', storage_config_id: mounted, mount_path: '/second' },
    })
    expect((await remove(mounted)).body.message).toContain('0 files, 1 mounts')
    expect(await rowOf(t, mounted)).toMatchObject({ name: DISK.name })
    await t.ctx.db.deleteFrom('mounts').execute()
    await t.admin.call('DELETE', '/api/admin/files/batch-delete', { body: { ids: [one.id] } })
    expect((await remove(disk)).body.error.details[0].message).toBe('1')
    const { data } = (await t.admin.call('GET', '/api/admin/files')).body
    const ids = data.files.map((file: { id: string }) => file.id)
    await t.admin.call('DELETE', '/api/admin/files/batch-delete', { body: { ids } })
    expect((await remove(disk)).status).toBe(200)
    expect((await remove(disk)).status).toBe(404)
    expect((await remove(mounted)).status).toBe(200)
    expect((await t.admin.call('GET', '/api/s3-configs')).body.data).toEqual([])
  })

  test('an ended share does not prevent the deletion of its storage', async () => {
    await using t = await startApp()
    const { id } = await made(t, DISK)
    await share(t.admin, 'a.txt', { query: { s3_config_id: id, expires_in: '1' } })
    t.clock.advance({ hours: 2 })
    await t.ctx.jobs.drain()
    expect((await t.admin.call('DELETE', `/api/s3-configs/${id}`)).status).toBe(200)
  })

  test('the first storage becomes the default', async () => {
    await using t = await startApp()
    await t.ctx.db.deleteFrom('mounts').execute()
    await t.admin.call('DELETE', `/api/s3-configs/${await localDiskId(t)}`)
    expect(await made(t)).toMatchObject({ is_default: true })
  })

  test('unknown ones are 404, and keys see the public ones only', async () => {
    await using t = await startApp()
    const { id } = await made(t)
    const key = await t.keyClient({ file_permission: true })
    const calls: [string, string, object?][] = [
      ['GET', '/api/s3-configs/unknown'],
      ['PUT', '/api/s3-configs/unknown', { name: 'x' }],
      ['DELETE', '/api/s3-configs/unknown'],
    ]
    for (const [method, url, body] of calls) {
      const answer = await t.admin.call(method, url, body ? { body } : {})
      expect([answer.status, answer.body.error.code]).toEqual([404, 'storage.not_found'])
    }
    expect((await key.call('GET', `/api/s3-configs/${id}`)).status).toBe(404)
    await change(t, id, { is_public: true })
    const seen = (await key.call('GET', `/api/s3-configs/${id}`)).body.data
    expect([seen.id, 'is_public' in seen, 'last_used' in seen]).toEqual([id, false, false])
    const body = { name: 'mine' }
    expect((await key.call('PUT', `/api/s3-configs/${id}`, { body })).status).toBe(403)
    expect((await key.call('DELETE', `/api/s3-configs/${id}`)).status).toBe(403)
  })

  test('if the default bucket is closed to keys, their uploads do not go to the disk of one replica', async () => {
    await using t = await startApp()
    const { id } = await made(t)
    await t.admin.call('PUT', `/api/s3-configs/${id}/set-default`)
    const key = await t.keyClient({ file_permission: true })
    const send = (query: Record<string, string> = {}) =>
      key.call('PUT', '/api/upload-direct/a.txt', { payload: 'bytes', query })
    const closed = await send()
    if (engine === 'sqlite') expect(closed.status).toBe(200)
    else {
      expect([closed.status, closed.body.error.code]).toEqual([403, 'storage.default_closed'])
      const line = await key.call('PUT', '/a.txt', { payload: 'bytes' })
      expect([line.status, line.text]).toEqual([403, expect.stringMatching(/not open to API keys/)])
    }
    // On both databases, the local disk is used if the request names it, or if it is the default.
    const disk = await localDiskId(t)
    expect((await send({ s3_config_id: disk })).status).toBe(200)
    await t.admin.call('PUT', `/api/s3-configs/${disk}/set-default`)
    expect((await send()).status).toBe(200)
  })

  describe('of the local disk', () => {
    test('have separate folders below the data folder', async () => {
      await using t = await startApp()
      const { id } = await made(t, { ...DISK, endpoint_url: 'https://ignored', custom_host: 'https://x' })
      expect(await read(t, id)).toMatchObject({
        endpoint_url: '',
        custom_host: null,
        total_storage_bytes: null,
      })
      const file = await share(t.admin, 'a.txt', { bytes: 'on the second', query: { s3_config_id: id } })
      expect((await t.visitor.call('GET', `/api/file-download/${file.slug}`)).text).toBe('on the second')
    })

    test.each(['a/b', '..', '.', 'a\\b', '.dropleaf-tmp', 'x'.repeat(255) + 'y', 'a:b'])(
      'the folder %j is refused',
      async (bucket_name) => {
        await using t = await startApp()
        const answer = await create(t.admin, { ...DISK, bucket_name })
        expect(answer.status).toBe(400)
      },
    )

    test('never share a folder, also if created concurrently', async () => {
      await using t = await startApp()
      const answers = await Promise.all(
        ['second', 'Second', 'LOCAL', 'local'].map((bucket_name) =>
          create(t.admin, { ...DISK, bucket_name }),
        ),
      )
      const codes = answers.map(({ body }) => body.error?.code ?? 'made').sort()
      expect(codes).toEqual(['made', 'storage.folder_taken', 'storage.folder_taken', 'storage.folder_taken'])
      const other = await made(t, { ...DISK, bucket_name: 'third' })
      expect((await change(t, other.id, { bucket_name: 'local' })).body.error.code).toBe(
        'storage.folder_taken',
      )
    })
  })

  test.skipIf(inject('s3Gateway') === null)('a changed bucket or key applies immediately [s3]', async () => {
    await using t = await startApp({ now: new Date().toISOString() })
    await using one = await addS3Mount(t, { mountPath: '/one' })
    await using two = await addS3Mount(t, { mountPath: '/two' })
    const query = { s3_config_id: one.configId }
    await share(t.admin, 'a.txt', { query })
    t.ctx.caches.s3Url.set(`${one.configId}:x`, { preview: '', download: '' }, Number.MAX_SAFE_INTEGER)
    await change(t, one.configId, { bucket_name: two.bucket.bucket })
    expect(t.ctx.caches.s3Url.figures().cacheSize).toBe(0)
    await share(t.admin, 'b.txt', { query })
    expect(await two.keys()).toHaveLength(1)
    await change(t, one.configId, { secret_access_key: 'wrong' })
    const refused = await t.admin.call('PUT', '/api/upload-direct/c.txt', { payload: 'x', query })
    expect([refused.status, refused.body.error.code]).toEqual([502, 'storage.denied'])
  })
})
