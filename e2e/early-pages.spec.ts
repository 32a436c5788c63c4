import { AxeBuilder } from '@axe-core/playwright'
import { fileRoutes } from '@dropleaf/contract'
import type { Locator, Page } from '@playwright/test'
import { makePlace } from './support/place.ts'
import { expect, test } from './support/test.ts'

/** Holds the app back; what was asked of the server since is told. */
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

const early = (page: Page) => page.locator('#early')

/** Where the thing is before the app and after it. */
async function placesOf(page: Page, { release, thing }: { release: () => void; thing: Locator }) {
  await expect(early(page).locator(thing)).toBeVisible()
  const { violations } = await new AxeBuilder({ page }).analyze()
  expect(violations.map(({ id, nodes }) => [id, nodes[0]?.html])).toEqual([])
  const before = await early(page).locator(thing).boundingBox()
  release()
  await expect(early(page)).toHaveCount(0)
  await expect(thing).toBeVisible()
  return { before, after: await thing.boundingBox() }
}

const countOf = (asked: readonly string[], path: string) => asked.filter((one) => one === path).length

for (const width of [1280, 360]) {
  test.describe(`at ${width} px, before the app is there`, () => {
    test.use({ viewport: { width, height: 800 }, serviceWorkers: 'block' })

    test('a folder is read, and stays where it is', async ({
      adminPage: page,
      admin,
      adminToken,
      server,
    }) => {
      const place = await makePlace({ admin, adminToken, origin: server.origin, mountPath: '/local' })
      await place.put({ 'first.txt': 'one', '第二 & <b>.txt': 'two', 'below/': '' })
      const { asked, release } = await holdApp(page)
      await page.goto(place.address)
      await expect(early(page)).toContainText('第二 & <b>.txt')
      await expect(early(page).getByRole('link', { name: 'first.txt' })).toHaveAttribute(
        'href',
        `${place.address}?preview=first.txt`,
      )
      const thing = page.getByText('first.txt', { exact: true })
      const { before, after } = await placesOf(page, { release, thing })
      expect(after).toEqual(before)
      expect(countOf(asked, '/api/fs/list')).toBe(1)
    })

    test('a text file is read, and one view is taken', async ({ page, admin, adminToken, server }) => {
      const slug = `early-${width}`
      await fetch(`${server.origin}/early.log?slug=${slug}`, {
        method: 'PUT',
        headers: { authorization: `Bearer ${adminToken}` },
        body: 'the first line\n<b>the second</b>\n',
      })
      const { asked, release } = await holdApp(page)
      await page.goto(`/file/${slug}`)
      await expect(early(page).getByRole('heading', { name: 'early.log' })).toBeVisible()
      const thing = page.getByText('<b>the second</b>')
      const { before, after } = await placesOf(page, { release, thing })
      expect(after?.x).toBe(before?.x)
      expect(after?.width).toBe(before?.width)
      expect(countOf(asked, `/api/public/files/${slug}`)).toBe(1)
      const { data } = await admin.call(fileRoutes.adminList, { query: { limit: 100, offset: 0 } })
      expect(data.files.find((file) => file.slug === slug)).toMatchObject({ views: 1 })
    })

    test('the dashboard is read, and stays where it is', async ({ adminPage: page }) => {
      const { asked, release } = await holdApp(page)
      await page.goto('/admin')
      const thing = page.getByText('API keys', { exact: true }).and(page.locator('ul *'))
      const { before, after } = await placesOf(page, { release, thing })
      expect(after?.y).toBe(before?.y)
      expect(countOf(asked, '/api/admin/dashboard/stats')).toBe(1)
    })
  })
}

test.describe('what cannot be shown early', () => {
  test.use({ serviceWorkers: 'block' })

  for (const [path, words] of [
    ['/file/early-missing', 'not found'],
    ['/file/early-locked', 'Password'],
    ['/mount-explorer/local/early-missing', 'There is no folder here'],
  ] as const) {
    test(`${path} is left to the app`, async ({ adminPage: page, adminToken, server }) => {
      const address = `${server.origin}/api/upload-direct/locked.txt?slug=early-locked&password=hold&override=1`
      const headers = { authorization: `Bearer ${adminToken}` }
      await fetch(address, { method: 'PUT', headers, body: 'x' })
      const { asked, release } = await holdApp(page)
      await page.goto(path)
      await expect(page.locator('#early main')).toBeEmpty()
      release()
      await expect(early(page)).toHaveCount(0)
      await expect(page.locator('main')).toContainText(words)
      // Each call may take a view.
      expect(asked.filter((one) => one.startsWith('/api/public/')).length).toBeLessThan(2)
    })
  }
})
