import { expect, test, vi } from 'vitest'
import { describeEachDatabase, type TestApp } from '../../../testing/app.ts'
import { localDiskId } from '../../../testing/files.ts'
import { isBehind, noteChange } from './storage-changes.usecases.ts'

const BUSY = Object.assign(new Error('database is locked'), { errcode: 5 })

/** Makes the database fail as busy when the index is changed. @returns a function that ends the failures */
function refuseChanges({ ctx }: TestApp): () => void {
  const transaction = ctx.database.transaction.bind(ctx.database)
  const busy = vi.spyOn(ctx.database, 'transaction').mockImplementation((work) => {
    if (String(work).includes('changeIndex')) throw BUSY
    return transaction(work)
  })
  return () => busy.mockRestore()
}

const names = async (t: TestApp): Promise<string[]> => {
  const { body } = await t.admin.call('GET', '/api/fs/list', { query: { path: '/local/folder' } })
  return body.data.items.map(({ name }: { name: string }) => name)
}

const found = async (t: TestApp) => {
  const { body } = await t.admin.call('GET', '/api/fs/search', { query: { q: 'note' } })
  const { results, complete } = body.data as { results: { name: string }[]; complete: boolean }
  return { names: results.map(({ name }) => name), complete }
}

const put = (t: TestApp, name: string) =>
  t.admin.call('PUT', `/dav/local/folder/${name}`, {
    payload: 'text',
    headers: { 'content-type': 'text/plain' },
  })

describeEachDatabase('changes that could not be written to the index', ({ startApp }) => {
  test('are listed nevertheless, and enter the index when the database accepts writes again', async () => {
    await using t = await startApp()
    await t.admin.call('POST', '/api/fs/mkdir', { body: { path: '/local/folder' } })
    await put(t, 'note-1.txt')
    await t.ctx.jobs.drain()
    expect(await names(t)).toEqual(['note-1.txt'])
    expect(await found(t)).toEqual({ names: ['note-1.txt'], complete: true })
    const takeAgain = refuseChanges(t)
    expect((await put(t, 'note-2.txt')).status).toBe(201)
    expect(await names(t)).toEqual(['note-1.txt', 'note-2.txt'])
    expect(await found(t)).toEqual({
      names: expect.arrayContaining(['note-1.txt', 'note-2.txt']),
      complete: false,
    })
    await t.admin.call('DELETE', '/dav/local/folder/note-1.txt')
    expect(await names(t)).toEqual(['note-2.txt'])
    takeAgain()
    await vi.waitFor(async () => expect(await found(t)).toEqual({ names: ['note-2.txt'], complete: true }))
    expect(await names(t)).toEqual(['note-2.txt'])
  })

  test('invalidate the index until a crawl if there are too many to store', async () => {
    await using t = await startApp()
    await t.admin.call('POST', '/api/fs/mkdir', { body: { path: '/local/folder' } })
    await put(t, 'note-1.txt')
    await t.ctx.jobs.drain()
    const configId = await localDiskId(t)
    const written = Array.from({ length: 20_001 }, (_, at) => ({
      key: `many/${at}.txt`,
      sizeBytes: 1,
      etag: 'e',
      modifiedAtMs: 1,
    }))
    const takeAgain = refuseChanges(t)
    await noteChange(t.ctx, { configId, written })
    expect(isBehind(t.ctx, configId)).toBe(true)
    takeAgain()
    await vi.waitFor(() => expect(isBehind(t.ctx, configId)).toBe(false))
    expect(await found(t)).toEqual({ names: ['note-1.txt'], complete: false })
    await t.ctx.jobs.drain()
    expect(await found(t)).toEqual({ names: ['note-1.txt'], complete: true })
  })

  test('are searched for after the next start if they were lost in a stop', async () => {
    const t = await startApp()
    await t.admin.call('POST', '/api/fs/mkdir', { body: { path: '/local/folder' } })
    await put(t, 'note-1.txt')
    await t.ctx.jobs.drain()
    refuseChanges(t)
    expect((await put(t, 'note-2.txt')).status).toBe(201)
    expect(await names(t)).toEqual(['note-1.txt', 'note-2.txt'])
    await using next = await t.restart()
    expect((await found(next)).complete).toBe(false)
    expect((await found(next)).names.toSorted()).toEqual(['note-1.txt', 'note-2.txt'])
    await next.ctx.jobs.drain()
    expect(await found(next)).toMatchObject({ complete: true })
    await using last = await next.restart()
    expect(await found(last)).toMatchObject({ complete: true })
  })

  test('do not delay others if the database never accepts them', async () => {
    await using t = await startApp()
    const configId = 'no such storage'
    await noteChange(t.ctx, { configId, written: [{ key: 'a', sizeBytes: 1, etag: 'e', modifiedAtMs: 1 }] })
    expect(isBehind(t.ctx, configId)).toBe(false)
  })
})
