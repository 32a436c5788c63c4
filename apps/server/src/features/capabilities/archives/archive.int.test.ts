import { expect, test } from 'vitest'
import { eachOf } from '../../../lib/concurrency.ts'
import { describeOneStorage, manyOn, type TestStorage } from '../../../testing/storages.ts'
import { unpack } from '../../../testing/zip.ts'
import { activeMounts } from '../../foundation/mounts/mounts.usecases.ts'
import { hiddenByInnerMounts } from '../fs/places/hidden-by-inner-mounts.usecases.ts'
import { getPlace } from '../fs/places/places.usecases.ts'

async function fill(storage: TestStorage, entries: Record<string, string>): Promise<void> {
  for (const [key, content] of Object.entries(entries)) await storage.put(key, content)
}

describeOneStorage('disk', 'archives', ({ startApp, mountPath: m, kind }) => {
  const many = manyOn(kind, 500, 150)

  test('an archive contains files and folders of several mounts, with equal names numbered and names in UTF-8', async () => {
    await using t = await startApp()
    await fill(t.storage, {
      'a.txt': 'one',
      'x/a.txt': 'two',
      'y/a.txt': 'three',
      'y/照片/夏 天.txt': 'four',
      'y/empty/': '',
      'z/y/deep.txt': 'five',
    })
    const paths = [`${m}/a.txt`, `${m}/x/a.txt`, `${m}/y/`, `${m}/z/y/`]
    const answer = await t.admin.call('POST', '/api/fs/archive', { body: { paths, name: '合集' } })
    expect(answer.status).toBe(200)
    expect(answer.headers['content-type']).toBe('application/zip')
    expect(answer.headers['content-disposition']).toContain("filename*=UTF-8''%E5%90%88%E9%9B%86.zip")
    expect(await unpack(answer.bytes)).toEqual({
      'a.txt': 'one',
      'a(1).txt': 'two',
      'y/a.txt': 'three',
      'y/照片/夏 天.txt': 'four',
      'y/empty/': '',
      'y(1)/deep.txt': 'five',
    })
  })

  test('unreadable files are left out and named in a report', async () => {
    await using t = await startApp()
    await fill(t.storage, { 'd/1.txt': 'one', 'd/2.txt': 'two', 'd/3.txt': 'three' })
    const driver = (await t.storage.driver()) as { read: unknown }
    const whole = driver.read as (key: string) => unknown
    driver.read = (key: string) => (key === 'd/2.txt' ? Promise.reject(new Error('broken')) : whole(key))
    const paths = [`${m}/d/`, `${m}/none.txt`]
    const content = await unpack((await t.admin.call('POST', '/api/fs/archive', { body: { paths } })).bytes)
    driver.read = whole
    const { 'archive-report.txt': report, ...files } = content
    expect(files).toEqual({ 'd/1.txt': 'one', 'd/3.txt': 'three' })
    expect(report).toContain(`${m}/d/2.txt: `)
    expect(report).toContain(`${m}/none.txt: This file or folder does not exist`)
  })

  test('a ticket works once, without a credential, for files that its holder can still read', async () => {
    await using t = await startApp()
    await fill(t.storage, { 'p/a.txt': 'a', 'b.txt': 'b' })
    const key = await t.keyClient({ mount_permission: true, basic_path: `${m}/p` })
    const ask = (paths: string[]) => key.call('POST', '/api/fs/archive/ticket', { body: { paths } })
    for (const path of [`${m}/b.txt`, `${m}/`, '/', `${m}/p/../b.txt`, `${m}/p2`])
      expect([path, (await ask([path])).status >= 400]).toEqual([path, true])
    const ticket = (await ask([`${m}/p/`])).body.data
    const address = new URL(ticket.url).pathname
    expect(ticket.name).toBe('p.zip')
    const first = await t.visitor.call('GET', address)
    expect(await unpack(first.bytes)).toEqual({ 'p/a.txt': 'a' })
    const second = await t.visitor.call('GET', address)
    expect([second.status, second.body.error.code]).toEqual([403, 'fs.ticket_invalid'])
    const late = new URL((await ask([`${m}/p/`])).body.data.url).pathname
    await t.admin.call('DELETE', `/api/admin/api-keys/${key.id}`)
    expect((await t.visitor.call('GET', late)).status).toBe(401)
    const losses = [
      [{ mount_permission: false }, 403, 'auth.forbidden'],
      [{ basic_path: `${m}/q` }, 403, 'auth.path_forbidden'],
      [{ expires_at: new Date(t.clock.nowMs()).toISOString() }, 401, 'auth.unauthorized'],
    ] as const
    for (const [loss, status, code] of losses) {
      const holder = await t.keyClient({ mount_permission: true, basic_path: `${m}/p` })
      const given = await holder.call('POST', '/api/fs/archive/ticket', { body: { paths: [`${m}/p/`] } })
      await t.admin.call('PUT', `/api/admin/api-keys/${holder.id}`, { body: loss })
      const answer = await t.visitor.call('GET', new URL(given.body.data.url).pathname)
      expect([loss, answer.status, answer.body?.error.code]).toEqual([loss, status, code])
    }
  })

  test('an archive of the root contains everything that an administrator sees', async () => {
    await using t = await startApp()
    await fill(t.storage, { 'a.txt': 'a' })
    const answer = await t.admin.call('POST', '/api/fs/archive', { body: { paths: ['/'] } })
    expect((await unpack(answer.bytes))[`${m.slice(1)}/a.txt`]).toBe('a')
    const missing = await t.admin.call('POST', '/api/fs/archive', { body: { paths: [`${m}/no/`] } })
    expect([missing.status, missing.body.error.code]).toEqual([404, 'fs.not_found'])
  })

  test('a mount inside a folder adds its own files and hides the files that it covers', async () => {
    await using t = await startApp()
    await fill(t.storage, {
      'd/a.txt': 'a',
      'd/in/hidden.txt': 'hidden',
      'd/inner.txt': 'i',
      'o/x/b.txt': 'b',
    })
    const { id, ...mount } = await t.ctx.db
      .selectFrom('mounts')
      .selectAll()
      .where('mount_path', '=', m)
      .executeTakeFirstOrThrow()
    for (const path of [`${m}/d/in`, `${m}/way/on`])
      await t.ctx.db
        .insertInto('mounts')
        .values({ ...mount, id: `${id}${path}`, name: path, mount_path: path })
        .execute()
    const archive = async (path: string) =>
      unpack((await t.admin.call('POST', '/api/fs/archive', { body: { paths: [path] } })).bytes)
    const folder = await archive(`${m}/d/`)
    expect(folder).toMatchObject({ 'd/a.txt': 'a', 'd/inner.txt': 'i', 'd/in/o/x/b.txt': 'b' })
    expect(Object.keys(folder)).not.toContain('d/in/hidden.txt')
    expect(folder['d/in/d/in/hidden.txt']).toBe('hidden')
    expect(await archive(`${m}/way/`)).toMatchObject({ 'way/on/o/x/b.txt': 'b' })
    const all = await archive('/')
    const top = m.slice(1)
    expect(all).toMatchObject({ [`${top}/d/a.txt`]: 'a', [`${top}/d/in/d/a.txt`]: 'a' })
    expect(Object.keys(all).filter((name) => !/^(local|s3)\//.test(name))).toEqual([])
    const admin = {
      kind: 'admin',
      id: 'a',
      username: 'a',
      via: 'basic',
      sessionHash: null,
      sessionId: null,
    } as const
    const place = await getPlace(t.ctx, admin, `${m}/`, 'read')
    const isHidden = hiddenByInnerMounts(place, await activeMounts(t.ctx))
    const keys = ['d/', 'd/in/', 'd/in/hidden.txt', 'd/inner.txt', 'way/', 'way/on/x']
    expect(keys.filter((key) => isHidden(key))).toEqual(['d/in/', 'd/in/hidden.txt', 'way/on/x'])
  })

  test(`${many} files come in order, each with its own content`, async () => {
    await using t = await startApp()
    const keys = Array.from({ length: many }, (_, n) => `many/${n % 100}/${n}.txt`)
    await eachOf(keys, 16, (key) => t.storage.put(key, key))
    const answer = await t.admin.call('POST', '/api/fs/archive', { body: { paths: [`${m}/many/`] } })
    const content = await unpack(answer.bytes)
    expect(Object.keys(content)).toHaveLength(many)
    expect(keys.filter((key) => content[key] !== key)).toEqual([])
  })
})
