import { expect, test } from 'vitest'
import { describeEachDatabase, type TestApp } from '../../../testing/app.ts'
import { localDiskId } from '../../../testing/files.ts'
import { mountsRepository } from './mounts.repository.ts'
import { activeMounts, touchMount } from './mounts.usecases.ts'

const URL = '/api/admin/mounts'

async function bodyOf(t: TestApp, changes: object = {}) {
  return {
    name: 'Photos',
    storage_type: 'S3',
    storage_config_id: await localDiskId(t),
    mount_path: '/photos',
    ...changes,
  }
}
const create = async (t: TestApp, changes: object = {}) =>
  t.admin.call('POST', URL, { body: await bodyOf(t, changes) })
const made = async (t: TestApp, changes: object = {}) => {
  const answer = await create(t, changes)
  if (answer.status !== 201) throw new Error(answer.text)
  return answer.body.data
}
const change = (t: TestApp, id: string, body: object) => t.admin.call('PUT', `${URL}/${id}`, { body })
const read = async (t: TestApp, id: string) => (await t.admin.call('GET', `${URL}/${id}`)).body.data

/** Creates a storage that is not available to API keys. */
async function privateConfig(t: TestApp): Promise<string> {
  const body = { name: 'Private', provider_type: 'Local disk', bucket_name: 'private' }
  return (await t.admin.call('POST', '/api/s3-configs', { body })).body.data.id
}

describeEachDatabase('mounts', ({ startApp }) => {
  test('are created with defaults, and listed with 0 and 1', async () => {
    await using t = await startApp()
    const answer = await create(t)
    expect([answer.status, answer.body.code, answer.body.success]).toEqual([201, 201, true])
    expect(answer.body.data).toMatchObject({
      name: 'Photos',
      storage_type: 'S3',
      mount_path: '/photos',
      remark: null,
      is_active: true,
      sort_order: 0,
      cache_ttl: 300,
      created_at: '2030-01-01T00:00:00.000Z',
    })
    expect('last_used' in answer.body.data).toBe(false)
    const admin = await t.ctx.db.selectFrom('admins').select('id').executeTakeFirstOrThrow()
    expect(await read(t, answer.body.data.id)).toMatchObject({
      is_active: 1,
      created_by: admin.id,
      last_used: null,
    })
  })

  test('are listed by their order, then by name, inactive ones too', async () => {
    await using t = await startApp()
    await made(t, { name: 'b', mount_path: '/b', sort_order: 1 })
    await made(t, { name: 'a', mount_path: '/a', sort_order: 1, is_active: false })
    await made(t, { name: 'z', mount_path: '/z', sort_order: -5 })
    const { data } = (await t.admin.call('GET', URL)).body
    expect(data.map((one: { name: string }) => one.name)).toEqual(['z', 'Local disk', 'a', 'b'])
    expect(data[2].is_active).toBe(0)
    expect((await activeMounts(t.ctx)).map((mount) => mount.name)).toEqual(['z', 'Local disk', 'b'])
  })

  test.each([
    [{ name: '' }, 400, 'request.invalid'],
    [{ name: '  ' }, 400, 'request.invalid'],
    [{ name: 'n'.repeat(51) }, 400, 'request.invalid'],
    [{ storage_type: 'FTP' }, 400, 'request.invalid'],
    [{ storage_config_id: 'unknown' }, 400, 'mount.storage_unknown'],
    [{ storage_config_id: '' }, 400, 'request.invalid'],
    [{ mount_path: '/' }, 400, 'mount.path_invalid'],
    [{ mount_path: 'photos' }, 400, 'mount.path_invalid'],
    [{ mount_path: '/photos/' }, 400, 'mount.path_invalid'],
    [{ mount_path: '/a//b' }, 400, 'mount.path_invalid'],
    [{ mount_path: '/a/../b' }, 400, 'mount.path_invalid'],
    [{ mount_path: '/etc' }, 400, 'mount.path_reserved'],
    [{ mount_path: '/api/x' }, 400, 'mount.path_reserved'],
    [{ mount_path: '/local' }, 409, 'mount.path_taken'],
    [{ cache_ttl: -1 }, 400, 'request.invalid'],
    [{ cache_ttl: 86_401 }, 400, 'request.invalid'],
    [{ cache_ttl: 1.5 }, 400, 'request.invalid'],
    [{ sort_order: 'first' }, 400, 'request.invalid'],
    [{ sort_order: 1.5 }, 400, 'request.invalid'],
    [{ sort_order: 3_000_000_000 }, 400, 'request.invalid'],
    [{ remark: 'r'.repeat(501) }, 400, 'request.invalid'],
  ])('%j is refused with %i %s', async (wrong, status, code) => {
    await using t = await startApp()
    const answer = await create(t, wrong)
    expect([answer.status, answer.body.error.code]).toEqual([status, code])
    const { id } = await made(t)
    const changed = await change(t, id, wrong)
    expect([changed.status, changed.body.error.code]).toEqual([status, code])
    expect((await read(t, id)).mount_path).toBe('/photos')
  })

  test.each(['name', 'storage_type', 'storage_config_id', 'mount_path'])('%s is needed', async (field) => {
    await using t = await startApp()
    expect((await create(t, { [field]: undefined })).status).toBe(400)
  })

  test('limits are inclusive, and a time of 0 stays 0', async () => {
    await using t = await startApp()
    const most = await made(t, { name: 'n'.repeat(50), cache_ttl: '86400', sort_order: '-7' })
    expect(most).toMatchObject({ cache_ttl: 86_400, sort_order: -7 })
    const least = await made(t, { mount_path: '/least', cache_ttl: 0 })
    expect(least.cache_ttl).toBe(0)
    await change(t, most.id, { cache_ttl: 0 })
    expect((await read(t, most.id)).cache_ttl).toBe(0)
  })

  test('a change keeps absent fields; is_active alone enables or disables', async () => {
    await using t = await startApp()
    const { id } = await made(t, { remark: 'for all', sort_order: 3 })
    t.clock.advance({ seconds: 5 })
    expect((await change(t, id, { is_active: false })).body).toMatchObject({ code: 200, success: true })
    expect(await read(t, id)).toMatchObject({
      is_active: 0,
      remark: 'for all',
      sort_order: 3,
      mount_path: '/photos',
      updated_at: '2030-01-01T00:00:05.000Z',
    })
    await change(t, id, { is_active: 1, remark: '', mount_path: '/new/place', storage_type: 'S3' })
    expect(await read(t, id)).toMatchObject({ is_active: 1, remark: null, mount_path: '/new/place' })
    expect((await change(t, id, {})).status).toBe(200)
  })

  test('can be nested; of two concurrent creations at one path one succeeds', async () => {
    await using t = await startApp()
    await made(t, { mount_path: '/local/deep/er' })
    await made(t, { mount_path: '/照片' })
    await made(t, { mount_path: '/照片/旅行' })
    const answers = await Promise.all(Array.from({ length: 6 }, () => create(t, { mount_path: '/race' })))
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409, 409, 409])
  })

  test('deleting a mount keeps the storage and its files', async () => {
    await using t = await startApp()
    const { id } = await made(t)
    expect((await t.admin.call('DELETE', `${URL}/${id}`)).body).toMatchObject({ code: 200, success: true })
    for (const method of ['GET', 'DELETE']) {
      const answer = await t.admin.call(method, `${URL}/${id}`)
      expect([answer.status, answer.body.error.code]).toEqual([404, 'mount.not_found'])
    }
    expect((await change(t, id, { name: 'x' })).status).toBe(404)
    expect((await t.admin.call('GET', '/api/s3-configs')).body.total).toBe(1)
  })

  test('every write invalidates cached listings', async () => {
    await using t = await startApp()
    const { id } = await made(t)
    const { directory, search } = t.ctx.caches
    const fill = () => {
      for (const cache of [directory, search]) {
        cache.set(`${id}:storage:a`, Buffer.alloc(1), Number.MAX_SAFE_INTEGER)
        cache.set('other:storage:a', Buffer.alloc(1), Number.MAX_SAFE_INTEGER)
      }
    }
    fill()
    await change(t, id, { cache_ttl: 5 })
    expect([directory.figures().cacheSize, search.figures().cacheSize]).toEqual([1, 1])
    fill()
    await t.admin.call('DELETE', `${URL}/${id}`)
    expect([directory.figures().cacheSize, search.figures().cacheSize]).toEqual([1, 1])
  })

  test('the time of the last use is stored at most once a minute', async () => {
    await using t = await startApp()
    const { id } = await made(t)
    const get = async () => (await mountsRepository(t.ctx.db).findById(id)) ?? expect.fail('No mount.')
    const stale = await get()
    await touchMount(t.ctx, stale)
    t.clock.advance({ seconds: 30 })
    await touchMount(t.ctx, stale)
    await touchMount(t.ctx, await get())
    expect((await read(t, id)).last_used).toBe('2030-01-01T00:00:00.000Z')
    t.clock.advance({ seconds: 31 })
    await touchMount(t.ctx, await get())
    expect((await read(t, id)).last_used).toBe('2030-01-01T00:01:01.000Z')
  })
})

describeEachDatabase('mounts that keys see', ({ startApp }) => {
  async function setUp(t: TestApp) {
    const hidden = await privateConfig(t)
    const paths = ['/photos', '/photos/2026', '/photos2', '/other']
    const ids: Record<string, string> = {}
    for (const mount_path of paths) ids[mount_path] = (await made(t, { mount_path, name: mount_path })).id
    const more = { '/off': { is_active: false }, '/hidden': { storage_config_id: hidden } }
    for (const [mount_path, changes] of Object.entries(more))
      ids[mount_path] = (await made(t, { mount_path, name: mount_path, ...changes })).id
    const seen = async (basic_path: string) => {
      const key = await t.keyClient({ mount_permission: true, basic_path })
      const { data } = (await key.call('GET', '/api/user/mounts')).body
      return data.map((one: { mount_path: string }) => one.mount_path)
    }
    return { ids, seen }
  }

  test('are active, open to keys, and at, below or above the base path', async () => {
    await using t = await startApp()
    const { seen } = await setUp(t)
    expect(await seen('/')).toEqual(
      ['/other', '/photos', '/photos/2026', '/photos2', '/local'].toSorted(order),
    )
    expect(await seen('/photos')).toEqual(['/photos', '/photos/2026'])
    expect(await seen('/photos/')).toEqual(['/photos', '/photos/2026'])
    expect(await seen('/photos/2026/may')).toEqual(['/photos', '/photos/2026'])
    expect(await seen('/pho')).toEqual([])
    expect(await seen('/hidden')).toEqual([])
    const { data } = (await t.admin.call('GET', '/api/user/mounts')).body
    expect(data).toHaveLength(6)
    expect(data.find((one: { mount_path: string }) => one.mount_path === '/hidden').is_public).toBe(0)
  })

  test('can be requested individually only at or below the base path', async () => {
    await using t = await startApp()
    const { ids } = await setUp(t)
    const key = await t.keyClient({ mount_permission: true, basic_path: '/photos/2026' })
    const statusOf = async (path: string) => (await key.call('GET', `/api/user/mounts/${ids[path]}`)).status
    expect(await statusOf('/photos/2026')).toBe(200)
    expect(await statusOf('/photos')).toBe(403)
    expect(await statusOf('/other')).toBe(403)
    expect(await statusOf('/off')).toBe(404)
    expect(await statusOf('/hidden')).toBe(404)
    expect(await statusOf('/unknown')).toBe(404)
    const admin = await t.admin.call('GET', `/api/user/mounts/${ids['/hidden']}`)
    expect(admin.body.data).toMatchObject({ mount_path: '/hidden', is_public: 0, is_active: 1 })
    expect((await t.admin.call('GET', `/api/user/mounts/${ids['/off']}`)).status).toBe(404)
  })

  test('cannot be changed by them', async () => {
    await using t = await startApp()
    const key = await t.keyClient({ mount_permission: true, file_permission: true })
    expect((await key.call('GET', URL)).status).toBe(403)
    expect((await key.call('POST', URL, { body: await bodyOf(t) })).status).toBe(403)
    const { id } = await made(t)
    expect((await key.call('PUT', `${URL}/${id}`, { body: { is_active: false } })).status).toBe(403)
    expect((await key.call('DELETE', `${URL}/${id}`)).status).toBe(403)
  })
})

/** Compares paths by the name of their mount; only the local disk's name differs from its path. */
const order = (a: string, b: string) => nameOf(a).localeCompare(nameOf(b), 'en')
const nameOf = (path: string) => (path === '/local' ? 'Local disk' : path)
