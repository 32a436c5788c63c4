import type { Page } from '@playwright/test'
import { expectAccessible } from './support/accessible.ts'
import { expect, test } from './support/worlds.ts'

/** Opens a page in a browser in which nobody has unfolded the options. */
async function openFolded(page: Page, path: string): Promise<void> {
  await page.addInitScript(() => {
    if (sessionStorage.getItem('seen')) return
    sessionStorage.setItem('seen', 'yes')
    localStorage.removeItem('dropleaf.share-options')
  })
  await page.goto(path)
}

for (const [path, name] of [
  ['/', 'home'],
  ['/upload', 'upload'],
] as const)
  test(`the options of the ${name} page fold into one line, and its button is on the screen`, async ({
    adminPage: page,
    words,
  }) => {
    await openFolded(page, path)
    const fold = page.getByRole('button', { name: words.home.options })
    const main = page.getByRole('button', {
      name: name === 'home' ? words.home.submit : words.files.upload.start,
    })
    const field = page.getByLabel(words.common.slug.label, { exact: true })
    await expect(fold).toHaveAttribute('aria-expanded', 'false')
    await expect(fold).toContainText(words.home.summary.unlimited)
    await expect(field).toHaveCount(0)
    await expect(main).toBeInViewport({ ratio: 1 })
    await expectAccessible(page, 'folded options')
    await fold.focus()
    await page.keyboard.press('Enter')
    await expect(fold).toHaveAttribute('aria-expanded', 'true')
    await field.fill('not valid!')
    await fold.click()
    await expect(field).toHaveCount(0)
  })

test('an invalid option unfolds when the share is created', async ({ adminPage: page, words }) => {
  await openFolded(page, '/')
  const fold = page.getByRole('button', { name: words.home.options })
  const field = page.getByLabel(words.common.slug.label, { exact: true })
  await page.getByRole('textbox', { name: words.home.editor }).fill('some text')
  await fold.click()
  await field.fill('not valid!')
  await fold.click()
  await page.getByRole('button', { name: words.home.submit, exact: true }).click()
  await expect(field).toBeFocused()
  await field.fill('valid-suffix')
  await page.getByRole('button', { name: words.home.submit, exact: true }).click()
  await expect(page.getByRole('link', { name: /\/paste\/valid-suffix$/ })).toBeVisible()
})
