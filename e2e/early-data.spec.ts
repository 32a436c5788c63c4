import { fileRoutes } from '@dropleaf/contract'
import type { Page } from '@playwright/test'
import { makeBundle } from './support/bundles.ts'
import { makePlace } from './support/place.ts'
import { expect, test } from './support/test.ts'

/** Returns the positions of texts on the page. */
const placesOf = (page: Page, texts: readonly string[]) =>
  Promise.all(texts.map((text) => page.getByText(text, { exact: true }).boundingBox()))

/** Delays the app's script, and records the API requests. */
async function holdApp(page: Page) {
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  const asked: string[] = []
  page.on('request', (request) => {
    const { pathname } = new URL(request.url())
    if (pathname.startsWith('/api/')) asked.push(pathname)
  })
  await page.route('**/assets/main-*.js', async (route) => {
    await released
    await route.continue()
  })
  return { asked, release }
}

test.describe('data is requested before the app has loaded, and only once', () => {
  test.use({ serviceWorkers: 'block' })

  test('of a folder', async ({ adminPage: page, admin, adminToken, server }) => {
    const place = await makePlace({ admin, adminToken, origin: server.origin, mountPath: '/local' })
    await place.put({ 'first.txt': 'one' })
    const { asked, release } = await holdApp(page)
    await page.goto(place.address)
    await expect.poll(() => asked).toContain('/api/fs/list')
    release()
    await expect(page.getByText('first.txt', { exact: true })).toBeVisible()
    expect(asked.filter((path) => path === '/api/fs/list')).toHaveLength(1)
  })

  test('of a file, which takes one view', async ({ page, admin, adminToken, server }) => {
    await fetch(`${server.origin}/early.log?slug=early`, {
      method: 'PUT',
      headers: { authorization: `Bearer ${adminToken}` },
      body: 'the first line\n<b>the second</b>\n',
    })
    const { asked, release } = await holdApp(page)
    await page.goto('/file/early')
    await expect.poll(() => asked).toContain('/api/public/files/early')
    release()
    await expect(page.getByText('<b>the second</b>')).toBeVisible()
    expect(asked.filter((path) => path === '/api/public/files/early')).toHaveLength(1)
    const { data } = await admin.call(fileRoutes.adminList, { query: { limit: 100, offset: 0 } })
    expect(data.files.find((file) => file.slug === 'early')).toMatchObject({ views: 1 })
  })

  test('of the dashboard', async ({ adminPage: page }) => {
    const { asked, release } = await holdApp(page)
    await page.goto('/admin')
    await expect.poll(() => asked).toContain('/api/admin/dashboard/stats')
    release()
    await expect(page.getByText('API keys', { exact: true }).and(page.locator('ul *'))).toBeVisible()
    expect(asked.filter((path) => path === '/api/admin/dashboard/stats')).toHaveLength(1)
  })

  for (const [view, width] of [
    ['list', 1280],
    ['list', 360],
    ['gallery', 1280],
    ['gallery', 360],
  ] as const)
    test(`of a live folder of a bundle, whose items stay where they are: ${view}, ${width} px`, async ({
      page,
      admin,
      adminToken,
      baseURL,
      server,
    }) => {
      const place = await makePlace({ admin, adminToken, origin: server.origin, mountPath: '/local' })
      const names = Array.from({ length: 8 }, (_, n) => `file-${n + 10}.txt`)
      await place.put(Object.fromEntries(names.map((name) => [name, name])))
      const bundle = await makeBundle({ admin, adminToken, baseURL }, { folders: { '2030': place.path } })
      await page.setViewportSize({ width, height: 800 })
      await page.addInitScript((chosen) => {
        localStorage.setItem('dropleaf.bundle-view', JSON.stringify({ view: chosen }))
      }, view)
      const { asked, release } = await holdApp(page)
      await page.goto(`${bundle.address}?at=${encodeURIComponent('/2030/')}`)
      const early = page.locator('#early')
      await expect(early.getByRole('link', { name: 'file-17.txt' })).toHaveAttribute(
        'href',
        /path=2030%2Ffile-17/,
      )
      await expect(page).toHaveTitle(/^2030/)
      const before = await placesOf(page, names)
      release()
      await expect(early).toHaveCount(0)
      await expect(page.getByRole('grid')).toBeVisible()
      const after = await placesOf(page, names)
      const moved = names.map((_name, index) => {
        const [from, to] = [before[index], after[index]]
        return from && to ? Math.hypot(from.x - to.x, from.y - to.y) : Infinity
      })
      // Widths of columns and heights of tiles are rounded.
      expect(Math.max(...moved)).toBeLessThan(3)
      expect(asked.filter((path) => path.endsWith('/list'))).toHaveLength(1)
    })

  test('of a live folder, also if the server is slow; the title of another page stays', async ({
    page,
    admin,
    adminToken,
    baseURL,
    server,
  }) => {
    const place = await makePlace({ admin, adminToken, origin: server.origin, mountPath: '/local' })
    await place.put({ 'slow.txt': 'x' })
    const bundle = await makeBundle(
      { admin, adminToken, baseURL },
      { title: 'Slow', folders: { live: place.path } },
    )
    const listed: string[] = []
    let gate = Promise.withResolvers<void>()
    await page.route(
      ({ pathname }) => pathname.endsWith('/list'),
      async (route) => {
        listed.push(route.request().url())
        await gate.promise
        await route.continue()
      },
    )
    await page.goto(`${bundle.address}?at=${encodeURIComponent('/live/')}`)
    await expect(page.getByRole('toolbar').first()).toBeVisible()
    gate.resolve()
    await expect(page.getByRole('row', { name: /^slow\.txt/ })).toBeVisible()
    expect(listed).toHaveLength(1)

    gate = Promise.withResolvers<void>()
    await page.reload()
    await expect(page.getByRole('toolbar').first()).toBeVisible()
    await page.getByRole('link', { name: 'Home', exact: true }).first().click()
    await expect(page).not.toHaveTitle(/live/)
    const title = await page.title()
    const answered = page.waitForResponse((response) => response.url().includes('/list?'))
    gate.resolve()
    await (await answered).finished()
    await page.evaluate(
      () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))),
    )
    await expect(page).toHaveTitle(title)
  })

  test('the app reports missing data', async ({ adminPage: page }) => {
    const { asked, release } = await holdApp(page)
    await page.goto('/file/early-missing')
    release()
    await expect(page.locator('main')).toContainText('not found')
    expect(asked.filter((path) => path.startsWith('/api/public/')).length).toBeLessThan(2)
  })
})
