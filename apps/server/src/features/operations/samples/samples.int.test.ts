import { expect, test } from 'vitest'
import { describeEachDatabase, type TestApp } from '../../../testing/app.ts'
import { getEntry, putFile } from '../../../testing/fs.ts'

interface ListedSample {
  readonly kind: 'text' | 'file' | 'folder'
  readonly name: string
  readonly at: string
}

const ask = async (t: TestApp, method: string, language = 'en'): Promise<ListedSample[]> =>
  (await t.admin.call(method, '/api/admin/samples', { headers: { 'accept-language': language } })).body.data
const remove = async (t: TestApp): Promise<ListedSample[]> =>
  (await t.admin.call('DELETE', '/api/admin/samples')).body.data.kept
const atOf = (samples: readonly ListedSample[], kind: ListedSample['kind']): string =>
  samples.find((sample) => sample.kind === kind)?.at ?? ''
const stats = async (t: TestApp) => (await t.admin.call('GET', '/api/admin/dashboard/stats')).body.data
const namesIn = async (t: TestApp, path: string): Promise<string[]> =>
  (await t.admin.call('GET', '/api/fs/list', { query: { path } })).body.data.items.map(
    ({ name }: { name: string }) => name,
  )

describeEachDatabase('samples', ({ startApp }) => {
  test('are a text, a file and a folder in the language of the request, and are created once', async () => {
    await using t = await startApp()
    expect([await ask(t, 'GET'), (await stats(t)).hasSamples]).toEqual([[], false])
    const made = await ask(t, 'POST', 'zh-CN')
    expect(made).toMatchObject([
      { kind: 'text', name: '示例：周末去湖边' },
      { kind: 'file', name: '预算.csv' },
      { kind: 'folder', name: '示例', at: '/local/示例' },
    ])
    expect(await ask(t, 'POST', 'en')).toEqual(made)
    expect(await ask(t, 'GET')).toEqual(made)
    expect(await stats(t)).toMatchObject({ totalPastes: 1, totalFiles: 1, hasSamples: true })

    const text = await t.visitor.call('GET', `/api/paste/${atOf(made, 'text')}`)
    expect(text.body.content).toMatch(/^# 周末去湖边/)
    const file = await t.visitor.call('GET', `/api/file-download/${atOf(made, 'file')}`)
    expect(file.text).toMatch(/^类别,/)
    expect(await namesIn(t, '/local/示例')).toEqual(['叶子.svg', '日程.txt', '请先看这里.md'])
  })

  test('can be removed completely, and created again', async () => {
    await using t = await startApp()
    await putFile(t.admin, '/local/mine.txt', 'mine')
    const [text] = await ask(t, 'POST')
    // Samples are also found after renaming.
    await t.admin.call('PUT', `/api/admin/pastes/${text?.at}`, {
      body: {
        content: (await t.visitor.call('GET', `/api/paste/${text?.at}`)).body.content,
        remark: 'mine',
        newSlug: 'renamed',
      },
    })
    expect(await remove(t)).toEqual([])
    await t.ctx.jobs.drain()
    expect([await ask(t, 'GET'), (await stats(t)).hasSamples]).toEqual([[], false])
    expect(await stats(t)).toMatchObject({ totalPastes: 0, totalFiles: 0 })
    expect(await namesIn(t, '/local')).toEqual(['mine.txt'])
    expect(await remove(t)).toEqual([])
    expect(await ask(t, 'POST')).toHaveLength(3)
  })

  test('do not take names of existing files, and changed or added files stay', async () => {
    await using t = await startApp()
    await putFile(t.admin, '/local/Samples/mine.txt', 'mine')
    const made = await ask(t, 'POST')
    expect(atOf(made, 'folder')).toBe('/local/Samples 2')
    await putFile(t.admin, '/local/Samples 2/added.txt', 'added')
    await putFile(t.admin, '/local/Samples 2/Programme.txt', 'changed')
    await t.admin.call('PUT', `/api/admin/pastes/${atOf(made, 'text')}`, { body: { content: 'my own text' } })
    expect(await remove(t)).toMatchObject([
      { kind: 'text', at: atOf(made, 'text') },
      { kind: 'folder', at: '/local/Samples 2' },
    ])
    expect(await namesIn(t, '/local/Samples 2')).toEqual(['added.txt', 'Programme.txt'])
    expect(await namesIn(t, '/local/Samples')).toEqual(['mine.txt'])
    expect((await t.visitor.call('GET', `/api/paste/${atOf(made, 'text')}`)).body.content).toBe('my own text')
    // Changed samples now count as the user's own files.
    expect([await ask(t, 'GET'), await remove(t)]).toEqual([[], []])
    expect((await getEntry(t.admin, '/local/Samples 2')).status).toBe(200)
  })

  test('are completed if some were deleted, and have no folder on a server without a local disk', async () => {
    await using t = await startApp()
    const made = await ask(t, 'POST')
    await t.admin.call('POST', '/api/admin/pastes/batch-delete', { body: { ids: [atOf(made, 'text')] } })
    expect((await ask(t, 'GET')).map(({ kind }) => kind)).toEqual(['file', 'folder'])
    const again = await ask(t, 'POST')
    expect(again).toHaveLength(3)
    expect(again.slice(1)).toEqual(made.slice(1))
    await remove(t)
    const mounts = (await t.admin.call('GET', '/api/admin/mounts')).body.data
    for (const { id } of mounts) await t.admin.call('DELETE', `/api/admin/mounts/${id}`)
    expect((await ask(t, 'POST')).map(({ kind }) => kind)).toEqual(['text', 'file'])
    expect(await remove(t)).toEqual([])
  })
})
