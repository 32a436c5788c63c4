import { expect, test } from 'vitest'
import { describeEachDatabase, type TestApp } from '../../../testing/app.ts'
import { putFile } from '../../../testing/fs.ts'
import { localDisk } from '../../../testing/storages.ts'

const namesIn = async (t: TestApp) => {
  const { body } = await t.admin.call('GET', '/api/fs/list', { query: { path: '/local/in/' } })
  return body.data.items.map(({ name }: { name: string }) => name).sort()
}

describeEachDatabase('listings after a crash', ({ startApp }) => {
  test('files written directly before the crash are listed after the next start', async () => {
    await using t = await startApp()
    await putFile(t.admin, '/local/in/a.txt')
    expect(await namesIn(t)).toEqual(['a.txt'])
    // Changes the storage directly, as if the server had crashed before updating the index.
    await (await localDisk(t)).put('in/b.txt')
    expect(await namesIn(t)).toEqual(['a.txt'])
    await using again = await t.restart()
    expect(await namesIn(again)).toEqual(['a.txt', 'b.txt'])
  })
})
