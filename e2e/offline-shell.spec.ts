import { fsFileRoutes, pasteRoutes } from '@dropleaf/contract'
import type { Page } from '@playwright/test'
import { expectAccessible } from './support/accessible.ts'
import { logIn } from './support/api.ts'
import { isKept, keptKeys } from './support/kept.ts'
import { test, workerReady } from './support/offline.ts'
import { editor } from './support/pages.ts'
import { startServer } from './support/server.ts'
import { ADMIN_PASSWORD, expect, test as withoutWorker } from './support/test.ts'

const offlineBadge = (page: Page) => page.getByText('You’re offline', { exact: true })

test('the app can be installed, in the language of the interface', async ({ page }) => {
  await page.goto('/')
  await workerReady(page)
  const devtools = await page.context().newCDPSession(page)
  const { installabilityErrors } = await devtools.send('Page.getInstallabilityErrors')
  expect(installabilityErrors).toEqual([])
  const manifest = await devtools.send('Page.getAppManifest')
  expect(manifest.errors).toEqual([])
  const facts = JSON.parse(manifest.data ?? '{}') as Record<string, unknown>
  expect(facts).toMatchObject({ name: 'Dropleaf - Online clipboard', display: 'standalone', start_url: '.' })
  for (const { src, sizes } of [...(facts['icons'] as Picture[]), ...(facts['screenshots'] as Picture[])]) {
    const size = await page.evaluate(async (address) => {
      const picture = new Image()
      picture.src = address
      await picture.decode()
      return `${picture.naturalWidth}x${picture.naturalHeight}`
    }, src)
    expect(size, src).toBe(sizes)
  }
  await page.evaluate(() => localStorage.setItem('language', 'zh-CN'))
  await page.reload()
  const chinese = await devtools.send('Page.getAppManifest')
  expect(JSON.parse(chinese.data ?? '{}')).toMatchObject({ name: 'Dropleaf 在线剪贴板', lang: 'zh-CN' })
})

interface Picture {
  readonly src: string
  readonly sizes: string
}

/** Opens a page and waits for its content. */
async function visit(page: Page, address: string, seen: string) {
  await page.goto(address)
  await expect(page.getByText(seen).first()).toBeVisible()
}

test('viewed pages are readable offline and marked as copies; others show a message', async ({
  adminPage: page,
  admin,
  context,
  server,
}) => {
  const { slug } = await admin.call(pasteRoutes.create, { body: { content: '# Seen\n\nread before' } })
  const unseen = await admin.call(pasteRoutes.create, { body: { content: 'never read' } })
  await admin.call(fsFileRoutes.mkdir, { body: { path: '/local/seen-folder/' } })
  await admin.call(fsFileRoutes.update, { body: { path: '/local/seen-folder/note.txt', content: 'note' } })
  const file = await uploadFile(server.origin, await tokenOf(page), 'seen-file.txt')

  await visit(page, `/paste/${slug}`, 'read before')
  await workerReady(page)
  await isKept(page, 'pastes', slug)
  await visit(page, '/mount-explorer/local/seen-folder', 'note.txt')
  await visit(page, `/file/${file}`, 'seen-file.txt')
  await isKept(page, 'files', file)

  await visit(page, '/admin/text-management', slug)
  await expect.poll(async () => (await keptKeys(page, 'answers')).join()).toContain('/api/admin/pastes?')

  await context.setOffline(true)
  await visit(page, `/paste/${slug}`, 'read before')
  await expect(page.getByText(/^Offline copy from /)).toBeVisible()
  await expect(offlineBadge(page)).toBeVisible()
  await visit(page, `/file/${file}`, 'seen-file.txt')
  await expect(page.getByText(/^Offline copy from /)).toBeVisible()
  await expect(page.getByRole('link', { name: 'Download' })).toHaveCount(0)
  await visit(page, '/mount-explorer/local/seen-folder', 'note.txt')
  await expect(page.getByText(/^Offline copy from /)).toBeVisible()
  await visit(page, '/admin/text-management', slug)
  await expect(page.getByText(/^Offline copy from /)).toBeVisible()
  await page.goto('/')
  await expect(editor(page)).toBeVisible()

  await page.goto(`/paste/${unseen.slug}`)
  await expect(page.getByRole('heading', { name: 'This share could not be loaded' })).toBeVisible()
  const told = page.getByText('You are offline, and this device has no offline copy of this page yet.')
  await expect(told).toBeVisible()
  await page.goto('/mount-explorer/local')
  await expect(told).toBeVisible()
  await expect(page.getByRole('button', { name: 'Try again' }).first()).toBeVisible()

  await context.setOffline(false)
  await page.goto(`/paste/${slug}`)
  await expect(page.getByText('read before')).toBeVisible()
  await expect(page.getByText(/^Offline copy from /)).toHaveCount(0)
  const views = await admin.call(pasteRoutes.adminRead, { params: { id: slug } })
  expect(views.data.views).toBe(2)
})

const tokenOf = (page: Page) => page.evaluate(() => localStorage.getItem('admin_token') ?? '')

async function uploadFile(origin: string, token: string, name: string): Promise<string> {
  const answer = await fetch(`${origin}/api/upload-direct/${name}`, {
    method: 'PUT',
    headers: { authorization: `Bearer ${token}` },
    body: 'the bytes',
  })
  const { data } = (await answer.json()) as { data: { slug: string } }
  return data.slug
}

test('a text with a password, a view limit or secrets is not stored', async ({ adminPage: page, admin }) => {
  const limited = await admin.call(pasteRoutes.create, { body: { content: 'five times', maxViews: 5 } })
  const locked = await admin.call(pasteRoutes.create, { body: { content: 'secret', password: 'sesame-1' } })
  const open = await admin.call(pasteRoutes.create, { body: { content: 'for everybody' } })
  await page.goto('/')
  await workerReady(page)
  await visit(page, `/paste/${limited.slug}`, 'five times')
  await visit(page, `/paste/${locked.slug}`, 'This share is protected by a password')
  await Promise.all([page.waitForResponse(/\/api\/admin\/api-keys/), page.goto('/admin/key-management')])
  await visit(page, `/paste/${open.slug}`, 'for everybody')
  await isKept(page, 'pastes', open.slug)
  expect(await keptKeys(page, 'pastes')).toEqual([open.slug])
  expect((await keptKeys(page, 'answers')).filter((key) => /api-keys|s3-configs/.test(key))).toEqual([])
})

test('a logout deletes the copies, and no other user sees them', async ({ page, admin, context, server }) => {
  const { slug } = await admin.call(pasteRoutes.create, { body: { content: 'for the admin' } })
  // Uses a new session, because the logout ends the session.
  const token = await logIn(server.origin, ADMIN_PASSWORD)
  await page.goto('/')
  await page.evaluate((stored) => localStorage.setItem('admin_token', stored), token)
  await workerReady(page)
  await visit(page, `/paste/${slug}`, 'for the admin')
  await isKept(page, 'pastes', slug)
  // Another identity in the same browser gets no cached data, even before the cached data is deleted.
  await context.setOffline(true)
  const asAnother = await page.evaluate(
    (address) =>
      fetch(address, { headers: { Authorization: 'Bearer another' } }).then(
        () => 'answered',
        () => 'refused',
      ),
    `/api/paste/${slug}`,
  )
  expect(asAnother).toBe('refused')
  await context.setOffline(false)
  await page.goto('/admin/settings')
  await page.getByRole('button', { name: 'Log out' }).click()
  await expect.poll(() => keptKeys(page, 'pastes')).toEqual([])
  await context.setOffline(true)
  await page.goto(`/paste/${slug}`)
  await expect(page.getByRole('heading', { name: 'This share could not be loaded' })).toBeVisible()
})

/** Posts a form to the app. A phone does the same with shared content. */
async function share(
  page: Page,
  fields: Readonly<Record<string, string>>,
  files: Readonly<Record<string, string>> = {},
  basePath = '',
) {
  await page.evaluate(
    ([texts, contents, base]) => {
      const form = document.createElement('form')
      form.method = 'POST'
      form.enctype = 'multipart/form-data'
      form.action = `${base}/share-target`
      for (const [name, value] of Object.entries(texts)) {
        const input = document.createElement('textarea')
        input.name = name
        input.value = value
        form.append(input)
      }
      const list = new DataTransfer()
      for (const [name, content] of Object.entries(contents)) list.items.add(new File([content], name))
      const picker = document.createElement('input')
      picker.type = 'file'
      picker.multiple = true
      picker.name = 'files'
      picker.files = list.files
      if (list.files.length > 0) form.append(picker)
      document.body.append(form)
      form.submit()
    },
    [fields, files, basePath] as const,
  )
}

test('a text shared from another app opens in the editor, once, and replaces no draft', async ({
  page,
  context,
}) => {
  await page.goto('/')
  await workerReady(page)
  await context.setOffline(true)
  await share(page, { title: 'A page', text: 'worth reading', url: 'https://example.org/a' })
  await expect(editor(page)).toContainText('A pageworth readinghttps://example.org/a')
  await expect(page).toHaveURL('/')
  expect(await keptKeys(page, 'incomingShares')).toEqual([])

  await share(page, { title: '', text: 'the next thing', url: '' })
  await expect(page.getByText('The previous text is in your drafts')).toBeVisible()
  await expect(editor(page)).toContainText('the next thing')
  await expect(editor(page)).not.toContainText('worth reading')
  await page.reload()
  await expect(editor(page)).toContainText('the next thing')
  await page.getByRole('button', { name: 'Drafts' }).click()
  await expect(page.getByRole('dialog').getByText('worth reading')).toBeVisible()
})

test('three files shared from another app open on the upload page, and are uploaded there', async ({
  adminPage: page,
}) => {
  await page.goto('/')
  await workerReady(page)
  await share(page, { text: 'three of them' }, { 'one.txt': '1', 'two.txt': '22', 'three.txt': '333' })
  const files = page.getByRole('region', { name: 'Files to upload' }).getByRole('listitem')
  await expect(files).toHaveCount(3)
  await expect(page).toHaveURL('/upload')
  expect(await keptKeys(page, 'incomingShares')).toEqual([])
  await page.getByRole('button', { name: 'Start upload' }).click()
  await expect(page.getByText('Bundle of 3 files')).toBeVisible()
  await expect(page.getByText('Link created')).toBeVisible()
})

withoutWorker.describe('without a service worker', () => {
  withoutWorker('what another app shares is asked for again', async ({ page }) => {
    await page.goto('/')
    await share(page, { text: 'too early' }, { 'one.txt': '1' })
    await expect(page.getByText('Please share it again')).toBeVisible()
    await expect(page).toHaveURL('/')
  })

  withoutWorker('a browser that keeps nothing says so where changes would wait', async ({ page }) => {
    await page.addInitScript(() => {
      IDBFactory.prototype.open = () => {
        throw new DOMException('Not here.', 'SecurityError')
      }
    })
    await page.goto('/offline')
    await expect(page.getByText('This browser does not allow storage')).toBeVisible()
  })

  withoutWorker(
    'a page that is not on the device says so, and comes when there is a line',
    async ({ page, context }) => {
      await page.goto('/')
      const faults: Error[] = []
      page.on('pageerror', (error) => faults.push(error))
      await expect(editor(page)).toBeVisible()
      await context.setOffline(true)
      await page.getByRole('navigation').getByRole('link', { name: 'Upload' }).click()
      await expect(page.getByRole('heading', { name: 'Page temporarily unavailable' })).toBeVisible()
      await page.getByRole('button', { name: 'Try again' }).click()
      await expect(page.getByRole('heading', { name: 'Page temporarily unavailable' })).toBeVisible()
      await page.getByRole('button', { name: 'Go back' }).click()
      await expect(page).toHaveURL('/')
      await page.getByRole('navigation').getByRole('link', { name: 'Upload' }).click()
      await expect(page.getByRole('heading', { name: 'Page temporarily unavailable' })).toBeVisible()
      await context.setOffline(false)
      await expect(page.getByRole('heading', { name: 'Upload files' })).toBeVisible()
      expect(
        faults
          .map(({ message }) => message)
          .filter(
            (text) =>
              !/is not on this device|not been saved on this device|dynamically imported|preload CSS/.test(
                text,
              ),
          ),
      ).toEqual([])
    },
  )

  withoutWorker('a page comes by itself once a server answers again that was away', async ({ page }) => {
    await page.goto('/')
    await expect(editor(page)).toBeVisible()
    await page.route('**/*', (route) => route.abort('connectionrefused'))
    await page.getByRole('navigation').getByRole('link', { name: 'Upload' }).click()
    await expect(page.getByRole('heading', { name: 'Page temporarily unavailable' })).toBeVisible()
    await expect(page.getByRole('main')).toContainText('The server is not responding')
    await expectAccessible(page, 'a server that is away', { isOnPhoneToo: true })
    await page.unroute('**/*')
    // A proxy in front of the server responds with an error. This error does not count as a response of the server.
    await page.route('**/api/health', (route) => route.fulfill({ status: 502, body: 'Bad Gateway' }))
    await page.waitForResponse('**/api/health')
    await expect(page.getByRole('main')).toContainText('The server is not responding')
    await page.unroute('**/api/health')
    await expect(page.getByRole('heading', { name: 'Upload files' })).toBeVisible()
  })
})

test('below a base path the app is separate, offline and as a share target', async ({ browser }) => {
  const server = await startServer({ adminPassword: ADMIN_PASSWORD, env: { BASE_PATH: '/drop' } })
  const context = await browser.newContext({ serviceWorkers: 'allow' })
  try {
    const page = await context.newPage()
    await page.goto(`${server.origin}/drop/`)
    await workerReady(page)
    const devtools = await context.newCDPSession(page)
    const { installabilityErrors } = await devtools.send('Page.getInstallabilityErrors')
    expect(installabilityErrors).toEqual([])
    const { data } = await devtools.send('Page.getAppManifest')
    expect(JSON.parse(data ?? '{}')).toMatchObject({ id: '/drop/', start_url: '.' })
    await context.setOffline(true)
    await page.goto(`${server.origin}/drop/upload`)
    await expect(page.getByRole('heading', { name: 'Upload files' })).toBeVisible()
    await share(page, { text: 'from elsewhere' }, {}, '/drop')
    await expect(editor(page)).toHaveText('from elsewhere')
    await expect(page).toHaveURL(`${server.origin}/drop/`)
  } finally {
    await context.close()
    await server.stop()
  }
})
