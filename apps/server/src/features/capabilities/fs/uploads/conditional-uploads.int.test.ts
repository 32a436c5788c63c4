import { expect, test } from 'vitest'
import type { TestClient } from '../../../../testing/app.ts'
import { form } from '../../../../testing/files.ts'
import { putFile } from '../../../../testing/fs.ts'
import { describeEachStorage } from '../../../../testing/storages.ts'

type Headers = Record<string, string>

const FAILED = [412, 'request.condition_failed']
const outcomeOf = (answer: { status: number; body?: { error?: { code: string } } }) =>
  answer.status < 300 ? answer.status : [answer.status, answer.body?.error?.code]

const put = async (client: TestClient, path: string, headers: Headers) =>
  outcomeOf(await client.call('PUT', '/api/fs/upload', { payload: 'new', query: { path }, headers }))

const send = async (client: TestClient, path: string, headers: Headers, fields: Headers = {}) => {
  const values = Object.entries({ path, ...fields }).map(([name, value]) => ({ name, value }))
  const parts = form([...values, { name: 'file', filename: 'a.txt', value: 'new' }])
  const all = { ...parts, headers: { ...parts.headers, ...headers } }
  return outcomeOf(await client.call('POST', '/api/fs/upload', all))
}

describeEachStorage('fs: conditional uploads', ({ startApp, mountPath }) => {
  test.each([
    ['PUT', put],
    ['form', send],
  ])('an upload by %s replaces only the version that its headers allow', async (_name, upload) => {
    await using t = await startApp()
    const path = `${mountPath}/a.txt`
    const { etag } = await putFile(t.admin, path, 'old')
    const failing: Headers[] = [
      { 'if-none-match': '*' },
      { 'if-none-match': `"${etag}"` },
      { 'if-none-match': `"other", W/"${etag}"` },
      { 'if-match': '"other"' },
      { 'if-match': `W/"${etag}"` },
      { 'if-match': etag },
      { 'if-match': `"${etag}"`, 'if-none-match': '*' },
      { 'if-unmodified-since': 'Sat, 01 Jan 2000 00:00:00 GMT' },
    ]
    for (const headers of failing) {
      expect([headers, await upload(t.admin, path, headers)]).toEqual([headers, FAILED])
      expect(await t.storage.text('a.txt')).toBe('old')
    }
    const passing: Array<(current: string) => Headers> = [
      (current) => ({ 'if-match': `"other", "${current}"` }),
      () => ({ 'if-match': '*' }),
      () => ({ 'if-none-match': '"other"' }),
      () => ({ 'if-unmodified-since': 'Fri, 01 Jan 2100 00:00:00 GMT' }),
    ]
    for (const headersFor of passing) {
      const current = await putFile(t.admin, path, 'old')
      expect(await upload(t.admin, path, headersFor(current.etag))).toBe(200)
      expect(await t.storage.text('a.txt')).toBe('new')
    }
  })

  test('a free name satisfies If-None-Match and no If-Match', async () => {
    await using t = await startApp()
    const path = `${mountPath}/folder/free.txt`
    expect(await put(t.admin, path, { 'if-match': '*' })).toEqual(FAILED)
    expect(await put(t.admin, path, { 'if-match': '"a"' })).toEqual(FAILED)
    expect(await t.storage.keys()).toEqual([])
    expect(await put(t.admin, path, { 'if-none-match': '*' })).toBe(200)
    expect(await put(t.admin, path, { 'if-none-match': '*' })).toEqual(FAILED)
  })

  test.each([
    ['if-none-match', null],
    ['if-match', 'old'],
  ])('one of several uploads with %s wins', async (name, old) => {
    await using t = await startApp()
    const path = `${mountPath}/a.txt`
    const value = old === null ? '*' : `"${(await putFile(t.admin, path, old)).etag}"`
    const outcomes = await Promise.all(Array.from({ length: 6 }, () => put(t.admin, path, { [name]: value })))
    expect(outcomes.filter((one) => one === 200)).toHaveLength(1)
    expect(outcomes.filter((one) => one !== 200)).toEqual(Array.from({ length: 5 }, () => FAILED))
  })

  test('uploads that cannot check conditions refuse them, and new shares refuse conditions on a version', async () => {
    await using t = await startApp()
    const body = { path: mountPath, fileName: 'a.txt', fileSize: 3 }
    const begin = (path: string) => t.admin.call('POST', path, { body })
    const { uploadId } = (await begin('/api/fs/multipart/init')).body.data
    const headers = { 'if-none-match': '*' }
    const query = { uploadId, partNumber: '1' }
    for (const method of ['PUT', 'POST'] as const) {
      const part = await t.admin.call(method, '/api/fs/multipart/part', { payload: 'new', query, headers })
      expect(outcomeOf(part)).toEqual(FAILED)
    }
    for (const path of ['/api/fs/multipart/init', '/api/fs/presign'])
      expect(outcomeOf(await t.admin.call('POST', path, { body, headers }))).toEqual(FAILED)
    expect(await send(t.admin, mountPath, headers, { use_multipart: 'true' })).toEqual(FAILED)
    const share = (given: Headers) =>
      t.admin.call('PUT', '/api/upload-direct/a.txt', { payload: 'new', headers: given })
    expect(outcomeOf(await share({ 'if-match': '"a"' }))).toEqual(FAILED)
    expect((await share(headers)).status).toBeLessThan(300)
    const parts = form([{ name: 'file', filename: 'a.txt', value: 'new' }])
    const asForm = { ...parts, headers: { ...parts.headers, 'if-match': '*' } }
    expect(outcomeOf(await t.admin.call('POST', '/api/upload', asForm))).toEqual(FAILED)
  })

  test('a signed URL of the server refuses conditions', async () => {
    await using t = await startApp()
    const body = { path: mountPath, fileName: 'a.txt', fileSize: 3 }
    const begun = await t.admin.call('POST', '/api/fs/presign', { body })
    const url = new URL(begun.body.data.presignedUrl)
    if (!url.pathname.startsWith('/api/')) return
    const signed = (headers: Headers) =>
      t.visitor.call('PUT', `${url.pathname}${url.search}`, { payload: 'new', headers })
    expect(outcomeOf(await signed({ 'if-match': '"a"' }))).toEqual(FAILED)
    expect((await signed({})).status).toBe(200)
  })
})
