import { once } from 'node:events'
import { connect } from 'node:net'
import { isGuarded, SHOWN_PASSWORD_MAX_LENGTH } from '@dropleaf/contract'
import { expect, test } from 'vitest'
import { JSON_MAX_DEPTH, JSON_MAX_VALUES } from '../../lib/bodies/json-gauge.ts'
import { describeOneDatabase, type TestApp } from '../../testing/app.ts'
import { allRoutes, pathWith } from '../../testing/contract-routes.ts'
import { GUARDED_BODY_LIMIT_BYTES, OPEN_BODY_LIMIT_BYTES } from '../bodies/body-parsers.ts'

const JSON_TYPE = { 'content-type': 'application/json' }
const nested = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`

/** Sends only a part of a request, and returns the first response. */
async function answerTo(t: TestApp, sent: string): Promise<string> {
  const { port } = new URL(await t.app.listen({ port: 0, host: '127.0.0.1' }))
  const socket = connect(Number(port), '127.0.0.1', () => socket.write(sent))
  socket.on('error', () => undefined)
  let answer = ''
  // Head and body can arrive separately.
  while (!isWhole(answer)) answer += String(((await once(socket, 'data')) as [Buffer])[0])
  socket.destroy()
  return answer
}

function isWhole(answer: string): boolean {
  const [head = '', body] = answer.split('\r\n\r\n')
  const [, lengthBytes] = /^content-length: (\d+)/im.exec(head) ?? []
  return body !== undefined && Buffer.byteLength(body) >= Number(lengthBytes)
}

const head = (line: string, headers: readonly string[], lengthBytes: number) =>
  [
    line,
    'Host: a',
    ...headers,
    'Content-Type: application/json',
    `Content-Length: ${lengthBytes}`,
    '',
    '',
  ].join('\r\n')

describeOneDatabase('sqlite', 'large bodies', ({ startApp }) => {
  test('bodies of routes without credentials are limited to 16 KiB, for every route and type', async () => {
    await using t = await startApp()
    const open = allRoutes.filter(
      ({ access, body, method }) => body && method !== 'GET' && !isGuarded(access),
    )
    expect(open.length).toBeGreaterThan(2)
    const paths = [...open.map((spec) => [spec.method, pathWith(spec, 'unknown')]), ['POST', '/api/nothing']]
    for (const [method = '', path = ''] of paths) {
      for (const type of ['application/json', 'application/x-www-form-urlencoded']) {
        const send = (lengthBytes: number) =>
          t.visitor.call(method, path, {
            payload: `{"password":"${'x'.repeat(lengthBytes - 15)}"}`,
            headers: { 'content-type': type },
          })
        const { status, body } = await send(OPEN_BODY_LIMIT_BYTES + 1)
        expect([path, type, status, body.error.code]).toEqual([path, type, 413, 'request.too_large'])
        expect([path, (await send(OPEN_BODY_LIMIT_BYTES)).status]).not.toEqual([path, 413])
      }
    }
  })

  test('the longest password fits, with every encoding of its characters', async () => {
    await using t = await startApp()
    const payload = `{"password":"${'\\u5bc6'.repeat(SHOWN_PASSWORD_MAX_LENGTH)}"}`
    const answer = await t.visitor.call('POST', '/api/paste/unknown', { payload, headers: JSON_TYPE })
    expect([answer.status, answer.body.error.code]).toEqual([404, 'paste.not_found'])
  })

  test('a body of unknown length from a visitor is cut off at the limit', async () => {
    await using t = await startApp()
    const size = OPEN_BODY_LIMIT_BYTES + 1
    const answer = await answerTo(
      t,
      [
        'POST /api/admin/login HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n',
        `${size.toString(16)}\r\n"${'x'.repeat(size - 1)}`,
      ].join('\r\n'),
    )
    expect(answer).toMatch(/^HTTP\/1.1 413 [^]*request\.too_large/)
  })

  test('credentials are checked before the body is read', async () => {
    await using t = await startApp()
    const line = head('POST /api/paste HTTP/1.1', ['Authorization: ApiKey none'], 50 * 1024 ** 2)
    expect(await answerTo(t, line)).toMatch(/^HTTP\/1.1 401 [^]*auth\.unauthorized/)
  })

  test('JSON that is nested too deep is refused in the language of the caller, at any depth that brackets in texts have', async () => {
    await using t = await startApp()
    const send = (payload: string, language = 'en') =>
      t.admin.call('POST', '/api/paste', { payload, headers: { ...JSON_TYPE, 'accept-language': language } })
    const deep = `{"content":"x","extra":${nested(JSON_MAX_DEPTH)}}`
    const answer = await send(deep)
    expect([answer.status, answer.body.error.code]).toEqual([400, 'request.refused'])
    expect(answer.body.message).toContain('nested more than 64 levels deep')
    expect((await send(deep, 'zh-CN')).body.message).toContain('嵌套超过 64 层')
    expect((await send(`{"content":"x","extra":${nested(JSON_MAX_DEPTH - 1)}}`)).status).toBe(201)
    const brackets = `"${nested(1000)}\\`
    const shared = await t.admin.call('POST', '/api/paste', { body: { content: brackets } })
    expect(shared.status).toBe(201)
    expect((await t.visitor.call('GET', `/api/raw/${shared.body.slug}`)).text).toBe(brackets)
  })

  test('JSON that is nested too deep is refused while it arrives', async () => {
    await using t = await startApp()
    const line = head('POST /api/paste HTTP/1.1', [`Authorization: ${t.admin.authorization}`], 50 * 1024 ** 2)
    expect(await answerTo(t, `${line}${'['.repeat(JSON_MAX_DEPTH + 1)}`)).toMatch(
      /^HTTP\/1.1 400 [^]*request\.refused/,
    )
  })

  test('JSON of too many values is refused, and of too many bytes, with every credential', async () => {
    await using t = await startApp()
    const send = (path: string, payload: string) =>
      t.admin.call('POST', path, { payload, headers: JSON_TYPE })
    const many = await send('/api/paste', `{"content":"x","extra":[${'0,'.repeat(JSON_MAX_VALUES)}0]}`)
    expect([many.status, many.body.error.code]).toEqual([400, 'request.refused'])
    const large = await send('/api/fs/mkdir', `{"path":"${'x'.repeat(GUARDED_BODY_LIMIT_BYTES)}"}`)
    expect([large.status, large.body.error.code]).toEqual([413, 'request.too_large'])
  })

  test('a form with too many fields is refused while it arrives', async () => {
    await using t = await startApp()
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    const send = (fields: number) =>
      t.admin.call('POST', '/api/paste', { payload: 'a&'.repeat(fields), headers })
    const many = await send(4_000_000)
    expect([many.status, many.body.error.code]).toEqual([400, 'request.refused'])
    expect(many.text).toContain('1,000 fields')
    expect((await send(900)).text).not.toContain('1,000 fields')
  })
})
