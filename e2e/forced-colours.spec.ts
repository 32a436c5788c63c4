import { pasteRoutes } from '@dropleaf/contract'
import type { Locator, Page } from '@playwright/test'
import { bytesOf, holdLine, MIB, openTray, payload } from './support/uploading.ts'
import { expect, test } from './support/worlds.ts'

/**
 * Tests elements that differ from their surroundings only in the background. They must stay visible with forced
 * colors.
 */

/** Whether hiding the element changes the screen. */
async function isDrawn(page: Page, part: Locator): Promise<boolean> {
  await part.scrollIntoViewIfNeeded()
  const box = await part.boundingBox()
  if (!box) return false
  const clip = { ...box, width: Math.max(box.width, 1), height: Math.max(box.height, 1) }
  const withIt = await page.screenshot({ clip })
  await part.evaluate((element: HTMLElement) => element.style.setProperty('visibility', 'hidden'))
  const without = await page.screenshot({ clip })
  await part.evaluate((element: HTMLElement) => element.style.removeProperty('visibility'))
  return !withIt.equals(without)
}

for (const colorScheme of ['light', 'dark'] as const) {
  test(`bars are visible with forced colours, ${colorScheme}`, async ({ adminPage: page, admin, words }) => {
    await page.emulateMedia({ forcedColors: 'active', colorScheme })
    await admin.call(pasteRoutes.create, { body: { content: 'one of today' } })
    await page.goto('/admin')
    const week = page.getByRole('region', { name: words.dashboard.activity.title })
    const texts = week.locator('[data-series="texts"]')
    await expect(texts.first()).toBeVisible()
    for (const part of await texts.all()) expect(await isDrawn(page, part)).toBe(true)

    const line = await holdLine(page)
    line.state = 'hold'
    await page.goto('/upload')
    await page.locator('input[type=file]').setInputFiles(payload('held.bin', bytesOf(6 * MIB, 'held')))
    await page.getByRole('button', { name: words.files.upload.start }).click()
    const bar = page.getByRole('main').getByRole('progressbar', { includeHidden: true })
    await expect(bar).toBeVisible()
    expect(await isDrawn(page, bar)).toBe(true)
    const tray = await openTray(page, words)
    const inTray = tray.getByRole('progressbar', { includeHidden: true }).first()
    await expect(inTray).toBeVisible()
    expect(await isDrawn(page, inTray)).toBe(true)
    line.state = 'open'
  })
}
