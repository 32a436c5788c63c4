import { fsFileRoutes, pasteRoutes } from '@dropleaf/contract'
import type { Page } from '@playwright/test'
import { isKept, keptKeys, workerReady } from './support/offline.ts'
import { editor } from './support/pages.ts'
import { expect, test } from './support/test.ts'

test.use({ serviceWorkers: 'allow' })

const offlineBadge = (page: Page) => page.getByText('You are offline', { exact: true })

test('the app can be installed, in the language of the interface', async ({ page }) => {
  await page.goto('/')
  await workerReady(page)
  const devtools = await page.context().newCDPSession(page)
  const { installabilityErrors } = await devtools.send('Page.getInstallabilityErrors')
  expect(installabilityErrors).toEqual([])
  const manifest = await devtools.send('Page.getAppManifest')
  expect(manifest.errors).toEqual([])
  const facts = JSON.parse(manifest.data ?? '{}') as Record<string, unknown>
  expect(facts).toMatchObject({ name: 'Dropleaf - Online Clipboard', display: 'standalone', start_url: '.' })
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

/** Opens the address and lets the worker take the page over, which keeps what it shows. */
async function visit(page: Page, address: string, seen: string) {
  await page.goto(address)
  await expect(page.getByText(seen).first()).toBeVisible()
}

test('what was seen is readable offline and marked as a copy; what was not seen says so', async ({
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

  await context.setOffline(true)
  await visit(page, `/paste/${slug}`, 'read before')
  await expect(page.getByText(/^Offline copy of /)).toBeVisible()
  await expect(offlineBadge(page)).toBeVisible()
  await visit(page, `/file/${file}`, 'seen-file.txt')
  await expect(page.getByText(/^Offline copy of /)).toBeVisible()
  await expect(page.getByRole('link', { name: 'Download' })).toHaveCount(0)
  await visit(page, '/mount-explorer/local/seen-folder', 'note.txt')
  await expect(page.getByText(/^Offline copy of /)).toBeVisible()
  await page.goto('/')
  await expect(editor(page)).toBeVisible()

  await page.goto(`/paste/${unseen.slug}`)
  await expect(page.getByRole('heading', { name: 'This share could not be fetched' })).toBeVisible()
  await page.goto('/mount-explorer/local')
  await expect(page.getByRole('button', { name: 'Try again' }).first()).toBeVisible()

  await context.setOffline(false)
  await page.goto(`/paste/${slug}`)
  await expect(page.getByText('read before')).toBeVisible()
  await expect(page.getByText(/^Offline copy of /)).toHaveCount(0)
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

test('a text with a password, views or secrets is not kept', async ({ adminPage: page, admin }) => {
  const limited = await admin.call(pasteRoutes.create, { body: { content: 'five times', maxViews: 5 } })
  const locked = await admin.call(pasteRoutes.create, { body: { content: 'secret', password: 'sesame-1' } })
  const open = await admin.call(pasteRoutes.create, { body: { content: 'for everybody' } })
  await page.goto('/')
  await workerReady(page)
  await visit(page, `/paste/${limited.slug}`, 'five times')
  await visit(page, `/paste/${locked.slug}`, 'This share is protected by a password')
  await visit(page, '/admin/key-management', 'No API keys yet')
  await visit(page, `/paste/${open.slug}`, 'for everybody')
  await isKept(page, 'pastes', open.slug)
  expect(await keptKeys(page, 'pastes')).toEqual([open.slug])
  expect((await keptKeys(page, 'answers')).filter((key) => /api-keys|s3-configs/.test(key))).toEqual([])
})

test('a logout takes the copies away, and nobody else is shown them', async ({
  adminPage: page,
  admin,
  context,
}) => {
  const { slug } = await admin.call(pasteRoutes.create, { body: { content: 'for the admin' } })
  await page.goto('/')
  await workerReady(page)
  await visit(page, `/paste/${slug}`, 'for the admin')
  await isKept(page, 'pastes', slug)
  // Another identity in the same browser is answered nothing of it, even before it is removed.
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
  await expect(page.getByRole('heading', { name: 'This share could not be fetched' })).toBeVisible()
})
