import { expect, test } from 'vitest'
import { basic, type Drive, driveAt, listen } from '../../../testing/drive.ts'
import {
  afterEachRemoval,
  describeEachStorage,
  manyOn,
  storageAt,
  type StorageTestApp,
  type TestStorage,
} from '../../../testing/storages.ts'

async function openDrive(t: StorageTestApp): Promise<Drive> {
  const { key } = await t.keyClient({ mount_permission: true })
  return driveAt(await listen(t), basic('anyone', key))
}

const moveTo = (drive: Drive, from: string, to: string) =>
  drive.call('MOVE', from, { headers: { destination: `/dav${to}` } })

const isThere = async (drive: Drive, path: string) =>
  (await drive.call('PROPFIND', path, { headers: { depth: '0' } })).status === 207

/** Creates another storage on a disk, to which nothing can be moved by renaming. */
async function otherDisk(t: StorageTestApp): Promise<TestStorage> {
  const config = await t.admin.call('POST', '/api/s3-configs', {
    body: { name: 'Other', provider_type: 'Local disk', bucket_name: 'other', is_public: true },
  })
  const configId: string = config.body.data.id
  const mount = { name: 'other', storage_type: 'S3', storage_config_id: configId, mount_path: '/other' }
  const { body } = await t.admin.call('POST', '/api/admin/mounts', { body: mount })
  return storageAt(t, { kind: 'disk', mountPath: '/other', mountId: body.data.id, configId })
}

describeEachStorage('a move of a folder during writes into it', ({ startApp, mountPath: m, kind }) => {
  test('removes the source, and moves all acknowledged writes', async () => {
    await using t = await startApp()
    const [drive, writer] = [await openDrive(t), await openDrive(t)]
    for (const [place, target] of [m, (await otherDisk(t)).mountPath].entries())
      for (let round = 0; round < manyOn(kind, 3, 1); round += 1) {
        // Each round uses separate names, because an incomplete move leaves files at the source.
        const name = `from-${place}-${round}`
        const from = `${m}/${name}`
        const to = `${target}/to-${round}`
        await t.storage.put(`${name}/`)
        for (let n = 0; n < manyOn(kind, 20, 5); n += 1) await t.storage.put(`${name}/deep/${n}.txt`, 'old')
        const kept: string[] = []
        const refused: number[] = []
        const after = { isLeft: false }
        // Writes until a write is refused, which shows that the folder is gone permanently.
        const writing = (async () => {
          for (let n = 0; refused.length === 0 && !after.isLeft; n += 1) {
            const { status } = await writer.call('PUT', `${from}/${n % 2 ? 'deep/' : ''}late-${n}`, {
              body: `${n}`,
            })
            if (status === 201) kept.push(`${n % 2 ? 'deep/' : ''}late-${n}`)
            else refused.push(status)
          }
        })()
        await expect.poll(() => kept.length, { interval: 5 }).toBeGreaterThan(1)
        const moved = await moveTo(drive, `${from}/`, `${to}/`)
        after.isLeft = await isThere(drive, `${from}/`)
        await writing
        const isRenamed = kind === 'disk' && target === m
        const told = { status: moved.status, ...after, refused }
        // If writes kept arriving during the move, the move reports that it is incomplete and the source still exists.
        if (moved.status === 207 && !isRenamed) expect(after.isLeft).toBe(true)
        else expect(told).toEqual({ status: 201, isLeft: false, refused: [409] })
        const whereIs = async (late: string) =>
          moved.status === 207 && (await isThere(drive, `${from}/${late}`)) ? from : to
        for (const late of kept)
          expect([late, (await drive.call('GET', `${await whereIs(late)}/${late}`)).text]).toEqual([
            late,
            late.replace(/\D/g, ''),
          ])
        if (moved.status === 207) continue
        expect(await t.storage.keys(`${name}/`)).toEqual([])
        const list = await t.admin.call('GET', '/api/fs/list', { query: { path: `${to}/` } })
        const names = list.body.data.items.map((item: { name: string }) => item.name)
        expect(names.sort()).toEqual(['deep', ...kept.filter((late) => !late.includes('/'))].sort())
      }
  })

  test('includes a single write, across storages', async () => {
    await using t = await startApp()
    const drive = await openDrive(t)
    const other = await otherDisk(t)
    await t.storage.put('from/a.txt', 'a')
    await afterEachRemoval(t, async (count) => {
      if (count === 1) await t.storage.put('from/late.txt', 'late')
    })
    const moved = await moveTo(drive, `${m}/from/`, `${other.mountPath}/to/`)
    expect([moved.status, await other.text('to/late.txt')]).toEqual([201, 'late'])
    expect(await isThere(drive, `${m}/from/`)).toBe(false)
  })

  test('includes repeated writes if they end', async () => {
    await using t = await startApp()
    const drive = await openDrive(t)
    const other = await otherDisk(t)
    await t.storage.put('from/a.txt', 'a')
    await afterEachRemoval(t, async (count) => {
      if (count <= 8) await t.storage.put(`from/late-${count}.txt`, `${count}`)
    })
    const moved = await moveTo(drive, `${m}/from/`, `${other.mountPath}/to/`)
    expect([moved.status, await other.text('to/late-8.txt')]).toEqual([201, '8'])
    expect(await isThere(drive, `${m}/from/`)).toBe(false)
  })

  test('reports that the source still exists, with the last files, if the writes do not end', async () => {
    await using t = await startApp()
    const drive = await openDrive(t)
    const other = await otherDisk(t)
    await t.storage.put('from/a.txt', 'a')
    await afterEachRemoval(t, (count) => t.storage.put(`from/late-${count}.txt`, `late ${count}`))
    const ways = kind === 's3' ? [`${m}/to/`, `${other.mountPath}/to/`] : [`${other.mountPath}/to/`]
    for (const to of ways) {
      const moved = await moveTo(drive, `${m}/from/`, to)
      expect(moved.status).toBe(207)
      const left = (await t.storage.keys('from/')).find((key) => key.endsWith('.txt')) ?? ''
      expect(left).toMatch(/^from\/late-/)
      expect(moved.text).toContain(`<D:href>/dav${m}/${left}</D:href><D:status>HTTP/1.1 409 Conflict`)
      expect((await drive.call('GET', `${m}/${left}`)).status).toBe(200)
    }
  })

  test('on a disk is a rename, which keeps empty folders and timestamps', async ({ skip }) => {
    skip(kind === 's3', 'a bucket has no folders to rename')
    await using t = await startApp()
    const drive = await openDrive(t)
    await drive.call('MKCOL', `${m}/from`)
    await drive.call('MKCOL', `${m}/from/empty`)
    await drive.call('PUT', `${m}/from/a.txt`, { body: 'a', headers: { 'x-oc-mtime': '1000000000' } })
    const moved = await moveTo(drive, `${m}/from/`, `${m}/to/`)
    expect(moved.status).toBe(201)
    const got = await drive.call('GET', `${m}/to/a.txt`)
    expect([got.text, got.headers.get('last-modified')]).toEqual(['a', 'Sun, 09 Sep 2001 01:46:40 GMT'])
    expect(await isThere(drive, `${m}/to/empty/`)).toBe(true)
    expect((await drive.call('PUT', `${m}/from/b.txt`, { body: 'b' })).status).toBe(409)
    const indexed = await t.ctx.db.selectFrom('objects').select('key').orderBy('key').execute()
    expect(indexed.map(({ key }) => key)).toEqual(['to/a.txt'])
  })
})
