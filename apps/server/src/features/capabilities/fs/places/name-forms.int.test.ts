import { expect, test } from 'vitest'
import { basic, driveAt, listen } from '../../../../testing/drive.ts'
import { getEntry, putFile } from '../../../../testing/fs.ts'
import { describeEachStorage } from '../../../../testing/storages.ts'

const NFC = 'Größe パ'.normalize('NFC')
const NFD = NFC.normalize('NFD')
const at = (...names: string[]) => names.map(encodeURIComponent).join('/')

describeEachStorage('names composed and decomposed', ({ startApp, mountPath }) => {
  test('are the same name for the drive and the API, no matter which was stored first', async () => {
    await using t = await startApp()
    const { key } = await t.keyClient({ mount_permission: true })
    const drive = driveAt(await listen(t), basic('anyone', key))
    for (const [first, then] of [
      [NFC, NFD],
      [NFD, NFC],
    ] as const) {
      const folder = `${mountPath}/${first === NFC ? 'composed' : 'decomposed'}`
      const put = (name: string, body: string) =>
        drive.call('PUT', `${folder}/${at(name, `${name}.txt`)}`, { body })
      await drive.call('MKCOL', `${folder}/`)
      await drive.call('MKCOL', `${folder}/${at(first)}/`)
      expect((await put(first, 'a')).status).toBe(201)
      expect((await drive.call('GET', `${folder}/${at(then, `${then}.txt`)}`)).text).toBe('a')
      expect((await put(then, 'b')).status).toBe(204)
      expect((await drive.call('MKCOL', `${folder}/${at(then)}/`)).status).toBe(405)
      const prefix = `${folder.slice(mountPath.length + 1)}/${first}/`
      const keys = (await t.storage.keys(prefix)).filter((name) => !name.endsWith('/'))
      expect(keys).toEqual([`${prefix}${first}.txt`])
      expect(await t.storage.text(keys[0] ?? '')).toBe('b')
      expect((await getEntry(t.admin, `${folder}/${then}/${then}.txt`)).status).toBe(200)
      const list = await t.admin.call('GET', '/api/fs/list', { query: { path: `${folder}/${then}/` } })
      expect(list.body.data.items.map(({ name }: { name: string }) => name)).toEqual([`${first}.txt`])
      const scope = { scope: 'directory', path: `${folder}/${then}` }
      const found = await t.admin.call('GET', '/api/fs/search', { query: { q: then, ...scope } })
      expect(found.body.data.results.map(({ name }: { name: string }) => name)).toEqual([`${first}.txt`])
      await putFile(t.admin, `${folder}/${then}/other.txt`, 'beside')
      expect(await t.storage.text(`${prefix}other.txt`)).toBe('beside')
      const share = { path: `${folder}/${then}/${then}.txt` }
      expect((await t.admin.call('POST', '/api/fs/share', { body: share })).status).toBe(201)
      expect((await drive.call('DELETE', `${folder}/${at(then, `${then}.txt`)}`)).status).toBe(204)
      expect(await t.storage.keys(prefix)).not.toContain(`${prefix}${first}.txt`)
    }
  })

  test('that both exist are each found by their exact spelling', async () => {
    await using t = await startApp()
    for (const name of [NFC, NFD])
      await t.storage.put(`${name}.txt`, name === NFC ? 'composed' : 'decomposed')
    const { key } = await t.keyClient({ mount_permission: true })
    const drive = driveAt(await listen(t), basic('anyone', key))
    expect((await drive.call('GET', `${mountPath}/${at(`${NFC}.txt`)}`)).text).toBe('composed')
    expect((await drive.call('GET', `${mountPath}/${at(`${NFD}.txt`)}`)).text).toBe('decomposed')
  })
})
