import { setTimeout as sleep } from 'node:timers/promises'
import { parseStorageKey, type StorageDriver } from '@dropleaf/storage'
import { expect, test } from 'vitest'
import { basic, type Drive, driveAt, hrefsIn, listen, lockAt, mountAlso } from '../../../testing/drive.ts'
import { describeEachStorage, type StorageTestApp } from '../../../testing/storages.ts'
import type { Actor } from '../../foundation/identity/actor.models.ts'
import { whenWaiting } from '../../../testing/waiting.ts'
import { openLeases } from '../../capabilities/fs/leases/key-leases.usecases.ts'
import { takeLock } from '../../foundation/object-locks/locks.usecases.ts'

async function openDrive(t: StorageTestApp): Promise<Drive> {
  const { key } = await t.keyClient({ mount_permission: true })
  return driveAt(await listen(t), basic('anyone', key))
}

const SOMEBODY: Actor = {
  kind: 'admin',
  id: 'somebody',
  username: 'somebody',
  via: 'basic',
  sessionHash: null,
  sessionId: null,
}

/** Runs a request until it has checked the locks and waits for a lease. Creates a lock while the request waits. */
async function whileItWaits<T>(
  t: StorageTestApp,
  { heldKey, lockedKey }: { heldKey: string; lockedKey: string },
  work: () => Promise<T>,
): Promise<T> {
  const { configId } = t.storage
  await using holds = openLeases(t.ctx, 'the test')
  expect(await holds.take([{ configId, key: heldKey }])).toBe(true)
  const waiting = whenWaiting(t.ctx)
  const done = work()
  await Promise.race([waiting, done])
  const name = { configId, key: lockedKey }
  await takeLock(t.ctx, SOMEBODY, {
    name,
    isDeep: false,
    isExclusive: true,
    ownerXml: '',
    timeoutSeconds: 60,
  })
  await holds.releaseAll()
  return done
}

describeEachStorage('locks during other operations', ({ startApp, mountPath: m, kind }) => {
  test.each([
    ['COPY', 'target.txt', 'target.txt'],
    ['MOVE', 'target.txt', 'target.txt'],
    ['MOVE', 'target.txt', 'source.txt'],
  ])('a %s to %s leaves it as it is when %s is locked', async (method, target, lockedKey) => {
    await using t = await startApp()
    const drive = await openDrive(t)
    for (const name of ['source.txt', 'target.txt']) await t.storage.put(name, name)
    const headers = { destination: `/dav${m}/${target}` }
    const refused = await whileItWaits(t, { heldKey: target, lockedKey }, () =>
      drive.call(method, `${m}/source.txt`, { headers }),
    )
    expect(refused.status).toBe(423)
    expect(await t.storage.text('target.txt')).toBe('target.txt')
    expect(await t.storage.text('source.txt')).toBe('source.txt')
  })

  test.each([
    ['DELETE', 'tree', 'tree/deep/b.txt'],
    ['MOVE', 'tree', 'tree/deep/b.txt'],
    ['MOVE', 'other', 'other/c.txt'],
    ['COPY', 'other', 'other/c.txt'],
  ])(
    'a %s of a folder leaves all as it is when something in %s is locked',
    async (method, heldKey, lockedKey) => {
      await using t = await startApp()
      const drive = await openDrive(t)
      const names = ['other/c.txt', 'tree/a.txt', 'tree/deep/b.txt']
      for (const name of names) await t.storage.put(name, name)
      const headers: Record<string, string> =
        method === 'DELETE' ? {} : { destination: `/dav${m}/${heldKey === 'tree' ? 'free' : 'other'}/` }
      const refused = await whileItWaits(t, { heldKey, lockedKey }, () =>
        drive.call(method, `${m}/tree/`, { headers }),
      )
      expect(refused.status).toBe(423)
      const files = (await t.storage.keys('')).filter((key) => names.includes(key))
      expect(files.sort()).toEqual(names)
    },
  )

  test.each(['MOVE', 'COPY'])(
    'a %s leaves what it would replace, when its source is locked or another by then',
    async (method) => {
      await using t = await startApp()
      const drive = await openDrive(t)
      const names = ['free/c.txt', 'one.txt', 'tree/b.txt']
      for (const name of names) await t.storage.put(name, name)
      const go = (from: string, more: Record<string, string> = {}) =>
        drive.call(method, `${m}/${from}`, { headers: { destination: `/dav${m}/free`, ...more } })
      if (method === 'MOVE') {
        const waits = { heldKey: 'free', lockedKey: 'tree/b.txt' }
        expect((await whileItWaits(t, waits, () => go('tree/'))).status).toBe(423)
      }
      const etag = (await drive.call('HEAD', `${m}/one.txt`)).headers.get('etag') ?? ''
      const { configId } = t.storage
      await using leases = openLeases(t.ctx, 'the test')
      expect(await leases.take([{ configId, key: 'free' }])).toBe(true)
      const waiting = whenWaiting(t.ctx)
      const going = go('one.txt', { 'if-match': etag })
      await Promise.race([waiting, going])
      await t.storage.put('one.txt', 'another')
      await leases.releaseAll()
      const changed = await going
      expect(changed.status).toBeOneOf([409, 412])
      expect((await t.storage.keys('')).filter((key) => !key.endsWith('/')).sort()).toEqual(names)
      const done = await go('tree/', { if: '(Not <DAV:no-lock>)' })
      if (method === 'COPY') {
        expect(done.status).toBe(204)
        expect(await t.storage.text('free/b.txt')).toBe('tree/b.txt')
        expect(await t.storage.keys('free/c')).toEqual([])
      }
    },
  )

  test('a lock of a tree waits for operations that started before, and blocks later ones', async () => {
    await using t = await startApp()
    const [drive, other] = [await openDrive(t), await openDrive(t)]
    await t.storage.put('tree/deep/a.txt', 'old')
    const driver = (await t.storage.driver()) as unknown as Record<'write', StorageDriver['write']>
    const write = driver.write.bind(driver)
    const order: string[] = []
    const isLetIn = Promise.withResolvers<void>()
    const mayWrite = Promise.withResolvers<void>()
    driver.write = async (...input) => {
      driver.write = write
      isLetIn.resolve()
      await mayWrite.promise
      const stat = await write(...input)
      order.push('written')
      return stat
    }
    const put = drive.call('PUT', `${m}/tree/deep/a.txt`, { body: 'new' })
    await isLetIn.promise
    const waiting = whenWaiting(t.ctx)
    const locked = lockAt(other, `${m}/tree`, { depth: 'infinity' }).then(({ status }) =>
      order.push(`locked ${status}`),
    )
    await Promise.race([waiting, locked])
    mayWrite.resolve()
    await locked
    expect((await put).status).toBe(204)
    expect(order).toEqual(['written', 'locked 200'])
    const set = '<D:set><D:prop><x xmlns="urn:x">1</x></D:prop></D:set>'
    for (const [method, name, body] of [
      ['PUT', 'a.txt', 'x'],
      ['MKCOL', 'new', undefined],
      ['PROPPATCH', 'a.txt', `<D:propertyupdate xmlns:D="DAV:">${set}</D:propertyupdate>`],
    ] as const)
      expect((await drive.call(method, `${m}/tree/deep/${name}`, body ? { body } : {})).status).toBe(423)
  })

  // This test is skipped on S3 by default, because it waits for a whole timeout and hardly depends on the storage.
  test.skipIf(kind === 's3' && process.env.EVERY_PAIR !== '1')(
    'a lock of a folder fails if an operation in the folder takes too long',
    async () => {
      await using t = await startApp()
      const drive = await openDrive(t)
      const { configId } = t.storage
      await t.storage.put('tree/a.txt', 'a')
      await using holds = openLeases(t.ctx, 'the test')
      await holds.take([{ configId, key: 'tree/a.txt' }])
      expect((await lockAt(drive, `${m}/tree`, { depth: 'infinity' })).status).toBe(503)
      expect(await t.ctx.db.selectFrom('dav_locks').selectAll().execute()).toEqual([])
    },
  )

  test('a lock waits for an operation on a parent folder, and fails if that takes too long', async () => {
    await using t = await startApp()
    const drive = await openDrive(t)
    const { configId } = t.storage
    await t.storage.put('tree/a.txt', 'a')
    await using holds = openLeases(t.ctx, 'the test')
    await holds.take([{ configId, key: 'tree' }])
    const refused = whenWaiting(t.ctx)
    const waiting = lockAt(drive, `${m}/tree/a.txt`)
    await Promise.race([refused, waiting])
    expect(await t.ctx.db.selectFrom('dav_locks').selectAll().execute()).toEqual([])
    await (await t.storage.driver()).remove([parseStorageKey('tree/a.txt')])
    await holds.releaseAll()
    // The file was deleted meanwhile, so the lock either creates an empty file or is refused.
    expect((await waiting).status).toBeOneOf([201, 409])
  })

  test('a move or removal of a folder while its members are locked is complete or refused', async () => {
    await using t = await startApp()
    const [one, other] = [await openDrive(t), await openDrive(t)]
    for (let at = 0; at < 6; at += 1) {
      for (const name of ['a', 'b', 'c']) await t.storage.put(`run-${at}/${name}.txt`, name)
      const work =
        at % 2 === 0
          ? other.call('DELETE', `${m}/run-${at}/`)
          : other.call('MOVE', `${m}/run-${at}/`, { headers: { destination: `/dav${m}/to-${at}/` } })
      // Uses different delays to try several orders. In every order, the responses must match the result.
      const [lock, done] = await Promise.all([
        sleep(at * 3).then(() => lockAt(one, `${m}/run-${at}/b.txt`)),
        work,
      ])
      const told = { at, lock: lock.status, done: done.status }
      if (done.status === 423) expect(told).toEqual({ at, lock: 200, done: 423 })
      else
        expect(told).toEqual({ at, lock: expect.toBeOneOf([201, 409, 503]), done: at % 2 === 0 ? 204 : 201 })
      if (lock.status === 200) expect((await one.call('GET', `${m}/run-${at}/b.txt`)).text).toBe('b')
    }
  })

  test('locks of members are reported individually, and URLs of folders end with a slash', async () => {
    await using t = await startApp()
    const [one, other] = [await openDrive(t), await openDrive(t)]
    await one.call('MKCOL', `${m}/folder`)
    await one.call('PUT', `${m}/folder/a b.txt`, { body: 'a' })
    const member = await lockAt(one, `${m}/folder/a b.txt`)
    expect(member.text).toContain(`<D:lockroot><D:href>/dav${m}/folder/a%20b.txt</D:href>`)
    const refused = await lockAt(other, `${m}/folder`, { depth: 'infinity' })
    expect(refused.status).toBe(207)
    expect(refused.headers.get('lock-token')).toBeNull()
    expect(refused.text).toMatch(
      /folder\/a%20b\.txt<\/D:href><D:status>HTTP\/1\.1 423 .*folder\/<\/D:href><D:status>HTTP\/1\.1 424 /,
    )
    await one.call('UNLOCK', `${m}/folder/a b.txt`, { headers: { 'lock-token': member.token } })
    const whole = await lockAt(one, `${m}/folder`, { depth: 'infinity' })
    const root = `<D:lockroot><D:href>/dav${m}/folder/</D:href>`
    expect(whole.text).toContain(root)
    for (const path of [`${m}/folder/`, `${m}/folder/a b.txt`])
      expect((await one.call('PROPFIND', path, { headers: { depth: '0' } })).text).toContain(root)
    const again = await lockAt(other, `${m}/folder/a b.txt`)
    expect([again.status, again.text]).toEqual([423, expect.stringContaining(`/dav${m}/folder/</D:href>`)])
  })

  test('a refusal because of a lock contains the same URL as the lock', async () => {
    await using t = await startApp()
    const [one, other] = [await openDrive(t), await openDrive(t)]
    for (const name of ['deep/folder/b.txt', 'deep/a.txt']) await t.storage.put(name, name)
    for (const [path, wanted] of [
      ['/', ['PUT', '/new.txt']],
      ['/deep/folder/', ['PUT', '/deep/folder/new.txt']],
      ['/deep/folder/', ['DELETE', '/deep/folder/']],
      ['/deep/folder/', ['DELETE', '/deep/']],
      ['/deep/a.txt', ['DELETE', '/deep/']],
      ['/deep/a.txt', ['PUT', '/deep/a.txt']],
    ] as const) {
      const taken = await lockAt(one, m + path, { depth: 'infinity' })
      const [method, at] = wanted
      const refused = await other.call(method, m + at, method === 'PUT' ? { body: 'x' } : {})
      const hrefs = refused.text.match(/<D:href>[^<]*/g)
      expect([path, refused.status, hrefs]).toEqual([path, 423, [`<D:href>/dav${m}${path}`]])
      expect(taken.text).toContain(`<D:lockroot><D:href>/dav${m}${path}</D:href>`)
      await one.call('UNLOCK', m + path, { headers: { 'lock-token': taken.token } })
    }
  })

  test('the owner of a folder’s lock is shown only to clients that can read the folder', async () => {
    await using t = await startApp()
    const [taker, other] = [await openDrive(t), await openDrive(t)]
    await t.storage.put('inner/a.txt', 'a')
    const narrow = await t.keyClient({ mount_permission: true, basic_path: `${m}/inner` })
    const inside = driveAt(await listen(t), basic('anyone', narrow.key))
    const outer = await lockAt(taker, `${m}/`, { depth: 'infinity' })
    const secrets = [outer.token.slice(1, -1), '<href>test</href>']
    const told = async (drive: Drive) => {
      const { text } = await drive.call('PROPFIND', `${m}/inner/`, { headers: { depth: '1' } })
      const roots = text.split(`<D:lockroot><D:href>/dav${m}/</D:href></D:lockroot>`).length - 1
      return [roots, ...secrets.map((secret) => text.includes(secret))]
    }
    expect(await told(other)).toEqual([2, true, true])
    expect(await told(inside)).toEqual([2, false, false])
  })

  test('the owner field of a lock has a maximum length', async () => {
    await using t = await startApp()
    const drive = await openDrive(t)
    const body = (length: number) =>
      `<lockinfo xmlns="DAV:"><lockscope><exclusive/></lockscope><locktype><write/></locktype><owner>${'o'.repeat(length)}</owner></lockinfo>`
    expect((await drive.call('LOCK', `${m}/a.txt`, { body: body(1200) })).status).toBe(400)
    expect(await t.storage.keys('a.txt')).toEqual([])
    expect((await drive.call('LOCK', `${m}/a.txt`, { body: body(950) })).status).toBe(201)
  })

  test('a folder can be listed after any number of lock requests', async () => {
    await using t = await startApp()
    const drive = await openDrive(t)
    await drive.call('MKCOL', `${m}/folder`)
    await drive.call('PUT', `${m}/folder/a.txt`, { body: 'a' })
    const take = async (path: string) =>
      (await lockAt(drive, `${m}/${path}`, { scope: 'shared', depth: 'infinity' })).status
    for (let at = 0; at < 32; at += 1) expect(await take(at % 2 === 0 ? 'folder/' : 'folder/a.txt')).toBe(200)
    expect(await take('folder/a.txt')).toBe(507)
    expect(await take('folder/')).toBe(507)
    expect(await take('')).toBe(507)
    expect(await take('other.txt')).toBe(201)
    const shown = await drive.call('PROPFIND', `${m}/folder`, { headers: { depth: '1' } })
    expect(shown.text.split('<D:activelock>').length - 1).toBe(16 + 32)
  })

  test('a folder that contains a mount cannot be locked as a tree', async () => {
    await using t = await startApp()
    const drive = await openDrive(t)
    await drive.call('MKCOL', `${m}/around`)
    await mountAlso(t, `${m}/around/inside`)
    expect((await lockAt(drive, `${m}/around/`, { depth: 'infinity' })).status).toBe(409)
    expect((await lockAt(drive, `${m}/around/`, { depth: '0' })).status).toBe(200)
  })

  test('one of several shared locks of a resource is sufficient, also one of a parent folder', async () => {
    await using t = await startApp()
    const [drive, other] = [await openDrive(t), await openDrive(t)]
    await drive.call('MKCOL', `${m}/both`)
    await drive.call('PUT', `${m}/both/a.txt`, { body: 'a' })
    const outer = await lockAt(drive, `${m}/both/`, { scope: 'shared', depth: 'infinity' })
    const inner = await lockAt(other, `${m}/both/a.txt`, { scope: 'shared' })
    const put = async (by: Drive, headers: Record<string, string> = {}) =>
      (await by.call('PUT', `${m}/both/a.txt`, { body: 'b', headers })).status
    expect(await put(drive)).toBe(423)
    expect(await put(drive, { if: `(${outer.token})` })).toBe(204)
    expect(await put(other, { if: `(${inner.token})` })).toBe(204)
    // A new file in the folder is protected by the folder's lock, for which the request has no token.
    const made = await other.call('PUT', `${m}/both/b.txt`, {
      body: 'b',
      headers: { if: `(<urn:x>) (Not <urn:x>)` },
    })
    expect(made.status).toBe(423)
    const gone = await other.call('DELETE', `${m}/both/a.txt`, { headers: { if: `(${inner.token})` } })
    expect([gone.status, hrefsIn(gone.text)]).toEqual([423, [`/dav${m}/both/`]])
    expect((await drive.call('DELETE', `${m}/both/`, { headers: { if: `(${outer.token})` } })).status).toBe(
      204,
    )
  })

  test('a lock stays when its resource is replaced', async () => {
    await using t = await startApp()
    const [drive, other] = [await openDrive(t), await openDrive(t)]
    for (const folder of ['from', 'to']) {
      await drive.call('MKCOL', `${m}/${folder}`)
      await drive.call('PUT', `${m}/${folder}/a.txt`, { body: folder })
    }
    const { token } = await lockAt(drive, `${m}/to/`, { depth: 'infinity' })
    const shown = { if: `</dav${m}/to/> (${token})` }
    const headers = { destination: `/dav${m}/to/`, ...shown }
    for (const [method, depth] of [
      ['COPY', '0'],
      ['COPY', 'infinity'],
      ['MOVE', 'infinity'],
    ] as const) {
      expect((await drive.call(method, `${m}/from/`, { headers: { ...headers, depth } })).status).toBe(204)
      expect((await other.call('PUT', `${m}/to/a.txt`, { body: 'x' })).status).toBe(423)
      const put = await drive.call('PUT', `${m}/to/a.txt`, { body: 'mine', headers: shown })
      expect(put.status).toBe(depth === '0' ? 201 : 204)
    }
    expect((await drive.call('DELETE', `${m}/to/`, { headers: shown })).status).toBe(204)
    expect(await t.ctx.db.selectFrom('dav_locks').selectAll().execute()).toEqual([])
  })

  test('a folder that contains a mount, and a mount, are shown correctly in their parents', async () => {
    await using t = await startApp()
    const drive = await openDrive(t)
    await drive.call('MKCOL', `${m}/team`)
    await mountAlso(t, `${m}/team/inside`)
    await lockAt(drive, `${m}/team/`, { depth: '0' })
    await drive.call('PROPPATCH', `${m}/team/`, {
      headers: { if: '(<urn:x>) (Not <urn:x>)' },
      body: '<D:propertyupdate xmlns:D="DAV:" xmlns:x="urn:x"><D:set><D:prop><x:one>1</x:one></D:prop></D:set></D:propertyupdate>',
    })
    const of = async (path: string, depth: string) => {
      const { text } = await drive.call('PROPFIND', path, { headers: { depth } })
      const responses = text.match(/<D:response>.*?<\/D:response>/gs) ?? []
      return responses.find((one) => one.includes(`<D:href>/dav${m}/team/</D:href>`))
    }
    const own = await of(`${m}/team`, '0')
    expect(own).toContain('<D:activelock>')
    expect(own).toContain('getlastmodified')
    expect(await of(m, '1')).toBe(own)
  })

  test('the last change in a request determines the Windows time of a file', async () => {
    await using t = await startApp()
    const drive = await openDrive(t)
    await drive.call('PUT', `${m}/a.txt`, { body: 'a' })
    const first = (await drive.call('HEAD', `${m}/a.txt`)).headers.get('last-modified')
    const date = (year: number) => `Mon, 06 Jan ${year} 00:00:00 GMT`
    const time = (inner: string) =>
      `<D:prop><z:Win32LastModifiedTime xmlns:z="urn:schemas-microsoft-com:">${inner}</z:Win32LastModifiedTime></D:prop>`
    const after = async (...steps: readonly string[]) => {
      const body = `<D:propertyupdate xmlns:D="DAV:">${steps.join('')}</D:propertyupdate>`
      expect((await drive.call('PROPPATCH', `${m}/a.txt`, { body })).text).toContain('200 OK')
      return (await drive.call('HEAD', `${m}/a.txt`)).headers.get('last-modified')
    }
    const set = (year: number) => `<D:set>${time(date(year))}</D:set>`
    const remove = `<D:remove>${time('')}</D:remove>`
    expect(new Date((await after(set(2014), set(2020))) ?? '').getUTCFullYear()).toBe(2020)
    expect(await after(remove)).toBe(first)
    expect(await after(set(2014), remove)).toBe(first)
    await drive.call('PUT', `${m}/a.txt`, { body: 'a', headers: { 'x-oc-mtime': '1000000000' } })
    expect(new Date((await after(remove)) ?? '').getUTCFullYear()).toBe(2001)
    expect(new Date((await after(remove, set(2020))) ?? '').getUTCFullYear()).toBe(2020)
  })

  test('a copy or move over a member counts as a change of its locked folder', async () => {
    await using t = await startApp()
    const drive = await openDrive(t)
    await drive.call('MKCOL', `${m}/kept`)
    for (const path of ['kept/a.txt', 'b.txt']) await drive.call('PUT', `${m}/${path}`, { body: path })
    const lock = await lockAt(drive, `${m}/kept/`, { depth: '0' })
    const headers = { destination: `/dav${m}/kept/a.txt` }
    for (const method of ['COPY', 'MOVE'])
      expect((await drive.call(method, `${m}/b.txt`, { headers })).status).toBe(423)
    const shown = { ...headers, if: `</dav${m}/kept/> (${lock.token})` }
    expect((await drive.call('MOVE', `${m}/b.txt`, { headers: shown })).status).toBe(204)
    // Overwriting an existing member does not change the folder, so the request needs no token.
    expect((await drive.call('PUT', `${m}/kept/a.txt`, { body: 'new' })).status).toBe(204)
  })

  test('a file that is deleted during a change of its properties leaves no properties', async () => {
    await using t = await startApp()
    const drive = await openDrive(t)
    const { configId } = t.storage
    const key = 'a.txt'
    await t.storage.put(key, 'a')
    await using holds = openLeases(t.ctx, 'the test')
    expect(await holds.take([{ configId, key }])).toBe(true)
    const waiting = whenWaiting(t.ctx)
    const patched = drive.call('PROPPATCH', `${m}/${key}`, {
      body: '<D:propertyupdate xmlns:D="DAV:" xmlns:x="urn:x"><D:set><D:prop><x:one>1</x:one></D:prop></D:set></D:propertyupdate>',
    })
    await Promise.race([waiting, patched])
    await (await t.storage.driver()).remove([parseStorageKey(key)])
    await holds.releaseAll()
    expect((await patched).status).toBe(404)
    expect(await t.ctx.db.selectFrom('dav_properties').selectAll().execute()).toEqual([])
  })

  test('an If header applies to every method, and has a maximum number of resources', async () => {
    await using t = await startApp()
    const drive = await openDrive(t)
    await drive.call('PUT', `${m}/a.txt`, { body: 'a' })
    const etag = (await drive.call('HEAD', `${m}/a.txt`)).headers.get('etag') ?? ''
    for (const [method, status] of [
      ['GET', 200],
      ['HEAD', 200],
      ['PROPFIND', 207],
    ] as const) {
      const ask = async (condition: string) =>
        (await drive.call(method, `${m}/a.txt`, { headers: { depth: '0', if: condition } })).status
      expect([method, await ask(`([${etag}])`)]).toEqual([method, status])
      expect([method, await ask('(["other"])')]).toEqual([method, 412])
      expect([method, await ask('(<opaquelocktoken:none>) (Not <DAV:no-lock>)')]).toEqual([method, status])
    }
    const many = Array.from({ length: 60 }, (_, at) => `</dav${m}/${at}> (["x"])`).join(' ')
    expect((await drive.call('PUT', `${m}/a.txt`, { body: 'b', headers: { if: many } })).status).toBe(400)
  })

  test('a move of a folder accepts the locks of many files in it', async () => {
    await using t = await startApp()
    const drive = await openDrive(t)
    await t.storage.put('folder/0.txt', '0')
    const { token } = await lockAt(drive, `${m}/folder/0.txt`)
    const lists = Array.from({ length: 60 }, (_, at) => `</dav${m}/folder/${at}.txt> (${token})`)
    const headers = { destination: `/dav${m}/moved/`, if: lists.join(' ') }
    expect((await drive.call('MOVE', `${m}/folder/`, { headers })).status).toBe(201)
  })

  test('properties are shown for each file that has them, with more than a hundred files between them', async () => {
    await using t = await startApp()
    const drive = await openDrive(t)
    await Promise.all(Array.from({ length: 230 }, (_, at) => t.storage.put(`many/${at + 100}.txt`, 'a')))
    const names = [100, 199, 200, 329].map((at) => `${at}.txt`)
    const body =
      '<D:propertyupdate xmlns:D="DAV:" xmlns:x="urn:x"><D:set><D:prop><x:one>1</x:one><D:displayname>own</D:displayname></D:prop></D:set></D:propertyupdate>'
    for (const name of ['', ...names]) await drive.call('PROPPATCH', `${m}/many/${name}`, { body })
    const headers = { depth: '1' }
    const ask = async (inner?: string) =>
      (
        await drive.call('PROPFIND', `${m}/many/`, {
          headers,
          ...(inner !== undefined && { body: `<propfind xmlns="DAV:">${inner}</propfind>` }),
        })
      ).text
    const count = (text: string, part: string) => text.split(part).length - 1
    const all = await ask()
    expect([count(all, '<D:response>'), count(all, '<x:one xmlns:x="urn:x">1</x:one>')]).toEqual([231, 5])
    expect(count(await ask('<propname/>'), '<one xmlns="urn:x"/>')).toBe(5)
    const some = await ask('<prop><one xmlns="urn:x"/><getetag/></prop>')
    expect([count(some, '>1</'), count(some, 'HTTP/1.1 404')]).toEqual([5, 227])
    expect(count(await ask('<prop><displayname/></prop>'), 'own')).toBe(5)
    expect(count(await ask('<prop><getetag/></prop>'), 'one')).toBe(0)
  })

  test('merging folders respects the limit of properties for each name', async () => {
    await using t = await startApp()
    const drive = await openDrive(t)
    const patch = (path: string, name: string) =>
      drive.call('PROPPATCH', `${m}/${path}`, {
        body: `<D:propertyupdate xmlns:D="DAV:" xmlns:x="urn:x"><D:set><D:prop><x:${name}>1</x:${name}></D:prop></D:set></D:propertyupdate>`,
      })
    for (const path of ['from', 'from/sub', 'to']) await drive.call('MKCOL', `${m}/${path}`)
    for (const path of ['from/a.txt', 'from/sub/b.txt', 'to/a.txt'])
      await drive.call('PUT', `${m}/${path}`, { body: path })
    for (const path of ['from/a.txt', 'from/sub/b.txt', 'from/sub']) await patch(path, 'new')
    await patch('to/a.txt', 'old')
    const body = {
      items: [{ sourcePath: `${m}/from/`, targetPath: `${m}/to/` }],
      conflict: 'overwrite',
    }
    expect((await t.admin.call('POST', '/api/fs/batch-copy', { body })).status).toBe(200)
    const rows = await t.ctx.db.selectFrom('dav_properties').select(['storage_key', 'name']).execute()
    const told = rows.map(({ storage_key, name }) => `${storage_key} ${name}`).sort()
    const kept = ['from/a.txt new', 'from/sub new', 'from/sub/b.txt new']
    expect(told).toEqual([...kept, 'to/a.txt old', 'to/sub new', 'to/sub/b.txt new'])
  })

  test('all properties of one resource have a common limit', async () => {
    await using t = await startApp()
    const drive = await openDrive(t)
    await drive.call('PUT', `${m}/a.txt`, { body: 'a' })
    const patch = (name: string, length: number) =>
      drive.call('PROPPATCH', `${m}/a.txt`, {
        body: `<D:propertyupdate xmlns:D="DAV:" xmlns:x="urn:x"><D:set><D:prop><x:${name}>${'v'.repeat(length)}</x:${name}></D:prop></D:set></D:propertyupdate>`,
      })
    expect((await patch('one', 45_000)).text).toContain('200 OK')
    expect((await patch('two', 45_000)).text).toContain('507 Insufficient Storage')
    expect((await patch('two', 100)).text).toContain('200 OK')
    expect((await patch('one', 100)).text).toContain('200 OK')
    expect((await patch('two', 45_000)).text).toContain('200 OK')
  })
})
