import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { describeOneDatabase } from '../../../testing/app.ts'
import { publishedBundle } from '../../../testing/bundles.ts'

const PAGE = '<!doctype html><title>the page</title>'

describeOneDatabase('sqlite', 'the link of a bundle', ({ startApp }) => {
  test('shows its page to browsers and previewers, and a list to programs, and only the list uses a view', async () => {
    const webRoot = await mkdtemp(join(tmpdir(), 'web-'))
    for (const name of ['index.html', 'paste.html', 'bundle.html']) await writeFile(join(webRoot, name), PAGE)
    await using t = await startApp({ env: { WEB_ROOT: webRoot } })
    const { slug } = await publishedBundle(t.admin)
    const viewsAfter = async (headers: Record<string, string>) => {
      await t.ctx.db.updateTable('bundles').set({ views: 0 }).execute()
      const answer = await t.visitor.call('GET', `/s/${slug}`, { headers })
      expect(answer.headers['vary']?.toLowerCase().split(', ')).toEqual(
        expect.arrayContaining(['accept', 'user-agent']),
      )
      const { views } = await t.ctx.db.selectFrom('bundles').select('views').executeTakeFirstOrThrow()
      return [answer.text === PAGE ? 'page' : answer.headers['content-type']?.split(';')[0], views]
    }
    const browser = 'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0'
    const whatsApp = 'WhatsApp/2.23.20.0'
    const pages: Array<Record<string, string>> = [
      { 'user-agent': browser, accept: 'text/html,application/xhtml+xml,*/*;q=0.8' },
      { 'user-agent': browser, accept: '*/*', 'sec-fetch-mode': 'no-cors' },
      { 'user-agent': browser, accept: 'image/avif,image/webp,*/*;q=0.8' },
      { 'user-agent': browser, accept: 'application/json' },
      { 'user-agent': whatsApp, accept: '*/*' },
      { 'user-agent': whatsApp },
      { 'user-agent': whatsApp, accept: 'text/plain' },
      { 'user-agent': 'TelegramBot (like TwitterBot)', accept: '*/*' },
      { 'user-agent': 'facebookexternalhit/1.1', accept: '*/*' },
      { 'user-agent': 'Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)', accept: '*/*' },
      { 'user-agent': 'okhttp/4.12.0', accept: '*/*' },
      { 'user-agent': 'Iframely/1.3.1', accept: '*/*' },
    ]
    for (const headers of pages) expect([headers, await viewsAfter(headers)]).toEqual([headers, ['page', 0]])
    const programs: Array<Record<string, string>> = [
      { 'user-agent': 'curl/8.5.0', accept: '*/*' },
      { 'user-agent': 'Wget/1.21.4', accept: '*/*' },
      { 'user-agent': 'HTTPie/3.2.4', accept: '*/*' },
      { 'user-agent': 'curl/8.5.0', accept: 'text/plain' },
      { 'user-agent': 'my script', accept: '*/*;q=0.8' },
      { 'user-agent': 'python-requests/2.32', accept: 'text/plain' },
      { 'user-agent': 'mytool/1.0', accept: 'text/plain' },
      { 'user-agent': browser, accept: 'text/plain' },
    ]
    for (const headers of programs)
      expect([headers, await viewsAfter(headers)]).toEqual([headers, ['text/plain', 1]])
    await rm(webRoot, { recursive: true })
  })
})
