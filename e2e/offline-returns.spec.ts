import { pasteRoutes } from '@dropleaf/contract'
import { queue as words } from '../apps/web/src/locales/en-US/queue.ts'
import { Api, logIn } from './support/api.ts'
import { copyApp } from './support/app-copy.ts'
import { keptBrowser, test, workerReady } from './support/offline.ts'
import { editor, writeText } from './support/pages.ts'
import { BROKEN_LINES, Traveller } from './support/queue.ts'
import { startServer } from './support/server.ts'
import { ADMIN_PASSWORD, expect, unfoldOptions } from './support/test.ts'

/**
 * Tests that queued changes survive closed pages, browser restarts and app updates, and that a password is tried when
 * the browser is online again.
 */

test('pending changes survive an offline reload, and the worker sends them when no page is open', async ({
  traveller,
  admin,
  server,
}) => {
  const { page } = traveller
  await test.step('an offline reload', async () => {
    await traveller.leave()
    await traveller.share('r1 before the reload')
    await traveller.waits(1)
    await page.reload()
    await traveller.waits(1)
    await traveller.openQueue()
    await expect(traveller.entry('r1 before')).toBeVisible()
    await traveller.back()
    await traveller.sent('r1 before', 1)
  })
  await test.step('an edit, then an offline reload', async () => {
    await admin.call(pasteRoutes.create, { body: { content: 'r2 before', slug: 'r2' } })
    await traveller.beginEdit('r2')
    await traveller.leave()
    await traveller.save('r2 after')
    await traveller.waits(1)
    await page.reload()
    await traveller.waits(1)
    await traveller.back()
    await traveller.settled()
    expect([await traveller.textOf('r2'), await traveller.earlier('r2')]).toEqual(['r2 after', 1])
  })
  await test.step('the worker wakes up without an open page', async () => {
    await page.goto('/')
    await traveller.leave()
    await traveller.share('r4 without a page')
    await traveller.waits(1)
    const context = page.context()
    const devtools = await context.newCDPSession(page)
    const registrations: string[] = []
    devtools.on('ServiceWorker.workerRegistrationUpdated', (event) => {
      registrations.push(...event.registrations.map(({ registrationId }) => registrationId))
    })
    await devtools.send('ServiceWorker.enable')
    await expect.poll(() => registrations.length).toBeGreaterThan(0)
    const other = await context.newPage()
    await other.goto('about:blank')
    const outside = await context.newCDPSession(other)
    await outside.send('ServiceWorker.enable')
    await page.close()
    await context.setOffline(false)
    await outside.send('ServiceWorker.dispatchSyncEvent', {
      origin: server.origin,
      registrationId: registrations.at(-1) ?? '',
      tag: 'sync-offline-queue',
      lastChance: false,
    })
    await expect.poll(() => traveller.countTexts('r4 without')).toBe(1)
  })
})

test('the password of a file is tried when online again', async ({ page, admin, adminToken, server }) => {
  const answer = await fetch(`${server.origin}/api/upload-direct/r6.txt?slug=r6-file&password=open-sesame`, {
    method: 'PUT',
    headers: { authorization: `Bearer ${adminToken}` },
    body: 'the bytes',
  })
  expect(answer.status).toBe(200)
  const traveller = new Traveller(page, admin)
  const field = page.getByLabel('Password', { exact: true })
  const open = async () => {
    await page.goto('/file/r6-file')
    await expect(field).toBeVisible()
  }
  const guess = async (password: string) => {
    await field.fill(password)
    await page.getByRole('button', { name: 'Open', exact: true }).click()
  }
  await test.step('a wrong password', async () => {
    await open()
    await traveller.leave()
    await guess('wrong')
    await traveller.waits(1)
    await traveller.back()
    await traveller.openQueue()
    await expect(traveller.entry(words.type.verify_file_password)).toContainText(words.status.failed)
    await page.getByRole('button', { name: words.drop }).click()
    await page.getByRole('dialog').getByRole('button', { name: words.drop }).click()
    await traveller.settled()
  })
  for (const line of BROKEN_LINES)
    await test.step(`the right password; the connection breaks: ${line}`, async () => {
      await open()
      const call = { method: 'POST', address: '**/verify', saying: words.toasts.opened }
      await traveller.over(line, call, () => guess('open-sesame'))
    })
})

test('pending changes and typed text survive the browser; without space a text stays in the editor', async ({
  playwright,
  launchOptions,
  admin,
  adminToken,
  server,
}) => {
  const browser = await keptBrowser({ playwright, launchOptions })
  try {
    await test.step('closed offline', async () => {
      const before = await browser.start()
      const page = await before.newPage()
      await page.goto(`${server.origin}/api/health`)
      await page.evaluate((token) => localStorage.setItem('admin_token', token), adminToken)
      await page.goto(server.origin)
      await workerReady(page)
      const traveller = new Traveller(page, admin)
      await traveller.leave()
      await traveller.share('r7 of yesterday')
      await traveller.waits(1)
      await writeText(page, 'r5 typed yesterday')
      await page.waitForFunction(() => JSON.stringify(localStorage).includes('r5 typed yesterday'))
      await before.close()
    })
    const after = await browser.start({ offline: true })
    const page = await after.newPage()
    const traveller = new Traveller(page, admin)
    await test.step('started offline, and without space', async () => {
      const devtools = await after.newCDPSession(page)
      // Sets the quota before the page requests the free space, because Chromium determines the free space only every
      // 30 s.
      await devtools.send('Storage.overrideQuotaForOrigin', { origin: server.origin, quotaSize: 1 })
      await page.goto(server.origin)
      await traveller.waits(1)
      await expect(editor(page)).toHaveText('r5 typed yesterday')
      await page.getByRole('button', { name: 'Create share' }).click()
      await expect(page.getByText(/Network connection failed|The server is not responding/)).toBeVisible()
      await expect(editor(page)).toHaveText('r5 typed yesterday')
    })
    await test.step('online again', async () => {
      await traveller.back()
      await traveller.sent('r7 of yesterday', 1)
      await page.getByRole('button', { name: 'Create share' }).click()
      await expect.poll(() => traveller.countTexts('r5 typed')).toBe(1)
    })
    await after.close()
  } finally {
    await browser.remove()
  }
})

test('a new version is offered, and an update loses neither a draft nor pending changes', async ({
  browser,
}) => {
  const app = await copyApp()
  const server = await startServer({ adminPassword: ADMIN_PASSWORD, env: { WEB_ROOT: app.root } })
  const context = await browser.newContext({ serviceWorkers: 'allow', locale: 'en-US' })
  await unfoldOptions(context)
  try {
    const token = await logIn(server.origin, ADMIN_PASSWORD)
    const page = await context.newPage()
    const traveller = new Traveller(page, new Api(server.origin).withToken(token))
    const other = await context.newPage()
    const card = page.getByRole('region', { name: 'New version available' })
    const deploy = async (word: string) => {
      await app.deploy(word)
      // Checks for an update, as browsers do from time to time.
      await page.evaluate(async () => (await navigator.serviceWorker.ready).update())
      await expect(card).toBeVisible()
    }
    const isShown = async (word: string) => {
      await expect(card).toHaveCount(0)
      const html = await page.evaluate(async () => (await fetch('/index.html')).text())
      expect(html).toContain(`<title>${word}`)
    }
    await page.goto(`${server.origin}/api/health`)
    await page.evaluate((value) => localStorage.setItem('admin_token', value), token)
    await page.goto(server.origin)
    await workerReady(page)
    await other.goto(server.origin)
    await test.step('during writing', async () => {
      await writeText(page, 'a draft that is being written')
      await deploy('second')
      await page.keyboard.insertText(', to its end')
      await card.getByRole('button', { name: 'Update now' }).click()
      await expect(other.getByRole('region', { name: 'The app was updated' })).toBeVisible()
      await expect(editor(page)).toHaveText('a draft that is being written, to its end')
      await isShown('second')
    })
    await test.step('offline', async () => {
      await deploy('third')
      await traveller.leave()
      await page.getByRole('button', { name: 'Create share' }).click()
      await traveller.waits(1)
      await writeText(page, 'and another draft')
      await card.getByRole('button', { name: 'Update now' }).click()
      await isShown('third')
      await expect(editor(page)).toHaveText('and another draft')
      await traveller.waits(1)
      await traveller.back()
      await traveller.sent('a draft that is being written', 1)
    })
  } finally {
    await context.close()
    await server.stop()
    await app.remove()
  }
})
