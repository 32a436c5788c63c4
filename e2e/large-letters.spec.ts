import { pasteRoutes } from '@dropleaf/contract'
import type { Page } from '@playwright/test'
import { expect, test } from './support/explorer.ts'
import { ADMIN_MODULES, isWiderThanScreen } from './support/pages.ts'
import type { Words } from './support/worlds.ts'

const LONG = `${'a-name-that-goes-on-'.repeat(6)}end.txt`

const LARGE = { standard: 32, fixed: 26 }
const MODULES = ADMIN_MODULES.map((module) => `/admin/${module}`)

/** Opens pages with text at twice the normal size. @throws if a page is wider than the screen */
async function requireNarrow(page: Page, words: Words, paths: readonly string[]): Promise<void> {
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('Page.setFontSizes', { fontSizes: LARGE })
  for (const path of paths) {
    await page.goto(path)
    await expect(page.getByRole('heading', { level: 1 })).toBeAttached()
    await expect(page.getByRole('status', { name: words.common.loading })).toHaveCount(0)
    expect(await page.evaluate(() => getComputedStyle(document.documentElement).fontSize)).toBe('32px')
    expect({ path, isWider: await isWiderThanScreen(page) }).toEqual({ path, isWider: false })
  }
}

test.use({ viewport: { width: 1280, height: 800 } })

test('at twice the text size no page scrolls sideways, and no bars overlap', async ({
  adminPage: page,
  explorer,
  place,
  words,
}) => {
  await requireNarrow(page, words, ['/', '/upload', ...MODULES])
  await place.put({ [LONG]: 'long', 'b.txt': 'short' })
  await explorer.open(place)
  await expect(explorer.names).toHaveCount(2)
  expect(await isWiderThanScreen(page)).toBe(false)
  const edges = async (role: 'toolbar' | 'columnheader' | 'gridcell', last = false) => {
    const found = page.getByRole(role)
    const box = await (last ? found.last() : found.first()).boundingBox()
    if (!box) throw new Error(`There is no ${role} on the screen.`)
    return { top: box.y, bottom: box.y + box.height, right: box.x + box.width }
  }
  expect((await edges('toolbar')).bottom).toBeLessThanOrEqual((await edges('columnheader')).top)
  expect((await edges('columnheader')).bottom).toBeLessThanOrEqual((await edges('gridcell')).top)
  expect((await edges('gridcell', true)).right).toBeLessThanOrEqual(1280)
})

test('at twice the text size no page scrolls sideways on a phone either', async ({
  adminPage: page,
  admin,
  explorer,
  place,
  words,
}) => {
  await page.setViewportSize({ width: 360, height: 740 })
  const slug = `a-suffix-that-goes-on-and-on-and-on-${Date.now()}`
  await admin.call(pasteRoutes.create, { body: { content: 'long', slug } })
  await requireNarrow(page, words, ['/', '/upload', '/mount-explorer', '/file/not-there', ...MODULES])
  await place.put({ [LONG]: 'long', 'b.txt': 'short' })
  await explorer.open(place)
  await expect(explorer.names).toHaveCount(2)
  expect(await isWiderThanScreen(page)).toBe(false)
  const header = page.getByRole('banner')
  for (const button of await header.getByRole('button').all()) {
    const box = await button.boundingBox()
    if (box) expect(box.x + box.width).toBeLessThanOrEqual(360)
  }
})
