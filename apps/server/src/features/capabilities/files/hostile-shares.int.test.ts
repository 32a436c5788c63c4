import { expect, test } from 'vitest'
import {
  ADMIN_PASSWORD,
  describeOneDatabase,
  type TestAnswer,
  type TestApp,
  type TestClient,
} from '../../../testing/app.ts'
import { basic } from '../../../testing/drive.ts'
import { filesOnDisk, form, pathOf, share, uploadForm } from '../../../testing/files.ts'
import { download, putRaw } from '../../../testing/fs.ts'

const SCRIPT = '<script>document.title = "run"</script>'

/**
 * Files with code that a browser might run if the server sent them with their own media type, or let the browser guess
 * it.
 */
const ACTIVE: Readonly<Record<string, string>> = {
  'page.html': `<!doctype html>${SCRIPT}`,
  'page.htm': SCRIPT,
  'page.xhtml': `<html xmlns="http://www.w3.org/1999/xhtml">${SCRIPT}</html>`,
  'page.mhtml': SCRIPT,
  'picture.svg': `<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)">${SCRIPT}</svg>`,
  'data.xml': `<?xml version="1.0"?><?xml-stylesheet href="#"?><x xmlns:h="http://www.w3.org/1999/xhtml"><h:script>1</h:script></x>`,
  'style.xsl': SCRIPT,
  'code.js': 'alert(1)',
  'worker.mjs': 'self.onfetch = 1',
  'app.wasm': '\0asm',
  'cache.appcache': 'CACHE MANIFEST',
  'film.swf': 'FWS',
  'paper.pdf': '%PDF-1.4',
  noname: SCRIPT,
  'odd.jpg': SCRIPT,
}

/** Returns why a browser might run code in a response, or `null` if it is safe. */
function dangerOf({ status, headers }: TestAnswer): string | null {
  if (status >= 300) return `${status}`
  if (headers['x-content-type-options'] !== 'nosniff') return 'its type is guessed'
  if (/script|wasm|css|xsl/i.test(headers['content-type'] ?? '')) return `type: ${headers['content-type']}`
  const policy = headers['content-security-policy'] ?? ''
  // Browsers show a PDF in their own viewer, which does not work in a sandbox. Scripts in a PDF cannot access the
  // page.
  if (headers['content-type'] === 'application/pdf')
    return policy.startsWith("default-src 'none';") && !policy.includes('script') ? null : `policy: ${policy}`
  if (!/(?:^|; )sandbox(?:;|$)/.test(policy) || !policy.includes("default-src 'none'"))
    return `policy: ${policy}`
  return /allow-scripts|allow-same-origin|unsafe-eval|script-src/.test(policy) ? `policy: ${policy}` : null
}

/** Requests the same uploaded bytes through every interface that returns them from this origin. */
async function doorsTo(t: TestApp, name: string, bytes: string): Promise<Record<string, TestAnswer>> {
  const shared = await share(t.admin, name, { bytes })
  const path = `/local/doors/${name}`
  expect((await putRaw(t.admin, path, bytes)).status).toBe(200)
  const linked = (await t.admin.call('GET', '/api/fs/file-link', { query: { path } })).body.data
  const get = (client: TestClient, url: string) => client.call('GET', url)
  return {
    'the share, shown': await get(t.visitor, `/api/file-view/${shared.slug}`),
    'the share, saved': await get(t.visitor, `/api/file-download/${shared.slug}`),
    'a signed address': await get(t.visitor, pathOf(linked.presignedUrl)),
    'the explorer': await download(t.admin, path),
    'the drive': await get(t.client(basic('admin', ADMIN_PASSWORD)), `/dav${path}`),
  }
}

/** Names with a special meaning in a path, a header, a page or a database. */
const NAMES = [
  '../../../../escaped.txt',
  '..\\..\\escaped.txt',
  '/etc/cron.d/escaped',
  'C:\\escaped.txt',
  '....//....//escaped.txt',
  '%2e%2e%2fescaped.txt',
  '"><img src=x onerror=alert(1)>.txt',
  '<svg onload=alert(1)>.svg',
  "'; drop table files; --.txt",
  '%3Cscript%3Ealert(1)%3C%2Fscript%3E.html',
  '{{constructor.constructor("alert(1)")()}}.txt',
  '=cmd|calc!A1.csv',
  'right\u202Etxt.exe',
  'two\r\nlines.txt',
]

/** A valid `Content-Disposition` header: the name in ASCII, and optionally in UTF-8. */
const ONE_NAME =
  /^attachment; filename=(?:[\w.!#$&+^`|~-]+|"[^"\\\r\n/]*")(?:; filename\*=UTF-8''[\w.~!#$&+^`|%-]*)?$/

const IMPOSSIBLE = ['a\u0000.txt', '..', '.']

describeOneDatabase('sqlite', 'hostile files', ({ startApp }) => {
  test('shared content of any type never runs in the origin of the app, through any interface', async () => {
    await using t = await startApp()
    await t.admin.call('POST', '/api/fs/mkdir', { body: { path: '/local/doors' } })
    const faults: string[] = []
    for (const [name, bytes] of Object.entries(ACTIVE)) {
      for (const [door, answer] of Object.entries(await doorsTo(t, name, bytes))) {
        const danger = dangerOf(answer)
        if (danger !== null) faults.push(`${name} by ${door}: ${danger}`)
      }
    }
    expect(faults).toEqual([])
    for (const content of [SCRIPT, '<svg onload="alert(1)"/>', '# [x](javascript:alert(1))']) {
      const { slug } = (await t.admin.call('POST', '/api/paste', { body: { content } })).body
      const raw = await t.visitor.call('GET', `/api/raw/${slug}`)
      expect([raw.headers['content-type'], dangerOf(raw), raw.text]).toEqual([
        'text/plain; charset=utf-8',
        null,
        content,
      ])
    }
  })

  test('the name of an upload is never used as a path, header, markup or command', async () => {
    await using t = await startApp()
    const faults: string[] = []
    for (const filename of NAMES) {
      const o = { payload: 'x', headers: { 'content-type': 'application/octet-stream' } }
      const ways = [
        await uploadForm(t.admin, [{ name: 'file', value: 'x', filename: filename.replaceAll('"', '%22') }]),
        await t.admin.call('PUT', `/api/upload-direct/${encodeURIComponent(filename)}`, o),
      ]
      for (const sent of ways) {
        const answer = await t.visitor.call('GET', `/api/file-download/${sent.body.data?.slug}`)
        const disposition = answer.headers['content-disposition'] ?? ''
        if (sent.status >= 300 || answer.text !== 'x' || !ONE_NAME.test(disposition))
          faults.push(`${filename}: ${sent.status} ${answer.status} ${disposition}`)
      }
    }
    expect(faults).toEqual([])
    for (const filename of ['a\r\nset-cookie: x=y', 'a\u001b[2Jb', 'a\u0085b']) {
      const { slug } = await share(t.admin, filename)
      const answer = await t.visitor.call('GET', `/api/file-download/${slug}`)
      expect(answer.headers['content-disposition']).toMatch(/^[ -~]+$/)
      expect(answer.headers['set-cookie']).toBeUndefined()
    }
    const kept = await filesOnDisk(t)
    expect(kept.length).toBeGreaterThan(2 * NAMES.length)
    // Every file is stored directly in the folder of shares.
    const names = kept.map((path) => path.replace(/^dropleaf-shares\//, ''))
    expect(names.filter((name) => /[/\\\p{Cc}]/u.test(name))).toEqual([])
  })

  test('a path in the name of a form part never leaves the target folder, with any spelling', async () => {
    await using t = await startApp()
    await t.admin.call('POST', '/api/fs/mkdir', { body: { path: '/local/in' } })
    const key = await t.keyClient({ mount_permission: true, basic_path: '/local/in' })
    for (const filename of [...NAMES, ...IMPOSSIBLE]) {
      const sent = await key.call(
        'POST',
        '/api/fs/upload',
        form([
          { name: 'path', value: '/local/in/' },
          { name: 'file', value: 'x', filename: filename.replaceAll('"', '%22') },
        ]),
      )
      expect([filename, sent.status < 500]).toEqual([filename, true])
    }
    const kept = await filesOnDisk(t)
    expect(kept.filter((path) => !/^in\/[^/]+$/.test(path))).toEqual([])
  })
})

/** Bodies that would change if the server parsed them according to their media type. */
const DELICATE: ReadonlyArray<readonly [type: string | null, bytes: Buffer]> = [
  ['application/json', Buffer.from('{"a" :1,\n "a":2,}')],
  ['application/json', Buffer.from(' {"b": 1.0}\n')],
  ['application/x-www-form-urlencoded', Buffer.from('a=1&a=%zz&b')],
  ['multipart/form-data; boundary=x', Buffer.from('--y no form')],
  ['text/plain', Buffer.from([0xff, 0xfe, 0x80, 0x0d, 0x0a, 0xc3])],
  ['text/html; charset=gbk', Buffer.from([0xc4, 0xe3, 0xba, 0xc3])],
  ['image/png', Buffer.from([0x89, 0x50, 0, 0, 0xef, 0xbb, 0xbf])],
  ['application/xml', Buffer.from('<?xml version="1.0" encoding="utf-16"?><broken')],
  [null, Buffer.from('\ufeffmark')],
]

describeOneDatabase('sqlite', 'bytes', ({ startApp }) => {
  test('are the same through every interface, with any declared type', async () => {
    await using t = await startApp()
    const drive = t.client(basic('admin', ADMIN_PASSWORD))
    const faults: string[] = []
    for (const [index, [type, bytes]] of DELICATE.entries()) {
      const o = { payload: bytes, headers: type === null ? {} : { 'content-type': type } }
      const path = `/local/bytes-${index}.bin`
      const shared = await t.admin.call('PUT', `/api/upload-direct/bytes-${index}.bin`, o)
      const outs = [await t.visitor.call('GET', `/api/file-download/${shared.body?.data?.slug}`)]
      await t.admin.call('PUT', '/api/fs/upload', { ...o, query: { path } })
      outs.push(await download(t.admin, path), await drive.call('GET', `/dav${path}`))
      await drive.call('PUT', `/dav${path}-d`, o)
      outs.push(await download(t.admin, `${path}-d`), await drive.call('GET', `/dav${path}-d`))
      for (const [door, out] of outs.entries())
        if (out.status !== 200 || !out.bytes.equals(bytes))
          faults.push(`${type} (${index}) by ${door}: ${out.status}`)
    }
    expect(faults).toEqual([])
  })
})

/** Fields of a share that visitors are allowed to see. Consider the privacy of a new field before adding it here. */
const PUBLIC_FILE_FIELDS = new Set([
  'created_at',
  // The creator's id, without a name. The share page uses it to recognize the owner's session.
  'created_by',
  'downloadUrl',
  'etag',
  'expires_at',
  'filename',
  'id',
  'max_views',
  'mimetype',
  'previewUrl',
  'proxy_download_url',
  'proxy_preview_url',
  'remark',
  'requires_password',
  's3_direct_download_url',
  's3_direct_preview_url',
  'sha256',
  'size',
  'slug',
  'use_proxy',
  'views',
])

describeOneDatabase('sqlite', 'what a stranger learns', ({ startApp }) => {
  test('of a share contains nothing about its owner, its storage or its password', async () => {
    await using t = await startApp()
    const owner = await t.keyClient({
      name: 'Name of the owner',
      text_permission: true,
      file_permission: true,
    })
    const query = { slug: 'the-file', password: 'the right one' }
    await share(owner, 'a.txt', { query })
    await owner.call('POST', '/api/paste', {
      body: { content: 'c', slug: 'the-text', password: 'the right one' },
    })
    const body = { password: 'the right one' }
    const answers = [
      await t.visitor.call('GET', '/api/public/files/the-file'),
      await t.visitor.call('POST', '/api/public/files/the-file/verify', { body }),
      await t.visitor.call('GET', '/api/paste/the-text'),
      await t.visitor.call('POST', '/api/paste/the-text', { body }),
    ]
    for (const { text } of answers) {
      for (const hidden of [
        'the right one',
        owner.key,
        'Name of the owner',
        'plain_password',
        'argon2',
        t.dataDir,
      ])
        expect([hidden, text.includes(hidden)]).toEqual([hidden, false])
    }
    expect(Object.keys(answers[1]?.body.data).filter((name) => !PUBLIC_FILE_FIELDS.has(name))).toEqual([])
  })

  test('a password does not bypass the view limit, and the URLs of an open page do not outlive the share', async () => {
    await using t = await startApp()
    const once = { password: 'p', max_views: '1' }
    await share(t.admin, 'a.txt', { query: { slug: 'once', ...once } })
    const bytes = () => t.visitor.call('GET', '/api/file-download/once', { query: { password: 'p' } })
    expect([(await bytes()).status, (await bytes()).status]).toEqual([200, 410])
    await t.admin.call('POST', '/api/paste', {
      body: { content: 'c', slug: 'once', password: 'p', maxViews: 1 },
    })
    const read = () => t.visitor.call('POST', '/api/paste/once', { body: { password: 'p' } })
    expect([(await read()).status, (await read()).status]).toEqual([200, 410])

    await share(t.admin, 'b.txt', { query: { slug: 'short', password: 'p', expires_in: '1' } })
    const opened = await t.visitor.call('POST', '/api/public/files/short/verify', { body: { password: 'p' } })
    const { previewUrl, s3_direct_preview_url: direct } = opened.body.data
    for (const url of [previewUrl, direct])
      expect((await t.visitor.call('GET', pathOf(url))).text).toBe('bytes')
    t.clock.advance({ hours: 1 })
    for (const url of [previewUrl, direct])
      expect((await t.visitor.call('GET', pathOf(url))).status).toBeGreaterThanOrEqual(400)

    // Links signed for a longer lifetime stop working when the share gets an earlier expiry.
    const { id } = await share(t.admin, 'c.txt', { query: { slug: 'ended', expires_in: '5' } })
    const { data } = (await t.visitor.call('GET', '/api/public/files/ended')).body
    const links = [data.previewUrl, data.s3_direct_preview_url]
    for (const url of links) expect((await t.visitor.call('GET', pathOf(url))).text).toBe('bytes')
    const expires_at = new Date(t.clock.nowMs() + 1000).toISOString()
    await t.admin.call('PUT', `/api/admin/files/${id}`, { body: { expires_at } })
    t.clock.advance({ seconds: 1 })
    for (const url of links)
      expect((await t.visitor.call('GET', pathOf(url))).status).toBeGreaterThanOrEqual(400)
  })

  test('of a request that fails is never its own words as markup, nor a trace of the code', async () => {
    await using t = await startApp()
    const words = encodeURIComponent('<script>alert(1)</script>')
    const drive = t.client(basic('admin', ADMIN_PASSWORD))
    const answers = [
      await t.visitor.call('GET', `/api/${words}`),
      await t.visitor.call('GET', `/api/paste/${words}`),
      await t.visitor.call('GET', `/api/raw/${words}`),
      await t.visitor.call('GET', `/api/public/files/${words}?x=${words}`),
      await t.admin.call('GET', '/api/fs/get', { query: { path: `/local/${decodeURIComponent(words)}` } }),
      await drive.call('PROPFIND', `/dav/local/${words}`, { headers: { depth: '0' } }),
      await drive.call('LOCK', `/dav/local/${words}`, { payload: `<x>${decodeURIComponent(words)}` }),
      await drive.call('GET', `/dav/local/${words}`),
    ]
    for (const { status, text, headers } of answers) {
      expect(status).toBeGreaterThanOrEqual(400)
      expect(headers['x-content-type-options']).toBe('nosniff')
      expect(text).not.toMatch(/\n\s+at |node_modules|\.ts:\d|SQLITE|select .* from/i)
      if (!headers['content-type']?.startsWith('application/json')) expect(text).not.toContain('<script')
      expect(headers['content-type']).not.toMatch(/html/)
    }
  })
})
