import { expect, test } from 'vitest'
import { ADMIN_PASSWORD, describeEachDatabase, type TestApp, type TestClient } from '../../../testing/app.ts'
import { localDiskId, pathOf } from '../../../testing/files.ts'
import { mountSecondDisk, putFile } from '../../../testing/fs.ts'

const RIGHTS = { text_permission: true, file_permission: true, mount_permission: true }

/** Requests one signed URL of each kind as the client `who`, and returns them unused. */
async function addressesOf(t: TestApp, who: TestClient) {
  const ask = async (url: string, body: object) => (await who.call('POST', url, { body })).body.data
  const s3_config_id = await localDiskId(t)
  const share = await ask('/api/s3/presign', { s3_config_id, filename: 'a.bin' })
  const whole = await ask('/api/fs/presign', { path: '/local/', fileName: 'whole.bin' })
  const parts = await ask('/api/fs/multipart/init', { path: '/local/', fileName: 'p.bin', fileSize: 1 })
  const link = await who.call('GET', '/api/fs/file-link', { query: { path: '/local/own.txt' } })
  const entry = await who.call('GET', '/api/fs/get', { query: { path: '/local/own.txt' } })
  const copies = await ask('/api/fs/batch-copy', {
    items: [{ sourcePath: '/local/own.txt', targetPath: '/second/copy.txt' }],
    skipExisting: false,
  })
  const [copy] = copies.crossStorageResults
  return {
    puts: [share.upload_url, whole.presignedUrl, parts.presignedUrls[0].url, copy.uploadUrl].map(pathOf),
    gets: [link.body.data.presignedUrl, entry.body.data.preview_url, copy.downloadUrl].map(pathOf),
  }
}

async function statusesOf(t: TestApp, { puts, gets }: Awaited<ReturnType<typeof addressesOf>>) {
  const seen = { puts: [] as number[], gets: [] as number[] }
  for (const path of puts) seen.puts.push((await t.visitor.call('PUT', path, { payload: 'x' })).status)
  for (const path of gets) seen.gets.push((await t.visitor.call('GET', path)).status)
  return seen
}

async function prepare(t: TestApp): Promise<void> {
  await mountSecondDisk(t.admin)
  await putFile(t.admin, '/local/own.txt', 'own')
}

const ALL_IN = { puts: [200, 200, 200, 200], gets: [200, 200, 200] }
const ALL_OUT = { puts: [403, 403, 403, 403], gets: [403, 403, 403] }

describeEachDatabase('URLs that the server signs', ({ startApp, engine }) => {
  test('become invalid with the key that requested them, at every replica', async () => {
    await using t = await startApp()
    await prepare(t)
    const key = await t.keyClient(RIGHTS)
    expect(await statusesOf(t, await addressesOf(t, key))).toEqual(ALL_IN)
    const addresses = await addressesOf(t, key)
    expect((await t.admin.call('DELETE', `/api/admin/api-keys/${key.id}`)).status).toBe(200)
    expect(await statusesOf(t, addresses)).toEqual(ALL_OUT)
    if (engine === 'sqlite') return
    await using other = await t.replica()
    expect(await statusesOf(other, addresses)).toEqual(ALL_OUT)
  })

  test('become invalid when the key loses its permissions, changes its base path, or expires', async () => {
    await using t = await startApp()
    await prepare(t)
    const changes: ReadonlyArray<readonly [object, typeof ALL_IN]> = [
      [{ mount_permission: false }, { puts: [200, 403, 403, 403], gets: [403, 403, 403] }],
      [{ mount_read_only: true }, { puts: [200, 403, 403, 403], gets: [200, 200, 200] }],
      [{ file_permission: false }, { puts: [403, 200, 200, 200], gets: [200, 200, 200] }],
      [{ basic_path: '/second' }, ALL_OUT],
      [{ name: 'another name' }, ALL_IN],
    ]
    for (const [change, expected] of changes) {
      const key = await t.keyClient(RIGHTS)
      const addresses = await addressesOf(t, key)
      await t.admin.call('PUT', `/api/admin/api-keys/${key.id}`, { body: change })
      expect([change, await statusesOf(t, addresses)]).toEqual([change, expected])
    }
    const key = await t.keyClient({
      ...RIGHTS,
      expires_at: new Date(t.clock.nowMs() + 600_000).toISOString(),
    })
    const addresses = await addressesOf(t, key)
    t.clock.advance({ seconds: 600 })
    expect(await statusesOf(t, addresses)).toEqual(ALL_OUT)
  })

  test('of the administrator for writing become invalid with the session; those for reading stay valid, because others use them', async () => {
    await using t = await startApp()
    await prepare(t)
    const login = await t.visitor.call('POST', '/api/admin/login', {
      body: { username: 'admin', password: ADMIN_PASSWORD },
    })
    const session = t.client(`Bearer ${login.body.data.token}`)
    expect(await statusesOf(t, await addressesOf(t, session))).toEqual(ALL_IN)
    const addresses = await addressesOf(t, session)
    await session.call('POST', '/api/admin/logout')
    expect(await statusesOf(t, addresses)).toEqual({ puts: ALL_OUT.puts, gets: ALL_IN.gets })
  })

  test('cannot be changed to another issuer or to none', async () => {
    await using t = await startApp()
    await prepare(t)
    const key = await t.keyClient(RIGHTS)
    const other = await t.keyClient(RIGHTS)
    const { puts } = await addressesOf(t, key)
    const [, whole = ''] = puts
    for (const path of [
      whole.replace(key.id, other.id),
      whole.replace(/&by=[^&]*/, ''),
      whole.replace(/&by=[^&]*&right=[^&]*/, ''),
      whole.replace('right=write', 'right=file'),
      whole.replace('right=write', 'right=constructor'),
      whole.replace(/by=[^&]*/, 'by=session%3Ax'),
    ]) {
      const answer = await t.visitor.call('PUT', path, { payload: 'x' })
      expect([path !== whole, answer.status, answer.body.error.code]).toEqual([
        true,
        403,
        'storage.link_invalid',
      ])
    }
  })
})
