import { execFile, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { promisify } from 'node:util'
import { expect, inject, test } from 'vitest'
import { describeEachDatabase, type TestApp } from '../../../testing/app.ts'

const run = promisify(execFile)
const { curl } = inject('driveClients')

const send = (t: TestApp, method: 'PUT' | 'POST', url: string, payload: string | Buffer, headers = {}) =>
  t.admin.call(method, url, {
    payload,
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
  })

describeEachDatabase('sharing from a terminal', ({ startApp }) => {
  test('a text is shared by one command, with the options in the URL, and the response is its link', async () => {
    await using t = await startApp({
      env: { PUBLIC_URL: 'https://share.example.org/drop', BASE_PATH: '/drop' },
    })
    const answer = await send(
      t,
      'POST',
      '/?slug=log&max_views=2&plain&password=sesame&expires_in=2',
      'a=b&c 你好\n',
    )
    expect([answer.status, answer.text, answer.headers['content-type']]).toEqual([
      201,
      'https://share.example.org/drop/paste/log\n',
      'text/plain; charset=utf-8',
    ])
    const raw = await t.visitor.call('GET', '/api/raw/log?password=sesame')
    expect([raw.status, raw.text]).toEqual([200, 'a=b&c 你好\n'])
    const row = await t.admin.call('GET', '/api/admin/pastes/log')
    expect(row.body.data).toMatchObject({ content_type: 'text/plain', max_views: 2, views: 1 })
    expect(Date.parse(row.body.data.expires_at) - t.clock.nowMs()).toBe(2 * 3_600_000)
  })

  test('a file is shared by one command, with any content', async () => {
    await using t = await startApp()
    const bytes = randomBytes(300_000)
    const answer = await send(t, 'PUT', `/${encodeURIComponent('报告 1.pdf')}?slug=report`, bytes)
    expect([answer.status, answer.text]).toEqual([
      201,
      expect.stringMatching(/^http:\/\/[^/]+\/file\/report\n$/),
    ])
    const read = await t.visitor.call('GET', '/api/file-download/report')
    expect(read.bytes.equals(bytes)).toBe(true)
    expect(read.headers['content-disposition']).toContain(encodeURIComponent('报告 1.pdf'))
  })

  test('a key needs the permission, in either header; errors are a line of text', async () => {
    await using t = await startApp()
    const { key } = await t.keyClient({ text_permission: true })
    const by = (headers: Record<string, string>, method: 'PUT' | 'POST' = 'POST', url = '/') =>
      t.visitor.call(method, url, { payload: 'text', headers: { 'content-type': 'text/plain', ...headers } })
    expect((await by({ authorization: `ApiKey ${key}` })).status).toBe(201)
    expect((await by({ 'x-custom-auth-key': key })).status).toBe(201)
    const refused = [
      await by({}),
      await by({ 'x-custom-auth-key': 'wrong' }),
      await by({ 'x-custom-auth-key': key }, 'PUT', '/a.txt'),
    ]
    expect(refused.map(({ status }) => status)).toEqual([401, 401, 403])
    const binary = await send(t, 'POST', '/', Buffer.from([0xff, 0xfe, 0x00]))
    expect([binary.status, binary.text]).toEqual([400, expect.stringContaining('curl -T')])
    const chinese = await send(t, 'POST', '/', Buffer.from([0xff]), { 'accept-language': 'zh' })
    expect(chinese.text).toContain('curl -T 分享')
    const empty = await send(t, 'POST', '/', ' \n')
    expect([empty.status, empty.headers['content-type']]).toEqual([400, 'text/plain; charset=utf-8'])
    const taken = await send(t, 'POST', '/?slug=mine', 'one')
    expect([taken.status, (await send(t, 'POST', '/?slug=mine', 'two')).status]).toEqual([201, 409])
    const large = await send(t, 'POST', '/', 'x'.repeat(10 * 1024 * 1024 + 1))
    expect([large.status, large.text]).toEqual([413, expect.stringContaining('curl -T FILE')])
  })

  test('a meaningless command is refused with a hint, before anything is shared', async () => {
    await using t = await startApp()
    const refused = async (method: 'PUT' | 'POST', url: string, headers = {}) => {
      const answer = await send(t, method, url, 'text', headers)
      return [answer.status, answer.headers['content-type'], answer.text]
    }
    const plain = 'text/plain; charset=utf-8'
    const form = { 'content-type': 'multipart/form-data; boundary=x' }
    expect(await refused('POST', '/', form)).toEqual([
      415,
      plain,
      'This is a form (curl -F). Share a file with curl -T FILE HOST/ and a text with curl --data-binary @FILE HOST/.\n',
    ])
    expect(await refused('POST', '/', { ...form, 'accept-language': 'zh' })).toEqual([
      415,
      plain,
      expect.stringMatching(/^这是一个表单.*\n$/),
    ])
    expect(await refused('POST', '/?expires=1&views=2')).toEqual([
      400,
      plain,
      'There is no option "expires", so nothing was shared. Available options: slug, remark, password, expires_in, max_views, opening, pin, plain.\n',
    ])
    expect(await refused('PUT', '/a.txt?views=2')).toEqual([
      400,
      plain,
      expect.stringMatching(/^There is no option "views".* max_views,.*\n$/),
    ])
    const time = expect.stringMatching(
      /query\.expires_in: must be a number of hours, or a time like 12h,.*\n$/,
    )
    expect(await refused('POST', '/?expires_in=soon')).toEqual([400, plain, time])
    expect(await refused('PUT', '/a.txt?expires_in=9999999w')).toEqual([400, plain, time])
    // URLs that curl sends for an upload from a pipe, and for a name with folders.
    expect(await refused('PUT', '/')).toEqual([
      400,
      plain,
      expect.stringMatching(/curl -T - HOST\/NAME\.\n$/),
    ])
    expect(await refused('PUT', '/dir/a.txt')).toEqual([404, plain, 'There is nothing at this address.\n'])
    expect(await t.ctx.db.selectFrom('pastes').select('slug').execute()).toEqual([])
  })

  test('a share ends after hours, days or weeks', async () => {
    await using t = await startApp()
    for (const [said, hours] of [
      ['36', 36],
      ['12h', 12],
      ['7d', 168],
      ['2w', 336],
    ] as const) {
      const text = await send(t, 'POST', `/?slug=t${said}&expires_in=${said}`, 'text')
      const file = await send(t, 'PUT', `/a.txt?slug=f${said}&expires_in=${said}`, 'bytes')
      expect([text.status, file.status]).toEqual([201, 201])
      const rows = [
        await t.ctx.db
          .selectFrom('pastes')
          .select('expires_at_ms')
          .where('slug', '=', `t${said}`)
          .executeTakeFirst(),
        await t.ctx.db
          .selectFrom('files')
          .select('expires_at_ms')
          .where('slug', '=', `f${said}`)
          .executeTakeFirst(),
      ]
      for (const row of rows) expect((row?.expires_at_ms ?? 0) - t.clock.nowMs()).toBe(hours * 3_600_000)
    }
    const never = await send(t, 'POST', '/?slug=never&expires_in=', 'text')
    expect(never.status).toBe(201)
  })

  test.skipIf(curl === null)('curl works with the commands in the docs', async () => {
    await using t = await startApp()
    const address = await t.app.listen({ port: 0, host: '127.0.0.1' })
    const { key } = await t.keyClient({ text_permission: true, file_permission: true })
    const folder = await mkdtemp(join(tmpdir(), 'dropleaf-shell-'))
    const file = join(folder, 'two words.bin')
    const bytes = randomBytes(2_000_000)
    await writeFile(file, bytes)
    const header = `X-Custom-Auth-Key: ${key}`
    const sent = await run(curl ?? '', ['-sS', '-H', header, '-T', file, `${address}/`])
    expect(sent.stdout).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/file\/\w{6}\n$/)
    const slug = sent.stdout.trim().split('/').at(-1)
    const got = await t.visitor.call('GET', `/api/file-download/${slug}`)
    expect(got.bytes.equals(bytes)).toBe(true)
    // Uploads from a pipe, so that curl sends neither a filename nor a size.
    const piped = spawn(curl ?? '', ['-sS', '-H', header, '-T', '-', `${address}/from-pipe.log`])
    piped.stdin.end('from a pipe')
    expect(await text(piped.stdout)).toMatch(/\/file\/\w{6}\n$/)
    const typed = spawn(curl ?? '', ['-sS', '-H', header, '--data-binary', '@-', `${address}/`])
    typed.stdin.end('1 & 2 = 3\n% and +\n')
    const link = (await text(typed.stdout)).trim()
    const raw = await t.visitor.call('GET', `/api/raw/${link.split('/').at(-1)}`)
    expect(raw.text).toBe('1 & 2 = 3\n% and +\n')
    const form = await run(curl ?? '', ['-sS', '-H', header, '-F', `file=@${file}`, `${address}/`])
    expect(form.stdout).toMatch(/^This is a form \(curl -F\)\. .*\n$/)
    const nameless = spawn(curl ?? '', ['-sS', '-H', header, '-T', '-', `${address}/`])
    nameless.stdin.end('from a pipe')
    expect(await text(nameless.stdout)).toMatch(/curl -T - HOST\/NAME\.\n$/)
    await rm(folder, { recursive: true })
  })
})
