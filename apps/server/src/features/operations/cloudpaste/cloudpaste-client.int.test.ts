import { MIB } from '@dropleaf/contract'
import { expect, test } from 'vitest'
import { ADMIN_PASSWORD, describeEachDatabase, type TestAnswer } from '../../../testing/app.ts'
import {
  bytesOnDisk,
  filesOnDisk,
  form,
  localDiskId,
  pathOf,
  setCapacity,
  share,
  shareRaw,
} from '../../../testing/files.ts'

/** Returns the fields of a response body without those of the envelope and without `data`. */
function bareOf({ body }: TestAnswer) {
  const { code: _code, message: _message, success: _success, data: _data, ...bare } = body
  return bare
}

const english = { 'accept-language': 'en-US' }
/** The regular expression with which CloudPaste's client reads the sizes in a storage-full message. */
const NUMBERS =
  /file size\(([^.()]+)\)[^.]*remaining space\(([^.()]+)\)[^.]*capacity limit is ([^.]+)\.$|文件大小\(([^.()]+)\)[^.]*剩余空间\(([^.()]+)\)[^.]*总容量限制为([^.。]+)。$/

describeEachDatabase('the web client of CloudPaste 0.7.0', ({ startApp }) => {
  test('finds the fields both outside the envelope and in data', async () => {
    await using t = await startApp()
    const made = await t.admin.call('POST', '/api/paste', { body: { content: 'hi', slug: 'bare' } })
    expect(made.body.slug).toBe('bare')
    const locked = { content: 'kept', slug: 'locked', password: 'p' }
    await t.admin.call('POST', '/api/paste', { body: locked })
    await share(t.admin, 'a.docx', { query: { slug: 'office' } })
    const answers = {
      made,
      read: await t.visitor.call('GET', '/api/paste/bare'),
      lockedOut: await t.visitor.call('GET', '/api/paste/locked'),
      unlocked: await t.visitor.call('POST', '/api/paste/locked', { body: { password: 'p' } }),
      health: await t.visitor.call('GET', '/api/health'),
      ready: await t.visitor.call('GET', '/api/ready'),
      office: await t.visitor.call('GET', '/api/office-preview/office'),
    }
    for (const [name, answer] of Object.entries(answers)) {
      expect([name, Object.keys(bareOf(answer)).length]).toEqual([name, expect.any(Number)])
      expect([name, answer.body.data]).toEqual([name, bareOf(answer)])
      expect([name, answer.body.code, answer.body.success]).toEqual([name, answer.status, true])
    }
    expect(answers.read.body.data.content).toBe('hi')
    expect(answers.unlocked.body.data.content).toBe('kept')
    expect(answers.office.body.data.url).toMatch(/^http/)
  })

  test('can log out with an expired or unknown token without an error', async () => {
    await using t = await startApp()
    const logout = (client = t.admin) => client.call('POST', '/api/admin/logout', { body: {} })
    const key = await t.keyClient({ text_permission: true })
    const other = await t.visitor.call('POST', '/api/admin/login', {
      body: { username: 'admin', password: ADMIN_PASSWORD },
    })
    const statuses = [
      (await logout()).status,
      (await logout()).status,
      (await logout(t.client('Bearer unknown'))).status,
      (await logout(t.visitor)).status,
      (await logout(key)).status,
    ]
    expect(statuses).toEqual([200, 200, 200, 200, 200])
    expect((await t.admin.call('GET', '/api/test/admin-token')).status).toBe(401)
    expect((await key.call('GET', '/api/test/api-key')).status).toBe(200)
    const still = t.client(`Bearer ${other.body.data.token}`)
    expect((await still.call('GET', '/api/test/admin-token')).status).toBe(200)
  })

  test('distinguishes a wrong password, an ended share and an unknown share by the messages of both languages', async () => {
    await using t = await startApp()
    const once = { content: 'x', slug: 'over', maxViews: 1 }
    await t.admin.call('POST', '/api/paste', { body: once })
    await t.visitor.call('GET', '/api/paste/over')
    await t.admin.call('POST', '/api/paste', { body: { content: 'x', slug: 'locked', password: 'p' } })
    await share(t.admin, 'a.txt', { query: { slug: 'a-file', password: 'p' } })
    const said = async (method: string, url: string, language: string) => {
      const body = method === 'POST' ? { body: { password: 'wrong' } } : {}
      const answer = await t.visitor.call(method, url, { ...body, headers: { 'accept-language': language } })
      return answer.body.message
    }
    for (const [method, url, inEnglish, inChinese] of [
      ['POST', '/api/paste/locked', '401', '密码错误'],
      ['POST', '/api/public/files/a-file/verify', '401', '密码错误'],
      ['GET', '/api/paste/over', '410', '最大查看次数'],
      ['GET', '/api/paste/nothing', '404', '不存在'],
    ] as const) {
      expect(await said(method, url, 'en')).toContain(inEnglish)
      expect(await said(method, url, 'zh-CN')).toContain(inChinese)
    }
    const long = await t.admin.call('POST', '/api/paste', {
      body: { content: 'x'.repeat(10 * MIB + 1) },
      headers: { 'accept-language': 'zh' },
    })
    expect(long.body.message).toContain('内容过大')
  })

  test('shows PDFs of shares and mounts in frames of its own origin; active content stays sandboxed', async () => {
    await using t = await startApp()
    const policies = async (name: string) => {
      const { slug } = await share(t.admin, name)
      const path = `/local/${name}`
      await t.admin.call('PUT', '/api/fs/upload', { payload: 'bytes', query: { path } })
      const entry = await t.admin.call('GET', '/api/fs/get', { query: { path } })
      const answers = [
        await t.visitor.call('GET', `/api/file-view/${slug}`),
        await t.visitor.call('GET', pathOf(entry.body.data.preview_url)),
        await t.admin.call('GET', '/api/fs/download', { query: { path } }),
      ]
      expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
      expect(answers.map(({ headers }) => headers['x-frame-options'])).toEqual([
        undefined,
        undefined,
        undefined,
      ])
      return answers.map(({ headers }) => headers['content-security-policy'] ?? '')
    }
    for (const policy of await policies('a.pdf')) {
      expect(policy).toMatch(/^default-src 'none'/)
      expect(policy).not.toMatch(/frame-ancestors|sandbox/)
    }
    for (const name of ['a.html', 'a.svg', 'a.xhtml'])
      for (const policy of await policies(name)) expect(policy).toMatch(/^sandbox;/)
  })

  test('saves its three upload modes of WebDAV, and sizes that are not a whole number of MB', async () => {
    await using t = await startApp()
    const save = (body: object) => t.admin.call('PUT', '/api/admin/system-settings', { body })
    const settings = async () => {
      const { data } = (await t.admin.call('GET', '/api/admin/system-settings')).body
      return data.map(({ value }: { value: string }) => value)
    }
    expect((await save({ max_upload_size: 97.65625, webdav_upload_mode: 'auto' })).status).toBe(200)
    expect(await settings()).toEqual(['97', 'auto', 'false'])
    expect((await save({ max_upload_size: '2.5', webdav_upload_mode: 'multipart' })).status).toBe(200)
    expect(await settings()).toEqual(['2', 'multipart', 'false'])
    for (const max_upload_size of [0.5, 0, -1.5, 'much', null])
      expect((await save({ max_upload_size })).status).toBe(400)
    expect(await settings()).toEqual(['2', 'multipart', 'false'])
    for (const [mode, size] of [
      ['auto', 10],
      ['auto', 1.5 * MIB],
    ] as const) {
      await save({ webdav_upload_mode: mode })
      const put = await t.admin.call('PUT', '/dav/local/mode.bin', { payload: Buffer.alloc(size, 'm') })
      expect([201, 204]).toContain(put.status)
    }
  })

  test('gets numbers where it divides, and sets no limit if it sends the value that it treats as the default', async () => {
    await using t = await startApp()
    const id = await localDiskId(t)
    const { s3Buckets } = (await t.admin.call('GET', '/api/admin/dashboard/stats')).body.data
    expect(s3Buckets).toMatchObject([{ totalStorage: expect.any(Number), hasLimit: false, usagePercent: 0 }])
    expect(s3Buckets[0].totalStorage).toBeGreaterThan(0)
    const limit = async () => {
      const read = await t.admin.call('GET', `/api/s3-configs/${id}`)
      return read.body.data.total_storage_bytes
    }
    const edit = async (body: object) => {
      const answer = await t.admin.call('PUT', `/api/s3-configs/${id}`, { body })
      expect(answer.status).toBe(200)
      return limit()
    }
    const usual = 5 * 1024 * MIB
    expect(await edit({ name: 'Disk', total_storage_bytes: usual })).toBeNull()
    expect(await edit({ total_storage_bytes: usual, limit_is_meant: true })).toBe(usual)
    expect(await edit({ total_storage_bytes: usual })).toBe(usual)
    expect(await edit({ total_storage_bytes: null })).toBeNull()
    expect(await edit({ total_storage_bytes: usual + 1 })).toBe(usual + 1)
  })

  test('parses three numbers from the message about a full storage, in both languages', async () => {
    await using t = await startApp()
    for (const capacity of [1, 1000, 1536, 1.5 * MIB, 2 * MIB + 1]) {
      await setCapacity(t, Math.floor(capacity))
      for (const headers of [english, { 'accept-language': 'zh' }] as const) {
        const answer = await shareRaw(t.admin, 'a.bin', { bytes: Buffer.alloc(2.7 * MIB), headers })
        expect(answer.body.error.code).toBe('file.storage_full')
        const numbers = NUMBERS.exec(answer.body.message)
          ?.slice(1)
          .filter((part) => part !== undefined)
        expect([answer.body.message, numbers]).toEqual([
          answer.body.message,
          Array.from({ length: 3 }, () => expect.stringMatching(/^\d+ [KMGT]?B$/)),
        ])
      }
    }
  })

  test('gets 200 when an upload or a folder was created', async () => {
    await using t = await startApp()
    const sent = form([
      { name: 'path', value: '/local/made/' },
      { name: 'file', value: 'x', filename: 'f.txt' },
    ])
    const answers = [
      await shareRaw(t.admin, 'a.txt'),
      await t.admin.call('POST', '/api/fs/mkdir', { body: { path: '/local/made/' } }),
      await t.admin.call('POST', '/api/fs/upload', sent),
      await t.admin.call('PUT', '/api/fs/upload', { payload: 'x', query: { path: '/local/made/g.txt' } }),
    ]
    expect(answers.map(({ status, body }) => [status, body.code])).toEqual(answers.map(() => [200, 200]))
  })

  test('uploads its own file again with its name: both shares show the new bytes, and are deleted separately', async () => {
    await using t = await startApp()
    const query = { original_filename: 'true' }
    const key = await t.keyClient({ file_permission: true })
    const bytesOf = async (slug: string) => (await t.visitor.call('GET', `/api/file-download/${slug}`)).text
    const first = await share(key, 'a.txt', { bytes: 'first', query })
    const [named = ''] = await filesOnDisk(t)
    const second = await share(key, 'a.txt', { bytes: 'the second', query })
    expect(second).toMatchObject({ filename: 'a.txt', size: 10, used_original_filename: true })
    expect(second.slug).not.toBe(first.slug)
    expect((await bytesOnDisk(t, named)).toString()).toBe('the second')
    expect([await bytesOf(first.slug), await bytesOf(second.slug)]).toEqual(['the second', 'the second'])
    const { files } = (await key.call('GET', '/api/user/files')).body.data
    expect(files.map(({ size }: { size: number }) => size)).toEqual([10, 10])
    const other = await shareRaw(t.admin, 'a.txt', { bytes: 'other', query })
    expect([other.status, other.body.error.code]).toEqual([409, 'file.path_taken'])
    const third = await share(key, 'a.txt', { bytes: '3', query })
    await key.call('DELETE', '/api/user/files/batch-delete', { body: { ids: [first.id] } })
    await t.ctx.jobs.drain()
    expect((await t.visitor.call('GET', `/api/file-download/${first.slug}`)).status).toBe(404)
    expect([await bytesOf(second.slug), await bytesOf(third.slug)]).toEqual(['the second', '3'])
    const ids = [second.id, third.id]
    await key.call('DELETE', '/api/user/files/batch-delete', { body: { ids } })
    await t.ctx.jobs.drain()
    expect(await filesOnDisk(t)).toEqual([])
  })

  test('uploads a file again with its name only if the storage has space for both', async () => {
    await using t = await startApp()
    const query = { original_filename: 'true' }
    const first = await share(t.admin, 'a.txt', { bytes: 'first', query })
    await setCapacity(t, 20)
    const refused = await shareRaw(t.admin, 'a.txt', { bytes: 'x'.repeat(12), query })
    expect([refused.status, refused.body.error.code]).toEqual([400, 'file.storage_full'])
    expect((await t.visitor.call('GET', `/api/file-download/${first.slug}`)).text).toBe('first')
    await t.ctx.jobs.drain()
    expect(await filesOnDisk(t)).toHaveLength(1)
    expect((await share(t.admin, 'a.txt', { bytes: 'sixth', query })).size).toBe(5)
  })

  test('repeats offline changes at a URL that contains /api twice', async () => {
    await using t = await startApp()
    const made = await t.admin.call('POST', '/api/api/paste', { body: { content: 'late', slug: 'late' } })
    expect([made.status, made.body.data.slug]).toEqual([201, 'late'])
    expect((await t.visitor.call('GET', '/api/api/paste/late?x=1')).body.content).toBe('late')
    expect((await t.visitor.call('POST', '/api/api/paste', { body: { content: 'x' } })).status).toBe(401)
    expect((await t.admin.call('GET', '/api/api/api/paste/late')).status).toBe(404)
    expect((await t.admin.call('GET', '/api/apis')).status).toBe(404)
  })
})
