import { createHash } from 'node:crypto'
import { readdir } from 'node:fs/promises'
import { type ClientRequest, type OutgoingHttpHeaders, request } from 'node:http'
import { join } from 'node:path'
import { text as readText } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseFolderKey } from '@dropleaf/storage'
import { expect, test } from 'vitest'
import { ADMIN_PASSWORD } from '../../../testing/app.ts'
import { basic, type Drive, driveAt, hrefsIn, listen, lockAt, mountAlso } from '../../../testing/drive.ts'
import { setCapacity } from '../../../testing/files.ts'
import { hostilePaths, mountSecondDisk, putFile } from '../../../testing/fs.ts'
import { describeEachStorage, type StorageTestApp } from '../../../testing/storages.ts'
import { parseXml, textOf } from './xml.models.ts'

async function openDrive(t: StorageTestApp, permissions: Record<string, unknown> = {}): Promise<Drive> {
  const { key } = await t.keyClient({ mount_permission: true, ...permissions })
  return driveAt(await listen(t), basic('anyone', key))
}

describeEachStorage('the network drive', ({ startApp, mountPath }) => {
  test('an additional slash at the start of the path is ignored, also in Destination', async () => {
    await using t = await startApp()
    const { key } = await t.keyClient({ mount_permission: true })
    const origin = (await listen(t)).replace(/\/dav$/, '')
    const drive = driveAt(origin, basic('anyone', key))
    expect((await drive.call('PUT', `//dav${mountPath}/a.txt`, { body: 'a' })).status).toBe(201)
    expect((await drive.call('PROPFIND', `//dav${mountPath}/`, { headers: { depth: '0' } })).status).toBe(207)
    for (const [name, next, start] of [
      ['a', 'b', ''],
      ['b', 'c', origin],
    ] as const) {
      const headers = { destination: `${start}//dav${mountPath}/${next}.txt` }
      expect((await drive.call('MOVE', `//dav${mountPath}/${name}.txt`, { headers })).status).toBe(201)
    }
    expect((await drive.call('GET', `/dav${mountPath}/c.txt`)).text).toBe('a')
    const elsewhere = { headers: { destination: `//elsewhere/dav${mountPath}/d.txt` } }
    expect((await drive.call('MOVE', `/dav${mountPath}/c.txt`, elsewhere)).status).toBeGreaterThanOrEqual(400)
  })

  test('is accessible only to administrators and keys, with each form of credentials', async () => {
    await using t = await startApp()
    const url = await listen(t)
    const { key } = await t.keyClient({ mount_permission: true })
    const without = await t.keyClient({ text_permission: true })
    const short = await t.keyClient({ mount_permission: true, custom_key: 'short-key' })
    const statusOf = async (authorization: string | null) =>
      (await driveAt(url, authorization).call('PROPFIND', '/', { headers: { depth: '0' } })).status
    for (const good of [
      basic('admin', ADMIN_PASSWORD),
      basic(key, key),
      basic('anyone', key),
      basic('', key),
      basic('admin', key),
      basic('anyone', short.key),
      `ApiKey ${key}`,
    ])
      expect({ good, status: await statusOf(good) }).toEqual({ good, status: 207 })
    for (const bad of [
      null,
      basic('admin', 'wrong'),
      basic(key, 'wrong'),
      basic('x', without.key),
      'Basic !',
    ])
      expect({ bad, status: await statusOf(bad) }).toEqual({ bad, status: 401 })
    // A cached login ends when the password changes, and never applies to requests without credentials.
    await t.admin.call('POST', '/api/admin/change-password', {
      body: { currentPassword: ADMIN_PASSWORD, newPassword: 'another password' },
    })
    expect(await statusOf(basic('admin', ADMIN_PASSWORD))).toBe(401)
    const refused = await driveAt(url, null).call('PROPFIND', '/')
    expect(refused.headers.get('www-authenticate')).toMatch(/^Basic realm="WebDAV".*Bearer realm="WebDAV"$/)
    const dart = await driveAt(url, null).call('GET', '/', {
      headers: { 'user-agent': 'Dart/3.1 (dart:io)' },
    })
    expect(dart.headers.get('www-authenticate')).not.toContain('Bearer')
  })

  test('password guesses are limited', async () => {
    await using t = await startApp()
    const url = await listen(t)
    let status = 0
    for (let at = 0; at < 60 && status !== 429; at += 1)
      status =
        (await driveAt(url, basic('anyone', `guess-${at}`)).call('OPTIONS', '/x')).status === 200
          ? (await driveAt(url, basic('anyone', `guess-${at}`)).call('PROPFIND', '/')).status
          : 0
    expect(status).toBe(429)
  })

  test('a drive in use keeps working while others guess the administrator’s password', async () => {
    await using t = await startApp()
    const drive = driveAt(await listen(t), basic('admin', ADMIN_PASSWORD))
    const look = async () => (await drive.call('PROPFIND', '/', { headers: { depth: '0' } })).status
    expect(await look()).toBe(207)
    const window_ends_at_ms = t.clock.nowMs() + 3600_000
    const guesses = { key: 'login:name:admin', count: 100, window_ends_at_ms }
    await t.ctx.db.insertInto('throttles').values(guesses).execute()
    for (let at = 0; at < 3; at += 1) {
      t.clock.advance({ seconds: 240 })
      expect(await look()).toBe(207)
    }
    // An address with an earlier successful login is not locked out, even after a pause.
    t.clock.advance({ seconds: 1200 })
    expect(await look()).toBe(207)
  })

  test('guesses from other networks block only unknown clients, which get the waiting time', async () => {
    await using t = await startApp({ env: { TRUST_PROXY: '1' } })
    const url = await listen(t)
    const look = (from: string, password: string) =>
      driveAt(url, basic('admin', password)).call('PROPFIND', '/', {
        headers: { depth: '0', 'x-forwarded-for': from, 'accept-language': 'en' },
      })
    expect((await look('198.51.100.1', ADMIN_PASSWORD)).status).toBe(207)
    for (let at = 0; at < 100; at += 1)
      expect((await look(`192.0.2.${at % 10}`, `guess ${at}`)).status).toBe(401)
    t.clock.advance({ seconds: 400 })
    const refused = await look('198.51.100.2', ADMIN_PASSWORD)
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '500'])
    expect(refused.text).toContain('Too many attempts. Try again in 500 seconds.')
    expect((await look('198.51.100.1', ADMIN_PASSWORD)).status).toBe(207)
    t.clock.advance({ seconds: 500 })
    expect((await look('198.51.100.2', ADMIN_PASSWORD)).status).toBe(207)
  })

  test('one wrong password in the same network blocks no drive, but hundreds of them do', async () => {
    await using t = await startApp({ env: { TRUST_PROXY: '1' } })
    const url = await listen(t)
    const look = async (password: string) => {
      const headers = { depth: '0', 'x-forwarded-for': '203.0.113.9' }
      return (await driveAt(url, basic('admin', password)).call('PROPFIND', '/', { headers })).status
    }
    expect(await look(ADMIN_PASSWORD)).toBe(207)
    const outdated = await Promise.all(Array.from({ length: 150 }, () => look('outdated')))
    expect(outdated.filter((status) => status === 429)).toHaveLength(140)
    expect(await look(ADMIN_PASSWORD)).toBe(207)
    for (let at = 1; at < 99; at += 1) expect(await look(`guess ${at}`)).toBe(429)
    expect(await look(ADMIN_PASSWORD)).toBe(207)
    expect(await look('guess 99')).toBe(429)
    // After too many different wrong passwords even the right password is rejected, because the client could have
    // guessed it.
    expect(await look(ADMIN_PASSWORD)).toBe(429)
    t.clock.advance({ seconds: 900 })
    expect(await look(ADMIN_PASSWORD)).toBe(207)
  })

  test('answers OPTIONS of programs with its methods, and preflights of browsers as CORS', async () => {
    await using t = await startApp()
    const url = await listen(t)
    // Windows sends OPTIONS to the root of the host, whatever the path of the drive.
    for (const place of [`${url}${mountPath}/`, url, `${new URL(url).origin}/`]) {
      const plain = await driveAt(place, null).call('OPTIONS', '')
      expect([place, plain.status]).toEqual([place, 200])
      expect(plain.headers.get('dav')).toBe('1, 2, 3')
      expect(plain.headers.get('ms-author-via')).toBe('DAV')
      expect(plain.headers.get('allow')).toContain('PROPFIND')
      const preflight = await driveAt(place, null).call('OPTIONS', '', {
        headers: { origin: 'https://a.example', 'access-control-request-method': 'PROPFIND' },
      })
      expect([place, preflight.status]).toEqual([place, 204])
    }
    expect((await driveAt(url, null).call('POST', '/x')).status).toBe(404)
    for (const method of ['PATCH', 'REPORT', 'SEARCH']) {
      const unknown = await driveAt(url, null).call(method, `${mountPath}/x`)
      expect([method, unknown.status]).toEqual([method, 405])
      expect(unknown.headers.get('allow')).toContain('PROPFIND')
      expect(unknown.headers.get('allow')).toContain('PUT, MKCOL')
    }
    const drive = await openDrive(t)
    await t.storage.put('file.txt', 'file')
    const over = async (method: string, path: string) => {
      const { status, headers } = await drive.call(method, path)
      return [
        status,
        headers
          .get('allow')
          ?.split(', ')
          .filter((one) => /PUT|MKCOL/.test(one)),
      ]
    }
    expect(await over('MKCOL', `${mountPath}/file.txt`)).toEqual([405, ['PUT']])
    expect(await over('MKCOL', mountPath)).toEqual([405, []])
    expect(await over('PUT', `${mountPath}/`)).toEqual([405, []])
    const listed = await drive.call('PROPFIND', '/', { headers: { depth: '0' } })
    expect([listed.status, listed.headers.get('dav')]).toEqual([207, '1, 2, 3'])
    const nowhere = await drive.call('MKCOL', '/no-mount-here', { headers: { 'accept-language': 'en' } })
    expect(nowhere.status).toBe(403)
    expect(nowhere.text).toContain('cannot be changed here')
  })

  test('lists levels above mounts, mounts, folders and files, with URLs that work', async () => {
    await using t = await startApp()
    const drive = await openDrive(t)
    const names = ['中文.txt', 'a b.txt', 'a#b.txt', '100%.txt', '😀.txt', "q'u&o<t>e.txt", 'plus+semi;.txt']
    for (const name of names) {
      const put = await drive.call('PUT', `${mountPath}/${encodeURIComponent(name)}`, { body: name })
      expect({ name, status: put.status }).toEqual({ name, status: 201 })
    }
    expect((await drive.call('MKCOL', `${mountPath}/${encodeURIComponent('空 文件夹')}/`)).status).toBe(201)
    const top = await drive.call('PROPFIND', '', { headers: { depth: '1' } })
    expect(hrefsIn(top.text)).toEqual(expect.arrayContaining(['/dav/', `/dav${mountPath}/`]))
    const listed = await drive.call('PROPFIND', mountPath, { headers: { depth: '1' } })
    const hrefs = hrefsIn(listed.text).map((href) => href?.replaceAll('&amp;', '&') ?? '')
    expect(hrefs).toContain(`/dav${mountPath}/${encodeURIComponent('空 文件夹')}/`)
    for (const name of names) {
      const href = hrefs.find((one) => decodeURIComponent(one) === `/dav${mountPath}/${name}`)
      expect((await drive.call('GET', href?.slice('/dav'.length) ?? '')).text).toBe(name)
    }
    const infinite = await drive.call('PROPFIND', mountPath, { headers: { depth: 'infinity' } })
    expect(infinite.status).toBe(403)
    expect(infinite.text).toContain('<D:propfind-finite-depth/>')
    expect((await drive.call('PROPFIND', `${mountPath}/none`, { headers: { depth: '0' } })).status).toBe(404)
  })

  test('returns the requested properties, and the names of unknown ones', async () => {
    await using t = await startApp()
    const drive = await openDrive(t)
    await drive.call('PUT', `${mountPath}/a.txt`, { body: 'four' })
    const ask = async (inner: string, path = `${mountPath}/a.txt`) =>
      (
        await drive.call('PROPFIND', path, {
          headers: { depth: '0' },
          body: `<?xml version="1.0"?><D:propfind xmlns:D="DAV:" xmlns:x="urn:x">${inner}</D:propfind>`,
        })
      ).text
    const some = await ask('<D:prop><D:getcontentlength/><x:none/><D:constructor/></D:prop>')
    expect(some).toContain('<D:getcontentlength>4</D:getcontentlength>')
    expect(some).toMatch(/<none xmlns="urn:x"\/><D:constructor\/><\/D:prop><D:status>HTTP\/1.1 404/)
    expect(await ask('<D:propname/>')).toContain('<D:getetag/>')
    const etag = (await drive.call('HEAD', `${mountPath}/a.txt`)).headers.get('etag')
    expect(await ask('<D:allprop/>')).toContain(
      `<D:getetag>${etag?.replaceAll('"', '&quot;')}</D:getetag>`.replaceAll('&quot;', '"'),
    )
    const quota = '<D:prop><D:quota-used-bytes/><D:quota-available-bytes/></D:prop>'
    expect(await ask(quota, mountPath)).toMatch(/<D:quota-used-bytes>\d+<\/D:quota-used-bytes>/)
    for (const bad of ['<D:prop', '<a/>', '<!DOCTYPE a [<!ENTITY b "c">]><D:propfind xmlns:D="DAV:"/>'])
      expect((await drive.call('PROPFIND', mountPath, { headers: { depth: '0' }, body: bad })).status).toBe(
        400,
      )
  })

  test('stores properties of clients, and copies and moves them with their files', async () => {
    await using t = await startApp()
    const drive = await openDrive(t)
    const patch = (path: string, inner: string) =>
      drive.call('PROPPATCH', path, {
        body: `<?xml version="1.0"?><D:propertyupdate xmlns:D="DAV:" xmlns:x="urn:x" xml:lang="de">${inner}</D:propertyupdate>`,
      })
    const allOf = async (path: string) =>
      (await drive.call('PROPFIND', path, { headers: { depth: '0' } })).text
    await drive.call('MKCOL', `${mountPath}/from`)
    await drive.call('PUT', `${mountPath}/from/a.txt`, { body: 'a' })
    const value = '<x:colour><x:deep at="1">grün &amp; blau</x:deep></x:colour>'
    for (const path of [`${mountPath}/from`, `${mountPath}/from/a.txt`])
      expect((await patch(path, `<D:set><D:prop>${value}</D:prop></D:set>`)).text).toContain('200 OK')
    const all = await allOf(`${mountPath}/from/a.txt`)
    expect(all).toContain('grün &amp; blau')
    expect(all).toContain('xml:lang="de"')
    const refused = await patch(
      `${mountPath}/from/a.txt`,
      '<D:set><D:prop><x:other>1</x:other><D:getetag>2</D:getetag></D:prop></D:set>',
    )
    expect(refused.text).toMatch(
      /<D:getetag\/>.*403.*cannot-modify-protected-property.*<other xmlns="urn:x"\/>.*424/,
    )
    expect(await allOf(`${mountPath}/from/a.txt`)).not.toContain('other')
    const to = (name: string) => ({ headers: { destination: `/dav${mountPath}/${name}` } })
    expect((await drive.call('COPY', `${mountPath}/from/`, to('copy'))).status).toBe(201)
    expect((await drive.call('MOVE', `${mountPath}/from/`, to('moved/'))).status).toBe(201)
    for (const path of ['copy', 'copy/a.txt', 'moved', 'moved/a.txt'])
      expect(await allOf(`${mountPath}/${path}`)).toContain('grün &amp; blau')
    // Properties also follow a file that is renamed through the API.
    const rename = await t.admin.call('POST', '/api/fs/rename', {
      body: { oldPath: `${mountPath}/moved/a.txt`, newPath: `${mountPath}/moved/b.txt` },
    })
    expect(rename.status).toBe(200)
    expect(await allOf(`${mountPath}/moved/b.txt`)).toContain('grün &amp; blau')
    await drive.call('DELETE', `${mountPath}/moved/b.txt`)
    await drive.call('PUT', `${mountPath}/moved/b.txt`, { body: 'new' })
    expect(await allOf(`${mountPath}/moved/b.txt`)).not.toContain('grün')
  })

  test('a file is stored completely and visible through other interfaces; conditions apply', async () => {
    await using t = await startApp()
    const drive = await openDrive(t)
    const path = `${mountPath}/notes.txt`
    const first = await drive.call('PUT', path, { body: 'one', headers: { 'if-none-match': '*' } })
    expect(first.status).toBe(201)
    const etag = first.headers.get('etag') ?? ''
    const again = { body: 'two', headers: { 'if-none-match': '*' } }
    expect((await drive.call('PUT', path, again)).status).toBe(412)
    expect((await drive.call('PUT', path, { body: 'x', headers: { 'if-match': '"no"' } })).status).toBe(412)
    for (const method of ['PUT', 'GET']) {
      const weak = { headers: { 'if-match': `W/${etag}` }, ...(method === 'PUT' ? { body: 'x' } : {}) }
      expect([method, (await drive.call(method, path, weak)).status]).toEqual([method, 412])
    }
    expect((await drive.call('GET', path, { headers: { 'if-none-match': `W/${etag}` } })).status).toBe(304)
    expect((await drive.call('PUT', path, { body: 'x', headers: { if: '(["no"])' } })).status).toBe(412)
    expect((await drive.call('PUT', path, { body: 'x', headers: { if: 'no' } })).status).toBe(400)
    const part = { body: 'part', headers: { 'content-range': 'bytes 0-3/9', 'accept-language': 'en' } }
    const refused = await drive.call('PUT', path, part)
    expect([refused.status, refused.text]).toEqual([400, expect.stringContaining('whole file without')])
    const right = await drive.call('PUT', path, { body: 'two', headers: { if: `([${etag}])` } })
    expect(right.status).toBe(204)
    expect((await t.admin.call('GET', '/api/fs/download', { query: { path } })).text).toBe('two')
    const got = await drive.call('GET', path, { headers: { range: 'Bytes=1-' } })
    expect([got.status, got.text]).toEqual([206, 'wo'])
    const { headers } = await drive.call('HEAD', path)
    const since = headers.get('last-modified') ?? ''
    const later = new Date(Date.parse(since) - 60_000).toUTCString()
    expect((await drive.call('GET', path, { headers: { 'if-modified-since': since } })).status).toBe(304)
    expect((await drive.call('GET', path, { headers: { 'if-unmodified-since': later } })).status).toBe(412)
    expect((await drive.call('GET', path, { headers: { 'if-match': '"no"' } })).status).toBe(412)
    expect((await drive.call('PUT', `${mountPath}/none/a.txt`, { body: 'x' })).status).toBe(409)
    expect((await drive.call('PUT', `${mountPath}/`, { body: 'x' })).status).toBe(405)
    expect((await drive.call('MKCOL', path)).status).toBe(405)
    expect((await drive.call('MKCOL', `${mountPath}/n`, { body: 'x' })).status).toBe(415)
    expect((await drive.call('DELETE', mountPath)).status).toBe(403)
    expect((await drive.call('DELETE', `${mountPath}/none`)).status).toBe(404)
  })

  test('a copy replaces an existing resource only if Overwrite allows it, also between storages', async () => {
    await using t = await startApp()
    const drive = await openDrive(t)
    await drive.call('MKCOL', `${mountPath}/tree`)
    await drive.call('PUT', `${mountPath}/tree/a.txt`, { body: 'a' })
    await drive.call('PUT', `${mountPath}/file.txt`, { body: 'file' })
    const send = (method: string, from: string, destination: string, headers = {}) =>
      drive.call(method, `${mountPath}/${from}`, { headers: { destination, ...headers } })
    const to = (name: string) => `http://elsewhere.example/dav${mountPath}/${name}`
    expect((await send('COPY', 'file.txt', to('tree/a.txt'), { overwrite: 'F' })).status).toBe(412)
    expect((await send('COPY', 'file.txt', to('tree/a.txt'))).status).toBe(204)
    expect(await t.storage.text('tree/a.txt')).toBe('file')
    expect((await send('COPY', 'file.txt', to('file.txt'))).status).toBe(403)
    expect((await send('COPY', 'tree', to('tree/in'))).status).toBe(403)
    expect((await send('COPY', 'file.txt', to('none/x'))).status).toBe(409)
    expect((await send('COPY', 'file.txt', 'http://elsewhere.example/other/x')).status).toBe(502)
    for (const method of ['COPY', 'MOVE'])
      expect((await send(method, 'file.txt', '/dav/no-mount-here/x')).status).toBe(403)
    expect((await send('MOVE', 'file.txt', to('tree'))).status).toBe(204)
    expect(await t.storage.text('tree')).toBe('file')
    await drive.call('MKCOL', `${mountPath}/bare`)
    await drive.call('PUT', `${mountPath}/bare/in.txt`, { body: 'in' })
    expect((await send('COPY', 'bare', to('shell'), { depth: '0' })).status).toBe(201)
    expect(await t.storage.keys('shell/')).not.toContain('shell/in.txt')
    if (mountPath === '/local') return
    expect((await send('MOVE', 'bare', '/dav/local/bare/')).status).toBe(201)
    expect((await drive.call('GET', '/local/bare/in.txt')).text).toBe('in')
    expect((await drive.call('PROPFIND', `${mountPath}/bare`, { headers: { depth: '0' } })).status).toBe(404)
  })

  test('an invalid depth is refused with the depths that the method accepts', async () => {
    await using t = await startApp()
    const drive = await openDrive(t)
    const path = `${mountPath}/deep`
    await drive.call('MKCOL', path)
    const refusalOf = async (method: string, depth: string, language: string) => {
      const destination = `/dav${mountPath}/elsewhere`
      const headers = { depth, destination, 'accept-language': language }
      const { status, text } = await drive.call(method, path, { headers })
      return [status, text.replaceAll('&quot;', '"')]
    }
    for (const [method, depth, allowed] of [
      ['PROPFIND', '2', '0, 1'],
      ['COPY', '1', '0, infinity'],
      ['MOVE', '0', 'infinity'],
      ['DELETE', '1', 'infinity'],
      ['LOCK', '1', '0, infinity'],
    ] as const) {
      const english = `${method} does not accept "Depth: ${depth}" here. It accepts: ${allowed}.`
      expect(await refusalOf(method, depth, 'en')).toEqual([400, expect.stringContaining(english)])
      const chinese = `${method} 不接受“Depth: ${depth}”，可用的值：${allowed}。`
      expect(await refusalOf(method, depth, 'zh')).toEqual([400, expect.stringContaining(chinese)])
    }
    expect((await drive.call('PROPFIND', path, { headers: { depth: '0' } })).status).toBe(207)
  })

  test('a refused copy keeps its target', async () => {
    await using t = await startApp()
    const drive = await openDrive(t)
    await drive.call('MKCOL', `${mountPath}/kept`)
    await drive.call('PUT', `${mountPath}/kept/a.txt`, { body: 'precious' })
    const to = { headers: { destination: `/dav${mountPath}/kept` } }
    expect((await drive.call('COPY', `${mountPath}/`, to)).status).toBe(403)
    await mountAlso(t, '/again')
    expect((await drive.call('COPY', '/again/', to)).status).toBe(403)
    await putFile(t.admin, `${mountPath}/big/b.bin`, Buffer.alloc(4096))
    await setCapacity(t, 4200)
    expect((await drive.call('COPY', `${mountPath}/big`, to)).status).toBe(507)
    expect(await t.storage.text('kept/a.txt')).toBe('precious')
  })

  test('a whole mount can be copied over an existing folder', async () => {
    await using t = await startApp()
    await mountSecondDisk(t.admin)
    const drive = await openDrive(t)
    await drive.call('PUT', '/second/a.txt', { body: 'new' })
    const copy = () =>
      drive.call('COPY', '/second/', { headers: { destination: `/dav${mountPath}/copy/`, overwrite: 'T' } })
    expect((await copy()).status).toBe(201)
    await drive.call('PUT', `${mountPath}/copy/old.txt`, { body: 'old' })
    expect((await copy()).status).toBe(204)
    expect(await t.storage.text('copy/a.txt')).toBe('new')
    expect(await t.storage.keys('copy')).toEqual(['copy/a.txt'])
  })

  test('a tree whose paths would become too long stays, and so does its target', async () => {
    await using t = await startApp()
    const drive = await openDrive(t)
    const long = Array.from({ length: 5 }, () => 'a'.repeat(170)).join('/')
    const far = ['b'.repeat(200), 'x'].join('/')
    await t.storage.put(`from/${long}/f`, 'deep')
    await t.storage.put('from/short', 'short')
    await t.storage.put(`${far}/old`, 'precious')
    const before = await t.storage.keys()
    for (const target of [far, `${far}-new`])
      for (const method of ['COPY', 'MOVE']) {
        const headers = { destination: `/dav${mountPath}/${target}`, 'accept-language': 'en' }
        const refused = await drive.call(method, `${mountPath}/from/`, { headers })
        expect([refused.status, refused.text]).toEqual([400, expect.stringContaining('1,024 bytes')])
        expect(await t.storage.keys()).toEqual(before)
      }
    const headers = { destination: `/dav${mountPath}/to` }
    expect((await drive.call('MOVE', `${mountPath}/from/`, { headers })).status).toBe(201)
    expect(await t.storage.text(`to/${long}/f`)).toBe('deep')
  })

  test('the bytes that a copy replaces count as free space', async () => {
    await using t = await startApp()
    const drive = await openDrive(t)
    for (const name of ['a', 'b'])
      await drive.call('PUT', `${mountPath}/${name}.bin`, { body: Buffer.alloc(4096, name) })
    await setCapacity(t, 8300)
    const copyTo = async (name: string) =>
      drive.call('COPY', `${mountPath}/a.bin`, { headers: { destination: `/dav${mountPath}/${name}` } })
    expect((await copyTo('c.bin')).status).toBe(507)
    expect((await copyTo('b.bin')).status).toBe(204)
    expect((await drive.call('GET', `${mountPath}/b.bin`)).text).toBe('a'.repeat(4096))
  })

  test('many small concurrent files fill a storage up to its capacity, and not more', async () => {
    await using t = await startApp()
    const drive = await openDrive(t)
    await setCapacity(t, 10_500)
    const put = async (name: string) =>
      (await drive.call('PUT', `${mountPath}/${name}.bin`, { body: Buffer.alloc(1000, name) })).status
    const atOnce = await Promise.all(Array.from({ length: 24 }, (_, at) => put(`first-${at}`)))
    expect(new Set(atOnce)).toEqual(new Set([201, 507]))
    expect(atOnce.filter((status) => status === 201).length).toBeLessThanOrEqual(10)
    for (let at = 0; at < 10; at += 1) await put(`then-${at}`)
    expect(await t.storage.keys()).toHaveLength(10)
    const [full = ''] = await t.storage.keys()
    expect(await put('over')).toBe(507)
    await drive.call('DELETE', `${mountPath}/${full}`)
    expect([await put('again'), await put('over')]).toEqual([201, 507])
  })

  test('the error for a body of unknown size that exceeds the capacity contains the free space', async () => {
    await using t = await startApp()
    const { key } = await t.keyClient({ mount_permission: true })
    await setCapacity(t, 2048)
    const headers = { 'accept-language': 'en' }
    const chunks = Array.from({ length: 3 }, () => 'a'.repeat(1000))
    const refused = await putChunks(t, { path: `${mountPath}/a.bin`, key, headers, chunks })
    expect(refused.status).toBe(507)
    expect(refused.text).toContain('file size(> 2 KB) exceeds the remaining space(2 KB)'.replace('>', '&gt;'))
  })

  test('of many conditional PUTs one succeeds, and a LOCK replaces nothing', async () => {
    await using t = await startApp()
    const drives = await Promise.all(Array.from({ length: 6 }, () => openDrive(t)))
    const [one, other] = drives as [Drive, Drive]
    const path = `${mountPath}/raced.txt`
    const race = async (headers: Record<string, string>) => {
      // The bodies differ, because a bucket's etags depend only on the content.
      const body = (at: number) => `${JSON.stringify(headers)} ${at}`
      const calls = drives.map((drive, at) => drive.call('PUT', path, { body: body(at), headers }))
      return (await Promise.all(calls)).map(({ status }) => status).sort()
    }
    expect(await race({ 'if-none-match': '*' })).toEqual([201, 412, 412, 412, 412, 412])
    const etag = (await one.call('HEAD', path)).headers.get('etag') ?? ''
    expect(await race({ 'if-match': etag })).toEqual([204, 412, 412, 412, 412, 412])
    for (let at = 0; at < 5; at += 1) {
      const name = `${mountPath}/locked-${at}.txt`
      const [put] = await Promise.all([one.call('PUT', name, { body: 'kept' }), lockAt(other, name)])
      const { text } = await one.call('GET', name)
      expect(text).toBe(put.status < 300 ? 'kept' : '')
    }
  })

  test('a conditional deletion or move does not remove a newer version', async () => {
    await using t = await startApp()
    const [one, other] = [await openDrive(t), await openDrive(t)]
    for (let at = 0; at < 8; at += 1) {
      const path = `${mountPath}/cond-${at}.txt`
      await one.call('PUT', path, { body: `old ${at}` })
      const headers = { 'if-match': (await one.call('HEAD', path)).headers.get('etag') ?? '' }
      const target = `${mountPath}/moved-${at}.txt`
      const [put, gone] = await Promise.all([
        one.call('PUT', path, { body: `new ${at}`, headers }),
        at % 2 === 0
          ? other.call('DELETE', path, { headers })
          : other.call('MOVE', path, { headers: { ...headers, destination: `/dav${target}` } }),
      ])
      const [{ status, text }, moved] = [await one.call('GET', path), await one.call('GET', target)]
      if (gone.status === 412) expect([put.status, status, text]).toEqual([204, 200, `new ${at}`])
      else expect([put.status, gone.status, status]).toEqual([412, at % 2 === 0 ? 204 : 201, 404])
      expect([moved.status, moved.text]).not.toEqual([200, `new ${at}`])
    }
  })

  test('a locked file exists as long as its lock', async () => {
    await using t = await startApp()
    const [one, other] = [await openDrive(t), await openDrive(t)]
    for (let at = 0; at < 8; at += 1) {
      const path = `${mountPath}/kept-${at}.txt`
      await one.call('PUT', path, { body: 'text' })
      const [lock, gone] = await Promise.all([lockAt(one, path), other.call('DELETE', path)])
      // The status is 201 if the lock came after the deletion and created an empty file.
      expect([[lock.status, gone.status]]).toEqual([gone.status === 204 ? [201, 204] : [200, 423]])
      expect((await one.call('GET', path)).text).toBe(lock.status === 201 ? '' : 'text')
      expect((await other.call('PUT', path, { body: 'x' })).status).toBe(423)
    }
  })

  test('of concurrent creations of one folder, or moves to one name, one succeeds', async () => {
    await using t = await startApp()
    const drive = await openDrive(t)
    const all = Array.from({ length: 6 }, (_, at) => at)
    const made = await Promise.all(all.map(() => drive.call('MKCOL', `${mountPath}/one`)))
    const statuses = made.map(({ status }) => status)
    expect(statuses).toContain(201)
    expect(statuses.filter((status) => status !== 201 && status !== 405)).toEqual([])
    for (const at of all) await drive.call('PUT', `${mountPath}/${at}.txt`, { body: `${at}` })
    const headers = { destination: `/dav${mountPath}/target.txt`, overwrite: 'F' }
    const moved = await Promise.all(
      all.map((at) => drive.call('MOVE', `${mountPath}/${at}.txt`, { headers })),
    )
    expect(moved.map(({ status }) => status).sort()).toEqual([201, 412, 412, 412, 412, 412])
    const left = (await t.storage.keys()).filter((key) => /^\d\.txt$/.test(key))
    expect(left).toHaveLength(all.length - 1)
    expect(left).not.toContain(`${await t.storage.text('target.txt')}.txt`)
  })

  test('an uploaded file is visible to every request after the response', async () => {
    await using t = await startApp()
    const drive = await openDrive(t)
    await drive.call('MKCOL', `${mountPath}/new`)
    const put = async (name: string, body: string) =>
      (await drive.call('PUT', `${mountPath}/new/${name}`, { body })).status
    const names = Array.from({ length: 12 }, (_, at) => `${at}.txt`)
    expect(await Promise.all(names.map((name) => put(name, 'a')))).toEqual(names.map(() => 201))
    expect(await Promise.all(names.map((name) => put(name, 'ab')))).toEqual(names.map(() => 204))
    const list = () => t.admin.call('GET', '/api/fs/list', { query: { path: `${mountPath}/new` } })
    const { items } = (await list()).body.data
    expect(items.map(({ name, size }: { name: string; size: number }) => [name, size]).sort()).toEqual(
      names.map((name) => [name, 2]).sort(),
    )
    expect(await put('late.txt', 'a')).toBe(201)
    expect((await drive.call('DELETE', `${mountPath}/new/late.txt`)).status).toBe(204)
    expect((await list()).body.data.items).toHaveLength(names.length)
    expect(await put('late.txt', 'a')).toBe(201)
    const listed = await drive.call('PROPFIND', `${mountPath}/new`, { headers: { depth: '1' } })
    expect(listed.text.split('<D:response>')).toHaveLength(names.length + 3)
    expect(await put('0.txt/below.txt', 'a')).toBe(409)
  })

  test('stored XML is returned well-formed', async () => {
    await using t = await startApp()
    const drive = await openDrive(t)
    await drive.call('PUT', `${mountPath}/a.txt`, { body: 'a' })
    const patch = (body: string | Buffer) => drive.call('PROPPATCH', `${mountPath}/a.txt`, { body })
    const update = (inner: string) =>
      `<D:propertyupdate xmlns:D="DAV:"><D:set><D:prop>${inner}</D:prop></D:set></D:propertyupdate>`
    const values = [
      '<note xmlns="http://example.com/" kind="x">hi</note>',
      '<p:x xmlns:p="u"><y xmlns="v" a="b" p:c="d"/></p:x>',
      '<none xmlns="" a="b"/>',
      '<xml:own>1</xml:own>',
    ]
    for (const value of values) parseXml((await patch(update(value))).text)
    const marks = (count: number) => Array.from({ length: count }, (_, at) => `<m${at} xmlns="m"/>`).join('')
    expect((await patch(update(marks(490)))).text).toContain('200 OK')
    expect((await patch(update(marks(500)))).text).toContain('507 Insufficient Storage')
    expect((await patch(update(marks(501)))).status).toBe(400)
    const repeated = `<a xmlns:n="${'u'.repeat(1000)}">${'<n:b/>'.repeat(1000)}</a>`
    expect((await patch(update(repeated))).status).toBe(507)
    const mark = Buffer.from([0xff, 0xfe])
    const wide = Buffer.concat([mark, Buffer.from(update('<wide xmlns="w">宽</wide>'), 'utf16le')])
    expect((await patch(wide)).status).toBe(207)
    const all = await drive.call('PROPFIND', `${mountPath}/a.txt`, { headers: { depth: '0' } })
    expect(textOf(parseXml(all.text))).toContain('宽')
    expect(all.text).toContain('<note xmlns="http://example.com/" kind="x">hi</note>')
    const names = await drive.call('PROPFIND', `${mountPath}/a.txt`, {
      headers: { depth: '0' },
      body: '<propfind xmlns="DAV:"><propname/></propfind>',
    })
    expect(textOf(parseXml(names.text))).toContain('200 OK')
    const many = Array.from({ length: 250 }, (_, at) => `<a${at}/>`).join('')
    const ask = { headers: { depth: '1' }, body: `<propfind xmlns="DAV:"><prop>${many}</prop></propfind>` }
    expect((await drive.call('PROPFIND', mountPath, ask)).status).toBe(400)
    const long = `<n:a xmlns:n="${'u'.repeat(900)}"/>`
    const wide10 = Array.from({ length: 10 }, (_, at) => long.replace('n:a', `n:a${at}`)).join('')
    const askLong = { ...ask, body: `<propfind xmlns="DAV:"><prop>${wide10}</prop></propfind>` }
    expect((await drive.call('PROPFIND', mountPath, askLong)).status).toBe(400)
  })

  test('locks block other clients, also below a folder, until they end', async () => {
    await using t = await startApp()
    const drive = await openDrive(t)
    const other = await openDrive(t)
    const path = `${mountPath}/doc.txt`
    const lock = await lockAt(drive, path, { timeout: 'Second-100' })
    expect(lock.status).toBe(201)
    expect(lock.text).toContain('<D:timeout>Second-100</D:timeout>')
    const shown = { if: `(${lock.token})` }
    expect((await drive.call('PUT', path, { body: 'no token' })).status).toBe(423)
    expect((await other.call('PUT', path, { body: 'x', headers: shown })).status).toBe(423)
    expect((await drive.call('PUT', path, { body: 'mine', headers: shown })).status).toBe(204)
    expect((await lockAt(other, path)).status).toBe(423)
    const refused = await drive.call('DELETE', path)
    expect([refused.status, hrefsIn(refused.text)]).toEqual([423, [`/dav${path}`]])
    const bare = await drive.call('LOCK', path, { headers: { 'accept-language': 'en' } })
    expect([bare.status, bare.text]).toEqual([400, expect.stringContaining('The header If is missing')])
    expect((await drive.call('LOCK', path, { headers: { if: '(<opaquelocktoken:other>)' } })).status).toBe(
      412,
    )
    const refreshed = await drive.call('LOCK', path, { headers: { ...shown, timeout: 'Second-200' } })
    expect(refreshed.text).toContain('Second-200')
    t.clock.advance({ seconds: 201 })
    expect((await other.call('PUT', path, { body: 'free' })).status).toBe(204)
    await drive.call('MKCOL', `${mountPath}/folder`)
    const deep = await lockAt(drive, `${mountPath}/folder/`, { depth: 'infinity' })
    expect(deep.status).toBe(200)
    expect((await other.call('PUT', `${mountPath}/folder/new.txt`, { body: 'x' })).status).toBe(423)
    expect((await lockAt(other, `${mountPath}/folder/new.txt`)).status).toBe(423)
    const moved = { headers: { destination: `/dav${mountPath}/folder/doc.txt` } }
    expect((await other.call('MOVE', path, moved)).status).toBe(423)
    const found = await other.call('PROPFIND', `${mountPath}/folder`, { headers: { depth: '0' } })
    expect(found.text).toContain('<D:depth>infinity</D:depth>')
    const token = { headers: { 'lock-token': deep.token } }
    expect((await other.call('UNLOCK', `${mountPath}/folder`, token)).status).toBe(409)
    expect((await drive.call('UNLOCK', path, token)).status).toBe(409)
    expect((await drive.call('UNLOCK', `${mountPath}/folder`, token)).status).toBe(204)
    expect((await other.call('PUT', `${mountPath}/folder/new.txt`, { body: 'x' })).status).toBe(201)
    const one = await lockAt(drive, path, { scope: 'shared' })
    const two = await lockAt(other, path, { scope: 'shared' })
    expect([one.status, two.status]).toEqual([200, 200])
    expect((await lockAt(other, path)).status).toBe(423)
    expect((await drive.call('PUT', path, { body: 'x', headers: { if: `(${one.token})` } })).status).toBe(204)
  })

  test('the typical requests of Windows, the Finder and sync clients work', async () => {
    await using t = await startApp()
    const drive = await openDrive(t)
    const path = `${mountPath}/report.docx`
    // The requests of Windows: an empty file, a lock, the bytes, and then its own timestamps.
    const windows = { 'user-agent': 'Microsoft-WebDAV-MiniRedir/10.0.19045', translate: 'f' }
    expect((await drive.call('PUT', path, { headers: windows, body: '' })).status).toBe(201)
    const lock = await lockAt(drive, path, { headers: windows, timeout: 'Second-3600' })
    const shown = { ...windows, if: `(${lock.token})` }
    expect((await drive.call('PUT', path, { headers: shown, body: 'bytes' })).status).toBe(204)
    const times = await drive.call('PROPPATCH', path, {
      headers: shown,
      body: '<?xml version="1.0" encoding="utf-8" ?><D:propertyupdate xmlns:D="DAV:" xmlns:Z="urn:schemas-microsoft-com:"><D:set><D:prop><Z:Win32LastModifiedTime>Tue, 01 Jan 2019 00:00:00 GMT</Z:Win32LastModifiedTime><Z:Win32FileAttributes>00000020</Z:Win32FileAttributes></D:prop></D:set></D:propertyupdate>',
    })
    expect(times.status).toBe(207)
    const head = await drive.call('HEAD', path)
    expect(head.headers.get('last-modified')).toBe('Tue, 01 Jan 2019 00:00:00 GMT')
    const token = { ...windows, 'lock-token': lock.token }
    expect((await drive.call('UNLOCK', path, { headers: token })).status).toBe(204)
    // When the file is replaced, the time that Windows set is removed; other properties stay.
    const facts = async () => (await drive.call('PROPFIND', path, { headers: { depth: '0' } })).text
    expect(await facts()).toMatch(/Win32LastModifiedTime.*Tue, 01 Jan 2019/)
    await putFile(t.admin, path, 'by another door')
    expect(await facts()).not.toContain('Win32LastModifiedTime')
    expect(await facts()).toContain('Win32FileAttributes')
    // Sync clients send the modification time with the file. The time applies to this version only.
    const told = { 'x-oc-mtime': '1500000000' }
    const put = await drive.call('PUT', `${mountPath}/photo.jpg`, { headers: told, body: 'photo' })
    expect(put.headers.get('x-oc-mtime')).toBe('accepted')
    const timeOf = async (at: string) =>
      (await drive.call('HEAD', `${mountPath}/${at}`)).headers.get('last-modified')
    expect(await timeOf('photo.jpg')).toBe('Fri, 14 Jul 2017 02:40:00 GMT')
    await drive.call('MOVE', `${mountPath}/photo.jpg`, { headers: { destination: `/dav${mountPath}/p.jpg` } })
    expect(await timeOf('p.jpg')).toBe('Fri, 14 Jul 2017 02:40:00 GMT')
    await drive.call('MKCOL', `${mountPath}/album`)
    await drive.call('COPY', `${mountPath}/p.jpg`, {
      headers: { destination: `/dav${mountPath}/album/p.jpg` },
    })
    await drive.call('COPY', `${mountPath}/album`, { headers: { destination: `/dav${mountPath}/album2` } })
    expect(await timeOf('album2/p.jpg')).toBe('Fri, 14 Jul 2017 02:40:00 GMT')
    await drive.call('PUT', `${mountPath}/p.jpg`, { body: 'another photo' })
    expect(await timeOf('p.jpg')).not.toContain('2017')
    // Uploads are accepted with any content type.
    for (const type of ['', ';;;', 'multipart/form-data', 'application/json'])
      expect((await drive.call('PUT', path, { headers: { 'content-type': type }, body: type })).status).toBe(
        204,
      )
    // The Finder sends chunks without a length, and creates additional files beside the uploaded files.
    const { key } = await t.keyClient({ mount_permission: true })
    const finder = {
      path: `${mountPath}/._report.docx`,
      key,
      headers: { 'x-expected-entity-length': '6' },
      chunks: ['abc', 'def'],
    }
    expect((await putChunks(t, finder)).status).toBe(201)
    expect(await t.storage.text('._report.docx')).toBe('abcdef')
  })

  test('the upload mode and the size limit apply', async () => {
    await using t = await startApp()
    const drive = await openDrive(t)
    const bytes = Buffer.alloc(9 * 1024 ** 2, 'large ')
    const sum = createHash('sha256').update(bytes).digest('hex')
    for (const mode of ['multipart', 'direct']) {
      await t.admin.call('PUT', '/api/admin/system-settings', { body: { webdav_upload_mode: mode } })
      expect((await drive.call('PUT', `${mountPath}/${mode}`, { body: bytes })).status).toBe(201)
      const back = await drive.call('GET', `${mountPath}/${mode}`)
      expect(createHash('sha256').update(back.text).digest('hex')).toBe(sum)
    }
    await t.admin.call('PUT', '/api/admin/system-settings', { body: { max_upload_size: 1 } })
    expect((await drive.call('PUT', `${mountPath}/more`, { body: bytes })).status).toBe(413)
    expect(await t.storage.keys('more')).toEqual([])
  })

  test('a key cannot leave its base path, with any path in a request', async () => {
    await using t = await startApp()
    await putFile(t.admin, `${mountPath}/photos/own.txt`, 'own')
    await putFile(t.admin, `${mountPath}/photos2/secret.txt`, 'secret')
    const secret = await t.admin.call('HEAD', '/api/fs/download', {
      query: { path: `${mountPath}/photos2/secret.txt` },
    })
    const before = await t.storage.keys()
    const key = await t.keyClient({ mount_permission: true, basic_path: `${mountPath}/photos` })
    const drive = driveAt(await listen(t), basic('x', key.key))
    expect((await drive.call('GET', `${mountPath}/photos/own.txt`)).text).toBe('own')
    const level = await drive.call('PROPFIND', mountPath, { headers: { depth: '1' } })
    expect(hrefsIn(level.text)).toEqual([`/dav${mountPath}/`, `/dav${mountPath}/photos/`])
    // Repeated slashes count as one, as in other WebDAV servers.
    const hostile = hostilePaths(`${mountPath}/photos`).filter((path) => !path.includes('//'))
    const outside = [
      `${mountPath}/photos2/secret.txt`,
      `${mountPath}/photos2/`,
      `${mountPath}/photos/../photos2/secret.txt`,
      `${mountPath}/photos/%2e%2e/photos2/secret.txt`,
      `${mountPath}/photos/..%2fphotos2%2fsecret.txt`,
      `${mountPath}/photos/%252e%252e/photos2/secret.txt`,
      `${mountPath}%2fphotos2%2fsecret.txt`,
      ...hostile.map(encodeURI),
      ...hostile,
    ]
    const methods = ['PROPFIND', 'GET', 'PUT', 'DELETE', 'MKCOL', 'COPY', 'MOVE', 'PROPPATCH', 'LOCK']
    for (const path of outside) {
      for (const method of methods) {
        const destination = `/dav${mountPath}/photos/taken-${method}`
        const { status, text } = await sendRaw(t, { method, path, key: key.key, destination })
        expect(text).not.toContain('secret')
        expect(status, `${method} ${path}`).toBeGreaterThanOrEqual(400)
      }
      for (const method of ['COPY', 'MOVE']) {
        const from = { method, path: `${mountPath}/photos/own.txt`, key: key.key }
        const { status } = await sendRaw(t, { ...from, destination: `/dav${path}` })
        expect(status, `${method} to ${path}`).toBeGreaterThanOrEqual(400)
      }
    }
    // A condition on an unreadable resource is never true, so it reveals nothing.
    for (const tag of [secret.headers.etag, '"other"']) {
      const condition = `<${await listen(t)}${mountPath}/photos2/secret.txt> ([${tag}])`
      const put = { body: 'x', headers: { if: condition } }
      expect((await drive.call('PUT', `${mountPath}/photos/new.txt`, put)).status).toBe(412)
    }
    expect(await t.storage.keys()).toEqual(before)
  })

  test('a key that loses its permission during an upload stores nothing', async () => {
    await using t = await startApp()
    const { key } = await t.keyClient({ mount_permission: true })
    const put = { path: `${mountPath}/late.txt`, key, body: 'late' }
    const { status } = await putWhile(t, put, async () => {
      t.clock.advance({ seconds: 2 })
      await t.ctx.db.updateTable('api_keys').set({ basic_path: '/elsewhere' }).execute()
    })
    expect(status).toBe(403)
    expect(await t.storage.keys('late')).toEqual([])
  })

  test('a folder that is deleted during an upload into it does not reappear, and the file is not stored', async () => {
    await using t = await startApp()
    const { key } = await t.keyClient({ mount_permission: true })
    const drive = driveAt(await listen(t), basic('x', key))
    const driver = await t.storage.driver()
    const byThisDoor = (name: string) => drive.call('DELETE', `${mountPath}/${name}/`)
    const past = (name: string) => driver.remove([parseFolderKey(`${name}/`)])
    const cases = [
      { name: 'quick', body: 'short', seconds: 0.1, remove: byThisDoor },
      { name: 'slow', body: 'short', seconds: 2, remove: byThisDoor },
      { name: 'long', body: 'long '.repeat(100_000), seconds: 0.1, remove: byThisDoor },
      { name: 'outside', body: 'short', seconds: 2, remove: past },
      { name: 'outside-long', body: 'long '.repeat(100_000), seconds: 2, remove: past },
    ]
    for (const { name, body, seconds, remove } of cases) {
      await drive.call('MKCOL', `${mountPath}/${name}`)
      const { status, text } = await putWhile(
        t,
        { path: `${mountPath}/${name}/a.bin`, key, body },
        async () => {
          await remove(name)
          t.clock.advance({ seconds })
        },
      )
      expect({ name, status }).toEqual({ name, status: 409 })
      expect(text).toContain('The parent folder does not exist')
      expect(await t.storage.keys(`${name}/`)).toEqual([])
      const look = await drive.call('PROPFIND', `${mountPath}/${name}`, { headers: { depth: '0' } })
      expect({ name, status: look.status }).toEqual({ name, status: 404 })
    }
    if (mountPath !== '/local') return
    const unfinished = await readdir(join(t.dataDir, 'storage/local/.dropleaf-tmp'))
    expect(unfinished).toEqual(['uploads'])
  })

  test(
    'a deleted folder does not reappear through concurrent copies, moves and new folders',
    { timeout: 300_000 },
    async () => {
      await using t = await startApp()
      const drive = await openDrive(t)
      for (const name of ['one.txt', 'tree/a.txt', 'tree/deep/b.txt']) await t.storage.put(name, name)
      const work = {
        mkcol: () => drive.call('MKCOL', `${mountPath}/gone/new`),
        file: () => send('COPY', 'one.txt', 'file.txt'),
        tree: () => send('COPY', 'tree/', 'tree/'),
        move: () => send('MOVE', 'one.txt', 'file.txt'),
        move_tree: () => send('MOVE', 'tree/', 'tree/'),
      }
      const send = (method: string, from: string, to: string) => {
        const destination = `/dav${mountPath}/gone/${to}`
        return drive.call(method, `${mountPath}/${from}`, { headers: { destination } })
      }
      for (const [name, start] of Object.entries(work))
        // Uses different delays to try several orders. In every order, the responses must match the result.
        for (const waitMs of [0, 5, 12, 20]) {
          for (const file of ['one.txt', 'tree/a.txt', 'tree/deep/b.txt']) await t.storage.put(file, file)
          expect((await drive.call('MKCOL', `${mountPath}/gone`)).status).toBe(201)
          const remove = sleep(waitMs).then(() => drive.call('DELETE', `${mountPath}/gone/`))
          const [done, removed] = await Promise.all([start(), remove])
          const look = await drive.call('PROPFIND', `${mountPath}/gone`, { headers: { depth: '0' } })
          const left = await t.storage.keys('gone/')
          const told = { name, waitMs, done: done.status, removed: removed.status, look: look.status, left }
          if (removed.status === 204) expect(told).toMatchObject({ look: 404, left: [] })
          // Files written before the deletion are deleted with the folder, so a move might find nothing. The responses
          // must report everything else.
          const isTree = name.endsWith('tree')
          const gone = name.startsWith('move') ? [404] : []
          expect(told).toEqual({
            ...told,
            removed: expect.toBeOneOf([204, 207, 409]),
            done: expect.toBeOneOf([...gone, ...(isTree ? [201, 207, 409] : [201, 409])]),
          })
          if (name === 'move' && done.status === 409) expect(await t.storage.text('one.txt')).toBe('one.txt')
          if (removed.status !== 204) await drive.call('DELETE', `${mountPath}/gone/`)
        }
    },
  )

  test('a folder that exists only because of an inner mount accepts new files', async () => {
    await using t = await startApp()
    const drive = await openDrive(t)
    await t.storage.put('own.txt', 'own')
    const works = {
      put: (path: string) => drive.call('PUT', `${path}/a.txt`, { body: 'a' }),
      mkcol: (path: string) => drive.call('MKCOL', `${path}/new/`),
      lock: (path: string) => lockAt(drive, `${path}/a.txt`),
      copy: (path: string) =>
        drive.call('COPY', `${mountPath}/own.txt`, { headers: { destination: `/dav${path}/a.txt` } }),
    }
    for (const [name, work] of Object.entries(works)) {
      const path = `${mountPath}/${name}/deep`
      await mountAlso(t, `${path}/nest`)
      const body = '<propfind xmlns="DAV:"><prop><resourcetype/></prop></propfind>'
      const look = (at: string) => drive.call('PROPFIND', at, { headers: { depth: '1' }, body })
      expect(hrefsIn((await look(path)).text)).toEqual([`/dav${path}/`, `/dav${path}/nest/`])
      expect((await drive.call('MKCOL', path)).status).toBe(405)
      expect({ name, status: (await work(path)).status }).toEqual({ name, status: 201 })
      const made = name === 'mkcol' ? 'new/' : 'a.txt'
      expect(await t.storage.keys(`${name}/`)).toContain(`${name}/deep/${made}`)
      expect(hrefsIn((await look(path)).text).sort()).toEqual(
        [`/dav${path}/`, `/dav${path}/${made}`, `/dav${path}/nest/`].sort(),
      )
      expect(hrefsIn((await look(`${mountPath}/${name}`)).text)).toEqual([
        `/dav${mountPath}/${name}/`,
        `/dav${path}/`,
      ])
    }
    // A file in a missing folder is refused, because no folder is created implicitly.
    expect((await drive.call('PUT', `${mountPath}/put/other/a.txt`, { body: 'x' })).status).toBe(409)
  })

  test('a folder that is created with the name of a running upload keeps the name', async () => {
    await using t = await startApp()
    const { key } = await t.keyClient({ mount_permission: true })
    const drive = driveAt(await listen(t), basic('x', key))
    for (const seconds of [0.1, 2]) {
      const path = `${mountPath}/taken-${seconds}`
      const { status } = await putWhile(t, { path, key, body: 'late' }, async () => {
        expect((await drive.call('MKCOL', path)).status).toBe(201)
        t.clock.advance({ seconds })
      })
      expect({ seconds, status }).toEqual({ seconds, status: 409 })
      const look = await drive.call('PROPFIND', path, { headers: { depth: '0' } })
      expect(look.text).toContain('<D:collection/>')
    }
    expect(await t.storage.keys('taken')).toEqual(['taken-0.1/', 'taken-2/'])
  })

  test('a body that does not match its headers replaces nothing', async () => {
    await using t = await startApp()
    const { key } = await t.keyClient({ mount_permission: true })
    const drive = driveAt(await listen(t), basic('x', key))
    const path = `${mountPath}/a.txt`
    await drive.call('PUT', path, { body: 'old' })
    for (const expected of ['5', '7', '0', '999999']) {
      const headers = { 'x-expected-entity-length': expected }
      const { status, text } = await putChunks(t, { path, key, headers, chunks: ['abc', 'def'] })
      expect({ expected, status }).toEqual({ expected, status: 400 })
      expect(text).toContain(`X-Expected-Entity-Length announces ${expected} bytes, but 6 were received`)
    }
    for (const expected of ['abc', '-1', '6.0', '', '9'.repeat(16)]) {
      const headers = { 'x-expected-entity-length': expected }
      const { status } = await putChunks(t, { path, key, headers, chunks: ['abc', 'def'] })
      expect({ expected, status }).toEqual({ expected, status: 400 })
    }
    // Simulates a proxy that received an incomplete body and sends the length of the received part.
    for (const body of ['', 'abc', 'abcdefgh']) {
      const cut = { body, headers: { 'x-expected-entity-length': '6' } }
      const { status, text } = await drive.call('PUT', path, cut)
      expect([status, text]).toEqual([
        400,
        expect.stringContaining(`announces 6 bytes, but ${body.length} were received`),
      ])
    }
    const far = { 'x-expected-entity-length': '999999999999' }
    expect((await putChunks(t, { path, key, headers: far, chunks: ['abc'] })).status).toBe(413)
    for (const coding of ['gzip', 'br', 'identity, deflate', 'x']) {
      const refused = await drive.call('PUT', path, {
        body: 'packed',
        headers: { 'content-encoding': coding },
      })
      expect([refused.status, refused.headers.get('accept-encoding')]).toEqual([415, 'identity'])
      expect(refused.text).toContain(coding)
    }
    const packed = { 'transfer-encoding': 'gzip, chunked' }
    expect((await putChunks(t, { path, key, headers: packed, chunks: ['packed'] })).status).toBe(501)
    const ask = { headers: { depth: '0', 'content-encoding': 'gzip' }, body: 'packed' }
    expect((await drive.call('PROPFIND', path, ask)).status).toBe(415)
    expect(await t.storage.text('a.txt')).toBe('old')
    const right = { 'x-expected-entity-length': '6' }
    expect((await putChunks(t, { path, key, headers: right, chunks: ['abc', 'def'] })).status).toBe(204)
    expect(await t.storage.text('a.txt')).toBe('abcdef')
    const plain = { body: 'plain', headers: { 'content-encoding': 'Identity' } }
    expect((await drive.call('PUT', path, plain)).status).toBe(204)
  })

  test('an absolute request URL, as sent to a proxy, is the same resource', async () => {
    await using t = await startApp()
    const { key } = await t.keyClient({ mount_permission: true, basic_path: `${mountPath}/in` })
    await t.storage.put('in/')
    const send = async (method: string, line: string, headers = {}) =>
      sendLine(t, {
        method,
        line,
        headers: { authorization: basic('x', key), ...headers },
        body: method === 'PUT' ? 'whole' : undefined,
      })
    for (const at of ['http://files.example', 'HTTPS://files.example:8443']) {
      const line = `${at}/dav${mountPath}/in/a.txt`
      expect((await send('PUT', line)).status).toBeLessThan(300)
      expect((await send('PUT', line, { expect: '100-continue' })).status).toBe(204)
      expect((await send('GET', line)).text).toBe('whole')
      expect((await send('GET', `${at}/dav${mountPath}/in/../b.txt`)).status).toBe(400)
      expect((await send('PUT', `${at}/dav${mountPath}/b.txt`)).status).toBe(403)
    }
    expect((await send('PUT', `http:///dav${mountPath}/in/a.txt`)).status).toBeGreaterThanOrEqual(400)
  })

  test('a read-only key cannot change anything', async () => {
    await using t = await startApp()
    await putFile(t.admin, `${mountPath}/a.txt`, 'a')
    const before = await t.storage.keys()
    const key = await t.keyClient({ mount_permission: true, mount_read_only: true })
    const drive = driveAt(await listen(t), basic('x', key.key))
    expect((await drive.call('GET', `${mountPath}/a.txt`)).text).toBe('a')
    for (const method of ['PUT', 'DELETE', 'MKCOL', 'COPY', 'MOVE', 'PROPPATCH', 'LOCK', 'UNLOCK']) {
      const path = method === 'MKCOL' ? `${mountPath}/new` : `${mountPath}/a.txt`
      const destination = `/dav${mountPath}/b.txt`
      const { status } = await sendRaw(t, { method, path, key: key.key, destination })
      expect({ method, status }).toEqual({ method, status: 403 })
    }
    expect(await t.storage.keys()).toEqual(before)
  })

  test('a lock that is created at one replica applies at the other', async (context) => {
    await using t = await startApp()
    if (t.ctx.database.engine === 'sqlite') {
      context.skip('SQLite has one process.')
      return
    }
    await using replica = await t.replica()
    const { key } = await t.keyClient({ mount_permission: true })
    const here = driveAt(await listen(t), basic('x', key))
    const there = driveAt(await listen(replica), basic('x', key))
    const path = `${mountPath}/shared.txt`
    const lock = await lockAt(here, path)
    expect((await there.call('PUT', path, { body: 'x' })).status).toBe(423)
    expect((await there.call('PUT', path, { body: 'x', headers: { if: `(${lock.token})` } })).status).toBe(
      204,
    )
    const taken = await Promise.all(
      [here, there, here, there].map((drive) => lockAt(drive, `${mountPath}/race`)),
    )
    expect(taken.map(({ status }) => status).sort()).toEqual([201, 423, 423, 423])
    expect((await there.call('UNLOCK', path, { headers: { 'lock-token': lock.token } })).status).toBe(204)
    expect((await here.call('PUT', path, { body: 'free' })).status).toBe(204)
  })
})

const BODIES: Readonly<Record<string, string>> = {
  LOCK: '<lockinfo xmlns="DAV:"><lockscope><exclusive/></lockscope><locktype><write/></locktype></lockinfo>',
  PROPPATCH: '<propertyupdate xmlns="DAV:"><set><prop><a xmlns="x"/></prop></set></propertyupdate>',
  PUT: 'taken',
}

interface RawAnswer {
  readonly status: number
  readonly text: string
}

function answerOf(call: ClientRequest): Promise<RawAnswer> {
  return new Promise((resolve, reject) => {
    call.once('error', reject)
    call.once('response', (answer) => {
      readText(answer).then((read) => resolve({ status: answer.statusCode ?? 0, text: read }), reject)
    })
  })
}

interface RawPut {
  readonly path: string
  readonly key: string
}

/** Sends a PUT with `Expect: 100-continue`, and calls `meanwhile` before it sends the body. */
async function putWhile(
  t: StorageTestApp,
  { path, key, body }: RawPut & { body: string },
  meanwhile: () => Promise<unknown>,
): Promise<RawAnswer> {
  const length = { expect: '100-continue', 'content-length': Buffer.byteLength(body) }
  const headers = { authorization: basic('x', key), ...length }
  const call = request(`${await listen(t)}${path}`, { method: 'PUT', headers })
  call.once('continue', () => {
    meanwhile().then(
      () => call.end(body),
      (error: Error) => call.destroy(error),
    )
  })
  call.flushHeaders()
  return answerOf(call)
}

/** Sends a PUT in chunks, without a length. */
async function putChunks(
  t: StorageTestApp,
  { path, key, headers, chunks }: RawPut & { headers: OutgoingHttpHeaders; chunks: readonly string[] },
): Promise<RawAnswer> {
  const call = request(`${await listen(t)}${path}`, {
    method: 'PUT',
    headers: { authorization: basic('x', key), ...headers },
  })
  for (const chunk of chunks) call.write(chunk)
  call.end()
  return answerOf(call)
}

/** Sends a request line unchanged, because HTTP libraries would normalize it. */
async function sendLine(
  t: StorageTestApp,
  o: { method: string; line: string; headers: OutgoingHttpHeaders; body: string | undefined },
): Promise<RawAnswer> {
  const { hostname, port } = new URL(await listen(t))
  const { method, line: path, headers } = o
  const call = request({ hostname, port, method, path, headers })
  call.end(o.body)
  return answerOf(call)
}

async function sendRaw(
  t: StorageTestApp,
  { method, path, key, destination }: { method: string; path: string; key: string; destination: string },
): Promise<RawAnswer> {
  const headers = {
    authorization: basic('x', key),
    depth: method === 'PROPFIND' ? '1' : 'infinity',
    destination: printable(destination),
    'lock-token': '<opaquelocktoken:x>',
  }
  // Escapes characters that a request line cannot contain.
  const line = `/dav${path}`.replace(/[^\x21-\x7e]/g, (sign) => encodeURIComponent(sign))
  return sendLine(t, { method, line, headers, body: BODIES[method] })
}

/** Escapes characters that are not allowed in headers. */
const printable = (text: string) => text.replace(/[^\x20-\x7e]/g, (sign) => encodeURIComponent(sign))
