import { setTimeout as sleep } from 'node:timers/promises'
import type { StorageDriver } from '@dropleaf/storage'
import { expect, test } from 'vitest'
import { basic, type Drive, driveAt, listen } from '../../../testing/drive.ts'
import { describeOneStorage, type StorageTestApp } from '../../../testing/storages.ts'

async function openDrive(t: StorageTestApp): Promise<Drive> {
  const { key } = await t.keyClient({ mount_permission: true })
  return driveAt(await listen(t), basic('anyone', key))
}

const upTo = (count: number) => Array.from({ length: count }, (_, n) => n)

type Removing = Record<'remove', StorageDriver['remove']>

/** Blocks the next removal of objects until `letGo` is called. */
async function holdRemoval(t: StorageTestApp) {
  const driver = (await t.storage.driver()) as unknown as Removing
  const remove = driver.remove.bind(driver)
  const [began, letGo] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  driver.remove = async (...input) => {
    driver.remove = remove
    began.resolve()
    await letGo.promise
    return remove(...input)
  }
  return { began: began.promise, letGo: letGo.resolve }
}

/** Delays reads of the metadata of `key` until `count` reads have arrived. */
async function gatherStats(t: StorageTestApp, key: string, count: number): Promise<void> {
  const driver = (await t.storage.driver()) as unknown as Record<'stat', StorageDriver['stat']>
  const stat = driver.stat.bind(driver)
  const [all, arrived] = [Promise.withResolvers<void>(), new Set<object>()]
  driver.stat = async (...input) => {
    if (input[0] === key && arrived.size < count) {
      arrived.add({})
      if (arrived.size === count) all.resolve()
      await all.promise
    }
    return stat(...input)
  }
}

describeOneStorage('disk', 'concurrent operations of a drive', ({ startApp, mountPath: m }) => {
  test('a deletion is complete when it returns, so later files at the path stay', async () => {
    await using t = await startApp()
    const drive = await openDrive(t)
    const names = upTo(24).map((n) => `${m}/${n}.txt`)
    for (const n of names.keys()) await t.storage.put(`${n}.txt`, 'old')
    const statuses = await Promise.all(
      names.map(async (name) => {
        const { status } = await drive.call('DELETE', name)
        const there = (await drive.call('HEAD', name)).status
        return [status, there, (await drive.call('PUT', name, { body: 'new' })).status]
      }),
    )
    expect(statuses).toEqual(names.map(() => [204, 404, 201]))
    await t.ctx.tasks.drain()
    for (const n of names.keys()) expect(await t.storage.text(`${n}.txt`)).toBe('new')
  })

  test.each(['MOVE', 'COPY'])('everything that a %s reports is at its target', async (method) => {
    await using t = await startApp()
    const drive = await openDrive(t)
    for (const n of upTo(24)) await t.storage.put(`${n}.txt`, `${n}`)
    const answers = await Promise.all(
      upTo(24).map(async (n) => {
        const headers = { destination: `/dav${m}/to-${n}.txt` }
        const { status } = await drive.call(method, `${m}/${n}.txt`, { headers })
        return [status, (await drive.call('GET', `${m}/to-${n}.txt`)).text]
      }),
    )
    expect(answers).toEqual(upTo(24).map((n) => [201, `${n}`]))
  })

  test('of many moves to one name without overwriting, one succeeds', async () => {
    await using t = await startApp()
    const drive = await openDrive(t)
    for (const n of upTo(12)) await t.storage.put(`${n}.txt`, `${n}`)
    const headers = { destination: `/dav${m}/one.txt`, overwrite: 'F' }
    const statuses = await Promise.all(
      upTo(12).map(async (n) => (await drive.call('MOVE', `${m}/${n}.txt`, { headers })).status),
    )
    expect(statuses.sort()).toEqual([201, ...upTo(11).map(() => 412)])
  })

  test.each([
    ['MOVE', 's'],
    ['COPY', 's'],
    ['MOVE', 's/'],
    ['COPY', 's/'],
  ])('of many a %s of %s to one name, each replaces the one before', async (method, kind) => {
    await using t = await startApp()
    const drive = await openDrive(t)
    const slash = kind === 's/' ? '/' : ''
    for (const n of upTo(6)) await t.storage.put(slash ? `s-${n}/a-${n}.txt` : `s-${n}`, `${n}`)
    const statuses = await Promise.all(
      upTo(6).map(async (n) => {
        const headers = { destination: `/dav${m}/one${slash}` }
        return (await drive.call(method, `${m}/s-${n}${slash}`, { headers })).status
      }),
    )
    expect(statuses.sort()).toEqual([201, 204, 204, 204, 204, 204])
    const files = (await t.storage.keys('one')).filter((key) => !key.endsWith('/'))
    expect(files).toEqual([slash ? expect.stringMatching(/^one\/a-\d\.txt$/) : 'one'])
    const left = (await t.storage.keys('s-')).filter((key) => !key.endsWith('/'))
    expect(left.length).toBe(method === 'MOVE' ? 0 : 6)
  })

  test('concurrent copies of folders with depth 0 to one name replace each other', async () => {
    await using t = await startApp()
    const drive = await openDrive(t)
    for (const n of upTo(4)) await t.storage.put(`s-${n}/a.txt`, `${n}`)
    const headers = { destination: `/dav${m}/one/`, depth: '0' }
    const statuses = await Promise.all(
      upTo(4).map(async (n) => (await drive.call('COPY', `${m}/s-${n}/`, { headers })).status),
    )
    expect(statuses.filter((status) => status !== 201 && status !== 204)).toEqual([])
    expect((await drive.call('PROPFIND', `${m}/one/`, { headers: { depth: '0' } })).status).toBe(207)
  })

  test('a conditional move does not replace a file that was created at its target', async () => {
    await using t = await startApp()
    const drive = await openDrive(t)
    for (const n of upTo(3)) await t.storage.put(`s-${n}`, `${n}`)
    await gatherStats(t, 'one', 3)
    const headers = { destination: `/dav${m}/one`, if: '(Not <DAV:no-lock>)' }
    const statuses = await Promise.all(
      upTo(3).map(async (n) => (await drive.call('MOVE', `${m}/s-${n}`, { headers })).status),
    )
    expect(statuses.sort()).toEqual([201, 412, 412])
  })

  test('a move that was interrupted before its atomic step replaces the intended target', async () => {
    await using t = await startApp()
    const { id } = await t.keyClient({ mount_permission: true })
    for (const name of ['a.txt', 'b.txt']) await t.storage.put(name, name)
    const item = { source: `${m}/a.txt`, target: `${m}/b.txt` }
    const payload = { items: [item], conflict: 'replace', intoFolder: true }
    const { id: task } = await t.ctx.tasks.add({ type: 'move', owner: `apikey:${id}`, payload })
    const value = { index: 0, target: item.target, cursor: null, items: [] }
    const progress = JSON.parse((await t.ctx.tasks.find(task))?.progress ?? '')
    const checkpoint = JSON.stringify({ value, progress, failures: [] })
    await t.ctx.db.updateTable('tasks').set({ checkpoint }).execute()
    await t.ctx.tasks.drain()
    expect((await t.ctx.tasks.find(task))?.state).toBe('completed')
    expect(await t.storage.text('b.txt')).toBe('a.txt')
    expect(await t.storage.keys('a')).toEqual([])
  })

  test('an operation that another process has taken over is answered when it ends', async () => {
    await using t = await startApp()
    const drive = await openDrive(t)
    await t.storage.put('d/a.txt', 'a')
    const held = await holdRemoval(t)
    const removed = drive.call('DELETE', `${m}/d/`)
    await held.began
    const { db } = t.ctx
    await db.updateTable('tasks').set({ lease_owner: 'another' }).execute()
    // The task checks twice a second (in real time) whether another process has taken it over.
    await sleep(700)
    held.letGo()
    const failures = JSON.stringify([{ path: `${m}/d/`, code: 'fs.holds_mount' }])
    await db.updateTable('tasks').set({ state: 'failed', failures, lease_owner: null }).execute()
    expect((await removed).status).toBe(409)
  })

  test('a stopping server reports interrupted operations as unavailable, and starts no new ones', async () => {
    await using t = await startApp()
    const drive = await openDrive(t)
    await t.storage.put('d/a.txt', 'a')
    await t.storage.put('b.txt', 'b')
    const held = await holdRemoval(t)
    const removed = drive.call('DELETE', `${m}/d/`)
    await held.began
    const stopped = t.ctx.tasks.stop()
    const late = await drive.call('DELETE', `${m}/b.txt`)
    held.letGo()
    await stopped
    for (const { status, headers } of [await removed, late])
      expect([status, Number(headers.get('retry-after')) > 0]).toEqual([503, true])
    expect(await t.storage.text('b.txt')).toBe('b')
    const left = await t.ctx.db.selectFrom('tasks').select(['type', 'state']).execute()
    expect(left).toEqual([{ type: 'delete', state: 'pending' }])
  })
})
