import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { pathOf, share } from '../../../testing/files.ts'
import { openSlowly, shareAsking } from '../../../testing/opening.ts'
import { describeEachStorage, type StorageTestApp } from '../../../testing/storages.ts'

const RULES = 'noindex, noarchive, nosnippet'

async function makeWebRoot(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'dropleaf-web-'))
  for (const name of ['index.html', 'paste.html', 'bundle.html'])
    await writeFile(join(folder, name), '<p>page</p>')
  return folder
}

/** Creates a text and a file that open directly, and a text and a file that require confirmation. */
async function fill(t: StorageTestApp): Promise<void> {
  const text = { content: 'text', content_type: 'text/plain', slug: 'text' }
  expect((await t.admin.call('POST', '/api/paste', { body: text })).status).toBe(201)
  await share(t.admin, 'a.txt', { bytes: 'bytes', query: { slug: 'bytes' } })
  await shareAsking(t, { kind: 'paste', slug: 'asking' })
  await shareAsking(t, { kind: 'file', slug: 'asking' })
}

const LISTED = ['/', '/upload', '/files', '/login', '/pasteboard', '/index.html']

const PAGES = [
  '/s/n%6fne',
  '/bundle.html',
  '/paste/text',
  '/paste/asking',
  '/paste/missing',
  '/paste.html',
  '/Paste/text',
  '/%70aste/text',
  '/file/bytes',
  '/file/asking',
  '/file/missing',
  '/file/asking?x=/upload',
]

/** URLs of contents and of their metadata, with the expected status. */
const CONTENTS: Readonly<Record<string, number>> = {
  '/api/paste/text': 200,
  '/api/paste/asking': 428,
  '/api/paste/missing': 404,
  '/api/raw/text': 200,
  '/api/raw/asking': 428,
  '/api/public/files/bytes': 200,
  '/api/public/files/asking': 428,
  '/api/file-view/bytes': 200,
  '/api/file-view/asking': 428,
  '/api/file-download/bytes': 200,
  '/api/file-download/missing': 404,
  '/api/opening/paste/asking/state': 200,
  '/api/opening/file/asking/state': 200,
}

describeEachStorage('search engines', ({ startApp }) => {
  test('are excluded from the page of every share, and from no other page', async () => {
    const webRoot = await makeWebRoot()
    await using t = await startApp({ env: { WEB_ROOT: webRoot } })
    await fill(t)
    const rulesOf = async (url: string) => {
      const { status, headers } = await t.visitor.call('GET', url)
      return [url, status, headers['x-robots-tag']]
    }
    for (const url of PAGES) expect(await rulesOf(url)).toEqual([url, 200, RULES])
    for (const url of LISTED) expect(await rulesOf(url)).toEqual([url, 200, undefined])
    await rm(webRoot, { recursive: true })
  })

  test('are excluded from contents and from error responses', async () => {
    await using t = await startApp()
    await fill(t)
    for (const [url, status] of Object.entries(CONTENTS))
      for (const method of ['GET', 'HEAD'] as const) {
        const answer = await t.visitor.call(method, url)
        if (method === 'HEAD' && answer.status === 404) continue
        // A share in a bucket redirects to the bucket, which serves the bytes.
        const expected = url.startsWith('/api/file-') && status === 200 ? [200, 302] : [status]
        expect([url, method, answer.headers['x-robots-tag']]).toEqual([url, method, RULES])
        expect(expected).toContain(answer.status)
      }
    for (const kind of ['paste', 'file'] as const) {
      const opened = await openSlowly(t, { kind, slug: 'asking' })
      expect([opened.status, opened.headers['x-robots-tag']]).toEqual([200, RULES])
      if (kind === 'paste') continue
      const link = pathOf(opened.body.data.downloadUrl as string)
      // A link that does not start with `/api/` leads to the bucket.
      if (!link.startsWith('/api/')) continue
      expect((await t.visitor.call('GET', link)).headers['x-robots-tag']).toBe(RULES)
    }
  })
})
