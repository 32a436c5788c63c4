import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { describeOneDatabase } from '../../testing/app.ts'

const POLICY = "default-src 'none'; script-src 'sha256-abc='"
const PAGE = `<!doctype html><meta http-equiv="Content-Security-Policy" content="${POLICY}" /><title>x</title>`

describeOneDatabase('sqlite', 'the opener', ({ startApp }) => {
  test('has its own content security policy, also below a base path, and every other page has that of the app', async () => {
    const root = await mkdtemp(join(tmpdir(), 'web-'))
    try {
      for (const name of ['index.html', 'paste.html', 'bundle.html', 'other.html', 'open.html'])
        await writeFile(join(root, name), PAGE)
      for (const BASE_PATH of ['', '/drop']) {
        await using t = await startApp({ env: { WEB_ROOT: root, BASE_PATH } })
        const opener = await t.visitor.call('GET', `${BASE_PATH}/open.html`)
        expect([opener.status, opener.text]).toEqual([200, PAGE])
        expect(opener.headers).toMatchObject({
          'content-security-policy': `${POLICY}; frame-ancestors 'none'`,
          'content-type': 'text/html; charset=utf-8',
          'cache-control': 'no-cache',
          'referrer-policy': 'no-referrer',
          'x-content-type-options': 'nosniff',
        })
        for (const path of ['/', '/other.html', '/s/open.html', '/open.html/'])
          expect(
            (await t.visitor.call('GET', `${BASE_PATH}${path}`)).headers['content-security-policy'],
          ).toContain("default-src 'self'")
      }
    } finally {
      await rm(root, { recursive: true, force: true })
    }
  })
})
