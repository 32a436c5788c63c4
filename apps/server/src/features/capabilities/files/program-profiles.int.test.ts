import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Program, profileOf } from '../../../../../web/src/features/api-keys/models/program-profiles.ts'
import { describeOneDatabase, type TestApp } from '../../../testing/app.ts'

/** Path prefix of a proxy that also serves other applications. */
const BASE = '/drop'
const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

let pages = ''
beforeAll(async () => {
  pages = await mkdtemp(join(tmpdir(), 'dropleaf-web-'))
  await writeFile(join(pages, 'index.html'), '<title>the page</title>')
})
afterAll(() => rm(pages, { recursive: true, force: true }))

type Fields = Record<string, string>

/** Returns the value at a dotted path of a response. */
const at = (answer: unknown, path: string): string =>
  String(path.split('.').reduce((value, name) => (value as Record<string, unknown>)[name], answer))

/** Fills in the placeholders of a pattern as ShareX does. */
const filled = (pattern: string, answer: unknown) =>
  pattern.replaceAll(/\{json:([^}]+)\}/g, (_whole, path: string) => at(answer, path))

function formWith(field: string): FormData {
  const form = new FormData()
  form.append(field, new Blob([PNG], { type: 'image/png' }), '屏幕 "1".png')
  return form
}

async function listen(t: TestApp): Promise<string> {
  await t.app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = t.app.server.address() as { port: number }
  return `http://127.0.0.1:${port}${BASE}`
}

describeOneDatabase('sqlite', 'profiles of programs', ({ startApp }) => {
  test('each program, configured only by its profile, shares and gets the right link', async () => {
    await using t = await startApp({ env: { BASE_PATH: BASE, WEB_ROOT: pages } })
    const server = await listen(t)
    const { key } = await t.keyClient({ text_permission: true, file_permission: true })
    const rights = { name: 'programs', key, text_permission: 1, file_permission: 1 } as const
    const profile = (program: Program) => JSON.parse(profileOf(program, { server, key: rights }).content)
    const post = async (url: string, headers: Fields, body: FormData | string) => {
      const answer = await fetch(url, { method: 'POST', headers, body })
      return [answer.status, await answer.json()] as const
    }
    const bytesAt = async (url: string) => Buffer.from(await (await fetch(url)).arrayBuffer())

    const files = profile('sharexFiles')
    expect(files.Body).toBe('MultipartFormData')
    const [status, answer] = await post(files.RequestURL, files.Headers, formWith(files.FileFormName))
    expect(status).toBe(201)
    const page = await fetch(filled(files.URL, answer))
    expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('the page')])
    const slug = filled(files.URL, answer).split('/').at(-1)
    expect((await fetch(`${server}/api/public/files/${slug}`)).status).toBe(200)
    expect((await bytesAt(filled(files.ThumbnailURL, answer))).equals(PNG)).toBe(true)
    const [refused, why] = await post(files.RequestURL, { Authorization: 'ApiKey wrong' }, formWith('file'))
    expect([refused, filled(files.ErrorMessage, why)]).toEqual([401, expect.stringMatching(/\w{4}/)])

    const texts = profile('sharexTexts')
    // ShareX escapes its input for a JSON string.
    const input = 'a "quoted"\nline 你好'
    const body = texts.Data.replace('{input}', () => JSON.stringify(input).slice(1, -1))
    const headers = { ...texts.Headers, 'content-type': 'application/json' }
    const [made, text] = await post(texts.RequestURL, headers, body)
    expect(made).toBe(201)
    const link = filled(texts.URL, text)
    expect(link.startsWith(`${server}/paste/`)).toBe(true)
    expect(await (await fetch(link.replace('/paste/', '/api/raw/'))).text()).toBe(input)

    const picgo = profile('picgo').picBed['web-uploader']
    const [, picture] = await post(picgo.url, JSON.parse(picgo.customHeader), formWith(picgo.paramName))
    expect((await bytesAt(at(picture, picgo.jsonPath))).equals(PNG)).toBe(true)

    const upic = JSON.parse(JSON.parse(profile('upic')[0]).data)
    const [head] = JSON.parse(upic.headers) as { key: string; value: string }[]
    const [, other] = await post(upic.url, { [head?.key ?? '']: head?.value ?? '' }, formWith(upic.field))
    const address = at(other, (JSON.parse(upic.resultPath) as string[]).join('.'))
    expect((await bytesAt(address)).equals(PNG)).toBe(true)
    expect((await fetch(address)).headers.get('content-type')).toBe('image/png')
  })
})
