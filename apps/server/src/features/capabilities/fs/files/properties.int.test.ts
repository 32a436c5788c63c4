import { expect, test } from 'vitest'
import type { TestAnswer, TestClient } from '../../../../testing/app.ts'
import { describeEachStorage } from '../../../../testing/storages.ts'
import { crawl } from '../../../foundation/object-index/crawl.usecases.ts'

const read = (client: TestClient, path: string): Promise<TestAnswer> =>
  client.call('GET', '/api/fs/properties', { query: { path } })

describeEachStorage('fs: properties', ({ startApp, mountPath: m }) => {
  test('everything below a folder is counted, with equal results from the storage and from the index', async () => {
    await using t = await startApp()
    for (const key of ['a.txt', 'd/1.txt', 'd/e/2.txt', 'd/e/f/3.txt', 'd.x/4.txt', 'd/e2/', '照片/夏/5.jpg'])
      await t.storage.put(key, key.endsWith('/') ? '' : '12345')
    const compare = async () => {
      for (const [path, figures] of [
        [m, { files: 6, folders: 7, size: 30 }],
        [`${m}/d/`, { files: 3, folders: 3, size: 15 }],
        [`${m}/d`, { files: 3, folders: 3, size: 15 }],
        [`${m}/d/e`, { files: 2, folders: 1, size: 10 }],
        [`${m}/照片`, { files: 1, folders: 1, size: 5 }],
      ] as const) {
        const { data } = (await read(t.admin, path)).body
        expect([path, data]).toMatchObject([path, { ...figures, complete: true, isDirectory: true }])
      }
    }
    await compare()
    await crawl(t.ctx, { configId: t.storage.configId, signal: new AbortController().signal })
    await compare()
    const { data } = (await read(t.admin, '/')).body
    expect(data).toMatchObject({ path: '/', isVirtual: true, mount: null, size: 30, files: 6 })
  })

  test('the properties of a file include its share, but only for callers who can see the share', async () => {
    await using t = await startApp()
    await t.storage.put('in/a.txt', 'abc')
    await t.storage.put('out/b.txt', 'secret')
    const path = `${m}/in/a.txt`
    expect((await read(t.admin, path)).body.data).toMatchObject({
      path,
      name: 'a.txt',
      isDirectory: false,
      size: 3,
      files: 1,
      contentType: 'text/plain',
      mount: { id: t.storage.mountId, path: m },
      share: null,
    })
    await t.admin.call('POST', '/api/fs/share', { body: { path, slug: 'shared' } })
    expect((await read(t.admin, path)).body.data.share).toMatchObject({ slug: 'shared' })
    const key = await t.keyClient({ mount_permission: true, basic_path: `${m}/in` })
    expect((await read(key, path)).body.data.share).toBe(null)
    expect((await read(key, `${m}/in`)).body.data).toMatchObject({ files: 1, size: 3 })
    for (const above of ['/', m])
      expect((await read(key, above)).body.data).toMatchObject({ files: 0, size: 0 })
    expect((await read(key, `${m}/out`)).body.error.code).toBe('auth.path_forbidden')
    expect((await read(t.admin, `${m}/none`)).body.error.code).toBe('fs.not_found')
  })
})
