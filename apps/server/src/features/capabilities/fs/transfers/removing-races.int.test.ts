import { parseFolderKey, type StorageDriver } from '@dropleaf/storage'
import { expect, test } from 'vitest'
import type { TestClient } from '../../../../testing/app.ts'
import { whenWaiting } from '../../../../testing/waiting.ts'
import { describeEachStorage, type StorageTestApp } from '../../../../testing/storages.ts'

const remove = (client: TestClient, ...paths: string[]) =>
  client.call('DELETE', '/api/fs/batch-remove', { body: { paths } })

/** Calls `happen` right after the first removal of objects. */
async function afterFirstRemoval(t: StorageTestApp, happen: () => Promise<unknown>): Promise<void> {
  const driver = (await t.storage.driver()) as unknown as Record<'remove', StorageDriver['remove']>
  const whole = driver.remove.bind(driver)
  driver.remove = async (keys, o) => {
    driver.remove = whole
    const result = await whole(keys, o)
    await happen()
    return result
  }
}

describeEachStorage('concurrent removals', ({ startApp, mountPath: m }) => {
  test.each(['d/a.txt', 'd/'])(
    'a file that is written while %s is removed is listed and found',
    async (gone) => {
      await using t = await startApp()
      for (const name of ['d/a.txt', 'd/other.txt']) await t.storage.put(name, 'old')
      const sent: Array<ReturnType<TestClient['call']>> = []
      await afterFirstRemoval(t, async () => {
        const waiting = whenWaiting(t.ctx)
        sent.push(t.admin.call('PUT', '/api/fs/upload', { query: { path: `${m}/d/a.txt` }, payload: 'new' }))
        await Promise.race([waiting, ...sent])
      })
      expect((await remove(t.admin, `${m}/${gone}`)).body.data).toMatchObject({ success: 1 })
      expect((await Promise.all(sent)).map(({ status }) => status)).toEqual([200])
      const there = (await t.storage.keys('d/')).filter((key) => key.endsWith('a.txt'))
      const indexed = await t.ctx.db
        .selectFrom('objects')
        .select('key')
        .where('key', '=', 'd/a.txt')
        .execute()
      expect(indexed.map(({ key }) => key)).toEqual(there)
      if (gone === 'd/a.txt') expect(await t.storage.text('d/a.txt')).toBe('new')
    },
  )

  test.each(['remove', 'move'] as const)(
    'a folder that is removed while a %s removes its last file does not reappear',
    async (kind) => {
      await using t = await startApp()
      await t.storage.put('d/a.txt', 'a')
      const removed: Array<ReturnType<TestClient['call']>> = []
      const happen = async () => {
        const waiting = whenWaiting(t.ctx)
        removed.push(remove(t.admin, `${m}/d/`))
        await Promise.race([waiting, ...removed])
      }
      const driver = (await t.storage.driver()) as unknown as Record<'move', StorageDriver['move']>
      const { move } = driver
      if (kind === 'move' && move)
        driver.move = async (...input) => {
          const moved = await move(...input)
          await happen()
          return moved
        }
      else await afterFirstRemoval(t, happen)
      const done =
        kind === 'remove'
          ? await remove(t.admin, `${m}/d/a.txt`)
          : await t.admin.call('POST', '/api/fs/batch-move', {
              body: { items: [{ sourcePath: `${m}/d/a.txt`, targetPath: `${m}/b.txt` }] },
            })
      expect(done.body.data).toMatchObject({ success: 1 })
      expect((await Promise.all(removed)).map(({ body }) => body.data.success)).toEqual([1])
      expect(await t.storage.keys('d')).toEqual([])
      expect(await (await t.storage.driver()).statFolder(parseFolderKey('d/'))).toBeNull()
    },
  )
})
