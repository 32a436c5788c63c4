import { fileRoutes } from '@dropleaf/contract'
import type { Page } from '@playwright/test'
import { makePlace } from './support/place.ts'
import { expect, test } from './support/test.ts'

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

  test('the app reports missing data', async ({ adminPage: page }) => {
    const { asked, release } = await holdApp(page)
    await page.goto('/file/early-missing')
    release()
    await expect(page.locator('main')).toContainText('not found')
    expect(asked.filter((path) => path.startsWith('/api/public/')).length).toBeLessThan(2)
  })
})
