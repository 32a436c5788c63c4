import { expect, test } from 'vitest'
import { basic, driveAt, listen } from '../../../testing/drive.ts'
import { afterEachRemoval, describeEachStorage } from '../../../testing/storages.ts'

describeEachStorage('a deletion of a folder during writes into it', ({ startApp, mountPath: m }) => {
  test('includes the new files', async () => {
    await using t = await startApp()
    const { key } = await t.keyClient({ mount_permission: true })
    const drive = driveAt(await listen(t), basic('x', key))
    for (const name of ['gone/a.txt', 'gone-too/b.txt']) await t.storage.put(name, name)
    await afterEachRemoval(t, async (count) => {
      if (count <= 2) await t.storage.put(`gone/deep/late-${count}.txt`, 'late')
    })
    expect((await drive.call('DELETE', `${m}/gone/`)).status).toBe(204)
    expect(await t.storage.keys('gone')).toEqual(['gone-too/b.txt'])
    expect((await drive.call('PROPFIND', `${m}/gone`, { headers: { depth: '0' } })).status).toBe(404)
  })

  test('keeps the folder with the last files, and reports it, if the writes do not end', async () => {
    await using t = await startApp()
    const { key } = await t.keyClient({ mount_permission: true })
    const drive = driveAt(await listen(t), basic('x', key))
    await t.storage.put('busy/a.txt', 'a')
    await afterEachRemoval(t, (count) => t.storage.put(`busy/late-${count}.txt`, 'late'))
    const refused = await drive.call('DELETE', `${m}/busy/`, { headers: { 'accept-language': 'en' } })
    expect([refused.status, await t.storage.keys('busy/')]).toEqual([207, ['busy/late-3.txt']])
    expect(refused.text.match(/<D:href>[^<]*/g)).toEqual([`<D:href>/dav${m}/busy/late-3.txt`])
    expect(refused.text).toContain('HTTP/1.1 409 Conflict')
    expect(refused.text).toContain('Their newest items are still there')
    const body = { paths: [`${m}/busy/`] }
    const { data } = (await t.admin.call('DELETE', '/api/fs/batch-remove', { body })).body
    expect(data).toMatchObject({ success: 0, failed: [{ path: `${m}/busy/`, code: 'fs.written_meanwhile' }] })
  })
})
