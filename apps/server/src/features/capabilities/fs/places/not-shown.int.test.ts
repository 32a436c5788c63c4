import { mkdir, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { TestApp } from '../../../../testing/app.ts'
import { describeEachStorage, type S3Mount, type StorageTestApp } from '../../../../testing/storages.ts'

/** The name `报表.txt` in GBK. */
const GBK_NAME = Buffer.from([0xb1, 0xa8, 0xb1, 0xed, ...Buffer.from('.txt')])

const diskPath = (t: TestApp, folder: string, name: Buffer | string) =>
  Buffer.concat([Buffer.from(`${join(t.dataDir, 'storage', 'local', folder)}/`), Buffer.from(name)])

async function list(t: TestApp, path: string, query: Record<string, string> = {}) {
  const answer = await t.admin.call('GET', '/api/fs/list', { query: { path, ...query } })
  expect(answer.status).toBe(200)
  const { items, not_shown, next_cursor } = answer.body.data
  return { names: items.map(({ name }: { name: string }) => name), not_shown, next_cursor }
}

const notShown = (count: number) => ({ count, reason: 'unusable_name' })

/** Creates a file directly in the storage, with a name that no path can express. */
async function putOdd(t: StorageTestApp, folder: string): Promise<void> {
  if (t.storage.kind === 'disk') {
    await mkdir(join(t.dataDir, 'storage', 'local', folder), { recursive: true })
    await writeFile(diskPath(t, folder, GBK_NAME), 'x')
  } else {
    const { bucket } = t.storage as S3Mount
    await bucket.s3.putObject({ Bucket: bucket.bucket, Key: `${folder}//odd.txt`, Body: 'x' })
  }
}

async function removeOdd(t: StorageTestApp, folder: string): Promise<void> {
  if (t.storage.kind === 'disk') {
    await rename(diskPath(t, folder, GBK_NAME), diskPath(t, folder, 'odd.txt'))
  } else {
    const { bucket } = t.storage as S3Mount
    await bucket.s3.deleteObject({ Bucket: bucket.bucket, Key: `${folder}//odd.txt` })
    await t.storage.put(`${folder}/odd.txt`, 'x')
  }
}

describeEachStorage('objects that a listing cannot show', ({ startApp, mountPath: m }) => {
  test('are counted with a reason, alone in a folder and beside other files', async () => {
    await using t = await startApp()
    await putOdd(t, 'only')
    expect(await list(t, `${m}/only`)).toEqual({ names: [], not_shown: notShown(1) })
    await putOdd(t, 'mixed')
    await t.storage.put('mixed/plain.txt', 'x')
    await t.storage.put('plain/a.txt', 'x')
    expect(await list(t, `${m}/mixed`)).toEqual({ names: ['plain.txt'], not_shown: notShown(1) })
    expect(await list(t, `${m}/plain`)).toEqual({ names: ['a.txt'] })
    expect((await list(t, m)).names).toEqual(['mixed', 'only', 'plain'])
  })

  test('are reported by every later listing, from cache, index or storage, until they are renamed', async () => {
    await using t = await startApp()
    await t.storage.put('mixed/plain.txt', 'x')
    await list(t, `${m}/mixed`)
    await t.ctx.jobs.drain()
    await putOdd(t, 'mixed')
    await list(t, `${m}/mixed`, { refresh: 'true' })
    await t.ctx.jobs.drain()
    for (const query of [
      {},
      { order: 'desc' },
      { sort: 'size', limit: '10' },
      { limit: '10' },
      { refresh: 'true' },
    ]) {
      expect([query, (await list(t, `${m}/mixed`, query)).not_shown]).toEqual([query, notShown(1)])
      await t.ctx.jobs.drain()
    }
    await removeOdd(t, 'mixed')
    const after = await list(t, `${m}/mixed`, { refresh: 'true' })
    expect(after).toEqual({ names: ['odd.txt', 'plain.txt'] })
    await t.ctx.jobs.drain()
    expect(await list(t, `${m}/mixed`, { order: 'desc' })).toEqual({ names: ['plain.txt', 'odd.txt'] })
  })

  test('are reported once in a paged listing, and break neither drive nor index', async () => {
    await using t = await startApp()
    await putOdd(t, 'paged')
    for (const name of ['a.txt', 'b.txt', 'c.txt']) await t.storage.put(`paged/${name}`, name)
    for (const order of [{}, { sort: 'name' }, { sort: 'size' }] as const) {
      let told = 0
      const names: string[] = []
      let cursor: string | null = null
      do {
        const next = cursor === null ? {} : { cursor }
        const page = await list(t, `${m}/paged`, { limit: '2', ...order, ...next })
        told += page.not_shown?.count ?? 0
        names.push(...page.names)
        cursor = page.next_cursor
      } while (cursor !== null)
      expect([order, told, names]).toEqual([order, 1, ['a.txt', 'b.txt', 'c.txt']])
    }
    const drive = await t.admin.call('PROPFIND', `/dav${m}/paged/`, { headers: { depth: '1' } })
    expect([drive.status, drive.text.match(/<D:response>/g)?.length]).toEqual([207, 4])
    await t.ctx.jobs.drain()
    const query = { q: 'a.txt', scope: 'global' }
    const found = (await t.admin.call('GET', '/api/fs/search', { query })).body.data.results
    expect(found.map(({ path }: { path: string }) => path)).toEqual([`${m}/paged/a.txt`])
  })
})
