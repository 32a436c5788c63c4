import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { managedPasteRoutes, pasteRoutes } from '@dropleaf/contract'
import { queue as words } from '../apps/web/src/locales/en-US/queue.ts'
import { Api, logIn } from './support/api.ts'
import { copyApp } from './support/app-copy.ts'
import { workerReady } from './support/offline.ts'
import { editor, writeText } from './support/pages.ts'
import { Traveller } from './support/queue.ts'
import { startServer } from './support/server.ts'
import { ADMIN_PASSWORD, expect, test } from './support/test.ts'

/** Changes that wait while pages, browsers and versions of the app come and go. */

test.use({ serviceWorkers: 'allow' })

test('what waits is there after a reload without a line, and is sent by the worker when no page is open', async ({
  adminPage: page,
  admin,
  server,
}) => {
  await page.goto('/')
  await workerReady(page)
  const traveller = new Traveller(page, admin)
  await test.step('a reload without a line', async () => {
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
  await test.step('an edit, then a reload without a line', async () => {
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
  await test.step('caches are cleared and what is over removed, offline', async () => {
    await page.goto('/admin')
    const clear = page.getByRole('button', { name: 'Clear', exact: true })
    await expect(clear).toBeVisible()
    await traveller.leave()
    await clear.click()
    await page.getByRole('dialog').getByRole('button', { name: 'Clear', exact: true }).click()
    await traveller.waits(1)
    await traveller.back()
    await traveller.settled()
  })
  await test.step('the worker wakes up where no page is open', async () => {
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

test('where the browser has no room left, the text stays in the editor', async ({
  adminPage: page,
  admin,
  server,
}) => {
  await page.goto('/')
  await workerReady(page)
  const traveller = new Traveller(page, admin)
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('Storage.overrideQuotaForOrigin', { origin: server.origin, quotaSize: 1 })
  await traveller.leave()
  await traveller.share('r5 no room for it')
  await expect(page.getByText('Network connection failed')).toBeVisible()
  await expect(editor(page)).toHaveText('r5 no room for it')
  await traveller.back()
  await page.getByRole('button', { name: 'Create share' }).click()
  await expect.poll(() => traveller.countTexts('r5 no room')).toBe(1)
})

test('the password of a file is tried when the line is back', async ({ page, admin, adminToken, server }) => {
  const answer = await fetch(`${server.origin}/api/upload-direct/r6.txt?slug=r6-file&password=open-sesame`, {
    method: 'PUT',
    headers: { authorization: `Bearer ${adminToken}` },
    body: 'the bytes',
  })
  expect(answer.status).toBe(201)
  const traveller = new Traveller(page, admin)
  await page.goto('/file/r6-file')
  await workerReady(page)
  const guess = async (password: string) => {
    await traveller.leave()
    await page.getByLabel('Password', { exact: true }).fill(password)
    await page.getByRole('button', { name: 'Open', exact: true }).click()
    await traveller.waits(1)
    await traveller.back()
  }
  await guess('wrong')
  await traveller.openQueue()
  await expect(traveller.entry(words.type.verify_file_password)).toContainText(words.status.failed)
  await page.getByRole('button', { name: words.drop }).click()
  await page.getByRole('dialog').getByRole('button', { name: words.drop }).click()
  await traveller.settled()
  await page.goto('/file/r6-file')
  await expect(page.getByLabel('Password', { exact: true })).toBeVisible()
  await guess('open-sesame')
  await expect(page.getByText(words.toasts.opened)).toBeVisible()
  await traveller.settled()
})

test('what waits outlives the browser', async ({ playwright, launchOptions, admin, adminToken, server }) => {
  const profile = await mkdtemp(path.join(tmpdir(), 'dropleaf-profile-'))
  const start = (offline: boolean) =>
    playwright.chromium.launchPersistentContext(profile, {
      ...launchOptions,
      locale: 'en-US',
      serviceWorkers: 'allow',
      offline,
    })
  try {
    const before = await start(false)
    const page = await before.newPage()
    await page.goto(`${server.origin}/api/health`)
    await page.evaluate((token) => localStorage.setItem('admin_token', token), adminToken)
    await page.goto(server.origin)
    await workerReady(page)
    const traveller = new Traveller(page, admin)
    await traveller.leave()
    await traveller.share('r7 of yesterday')
    await traveller.waits(1)
    await before.close()
    const after = await start(true)
    const again = new Traveller(await after.newPage(), admin)
    await again.page.goto(server.origin)
    await again.waits(1)
    await again.back()
    await again.sent('r7 of yesterday', 1)
    await after.close()
  } finally {
    await rm(profile, { recursive: true, force: true })
  }
})

test('an update of the app takes nothing from the queue', async ({ browser }) => {
  const app = await copyApp()
  const server = await startServer({ adminPassword: ADMIN_PASSWORD, env: { WEB_ROOT: app.root } })
  const context = await browser.newContext({ serviceWorkers: 'allow', locale: 'en-US' })
  try {
    const token = await logIn(server.origin, ADMIN_PASSWORD)
    const admin = new Api(server.origin).withToken(token)
    const page = await context.newPage()
    await page.goto(`${server.origin}/api/health`)
    await page.evaluate((value) => localStorage.setItem('admin_token', value), token)
    await page.goto(server.origin)
    await workerReady(page)
    await app.deploy('second')
    await page.evaluate(async () => (await navigator.serviceWorker.ready).update())
    const card = page.getByRole('region', { name: 'New version available' })
    await expect(card).toBeVisible({ timeout: 20_000 })
    const traveller = new Traveller(page, admin)
    await traveller.leave()
    await traveller.share('r8 before the update')
    await traveller.waits(1)
    await writeText(page, 'and a draft')
    await card.getByRole('button', { name: 'Update now' }).click()
    await expect(card).toHaveCount(0)
    await expect(editor(page)).toHaveText('and a draft')
    await traveller.waits(1)
    await traveller.back()
    await traveller.settled()
    const { pagination } = await admin.call(managedPasteRoutes.adminList, { query: { search: 'r8 before' } })
    expect(pagination.total).toBe(1)
  } finally {
    await context.close()
    await server.stop()
    await app.remove()
  }
})
