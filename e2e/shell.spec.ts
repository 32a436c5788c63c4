import type { Locator } from '@playwright/test'
import { editor, isWiderThanScreen, logInAsAdmin, writeText } from './support/pages.ts'
import { ADMIN_PASSWORD, expect, test } from './support/test.ts'

test('the language follows the browser, and a switch changes texts, title and page language at once', async ({
  page,
}) => {
  await page.goto('/')
  await expect(page.locator('html')).toHaveAttribute('lang', 'en-US')
  await expect(page).toHaveTitle('Online clipboard - Dropleaf')
  await page.getByLabel('Language').selectOption('zh-CN')
  await expect(page.locator('html')).toHaveAttribute('lang', 'zh-CN')
  await expect(page).toHaveTitle('在线剪贴板 - Dropleaf')
  await expect(page.getByRole('link', { name: '上传' })).toBeVisible()
  await page.reload()
  await expect(page.locator('html')).toHaveAttribute('lang', 'zh-CN')
  await page.getByRole('link', { name: '上传' }).click()
  await expect(page).toHaveTitle('上传文件 - Dropleaf')
  await page.getByLabel('界面语言').selectOption('en-US')
  await expect(page).toHaveTitle('Upload files - Dropleaf')
  expect(await page.evaluate(() => localStorage.getItem('language'))).toBe('en-US')
})

test.describe('with a Chinese browser', () => {
  test.use({ locale: 'zh-CN' })
  test('everything is Chinese from the start', async ({ page }) => {
    await page.goto('/paste/nothing-here')
    await expect(page.locator('html')).toHaveAttribute('lang', 'zh-CN')
    await expect(page.getByRole('heading', { name: '找不到这个分享' })).toBeVisible()
    await page.goto('/file/nothing-here')
    await expect(page.getByRole('heading', { name: '找不到这个文件' })).toBeVisible()
  })
})

test('the theme button switches from system to light to dark, and the choice persists', async ({ page }) => {
  await page.goto('/')
  const scheme = page.locator('html')
  await page.getByRole('button', { name: 'Theme: system' }).click()
  await expect(scheme).toHaveAttribute('data-mantine-color-scheme', 'light')
  await page.getByRole('button', { name: 'Theme: light' }).click()
  await expect(scheme).toHaveAttribute('data-mantine-color-scheme', 'dark')
  await page.reload()
  await expect(scheme).toHaveAttribute('data-mantine-color-scheme', 'dark')
})

test('an unknown address redirects home with a message', async ({ page }) => {
  await page.goto('/there/is/no/such/page')
  await expect(page).toHaveURL(/\/$/)
  await expect(page.getByText('There is no page at /there/is/no/such/page')).toBeVisible()
})

test.describe('on a phone', () => {
  test.use({ viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true })

  test('the menu opens every page, and no page is wider than the screen', async ({ adminPage: page }) => {
    await page.goto('/')
    expect(await isWiderThanScreen(page)).toBe(false)
    for (const [name, heading] of [
      ['Upload', 'Upload files'],
      ['Admin', 'Dashboard'],
    ] as const) {
      await expect(page.getByRole('link', { name, exact: true })).toBeHidden()
      await page.getByRole('button', { name: 'Menu' }).click()
      await page.getByRole('link', { name, exact: true }).click()
      await expect(page.getByRole('heading', { name: heading, exact: true })).toBeVisible()
      await expect(page.getByRole('link', { name, exact: true })).toBeHidden()
      expect(await isWiderThanScreen(page)).toBe(false)
    }
  })

  test('the menu takes the focus, returns it, and closes when it leaves', async ({ adminPage: page }) => {
    await page.goto('/upload')
    const button = page.getByRole('button', { name: 'Menu', exact: true })
    const link = (name: string) => page.getByRole('link', { name, exact: true })
    await button.press('Enter')
    await expect(link('Upload')).toBeFocused()
    await page.keyboard.press('Tab')
    await expect(link('Files')).toBeFocused()
    await page.keyboard.press('Tab')
    await page.keyboard.press('Tab')
    await expect(button).toHaveAttribute('aria-expanded', 'false')
    await expect(link('Files')).toBeHidden()
    await button.press('Enter')
    await page.keyboard.press('Escape')
    await expect(button).toBeFocused()
    await expect(link('Files')).toBeHidden()
    await button.press('Enter')
    await link('Admin').press('Enter')
    await expect(page.getByRole('heading', { name: 'Dashboard', exact: true })).toBeVisible()
    await expect(button).toBeFocused()
    await button.click()
    await expect(link('Files')).toBeVisible()
    await button.click()
    await expect(link('Files')).toBeHidden()
  })
})

test('text typed while the editor is loading stays, with its caret', async ({ page }) => {
  let arrive = () => {}
  const arrived = new Promise<void>((resolve) => {
    arrive = resolve
  })
  await page.route('**/assets/code-mirror-*.js', async (route) => {
    await arrived
    await route.continue()
  })
  await page.goto('/')
  await editor(page).click()
  await page.keyboard.insertText('early ')
  arrive()
  await expect(page.locator('.cm-content')).toBeFocused()
  await page.keyboard.insertText('bird')
  await expect(editor(page)).toContainText('early bird')
})

test('a draft survives a reload and a login', async ({ page }) => {
  await page.goto('/')
  await writeText(page, 'Not to be lost')
  // The text is saved automatically, a moment after the last key press.
  await expect
    .poll(() => page.evaluate(() => JSON.stringify({ ...localStorage }).includes('Not to be lost')))
    .toBe(true)
  await page.reload()
  await expect(editor(page)).toContainText('Not to be lost')
  await page.getByRole('link', { name: 'Log in' }).click()
  await logInAsAdmin(page, { password: ADMIN_PASSWORD })
  await expect(editor(page)).toContainText('Not to be lost')
  await expect(page.getByRole('button', { name: 'Create share' })).toBeEnabled()
})

test('two tabs have separate texts, and a new one takes over that of a closed one', async ({ page }) => {
  await page.goto('/')
  await writeText(page, 'Letter to Anna')
  const second = await page.context().newPage()
  await second.goto('/')
  await writeText(second, 'Shopping list')
  await second.reload()
  await expect(editor(second)).toContainText('Shopping list')
  await page.reload()
  await expect(editor(page)).toContainText('Letter to Anna')
  await second.close()
  const third = await page.context().newPage()
  await third.goto('/')
  await expect(editor(third)).toContainText('Shopping list')
  await expect(editor(page)).toContainText('Letter to Anna')
})

test('with forced colours the selection is visible', async ({ adminPage: page }) => {
  await page.emulateMedia({ forcedColors: 'active' })
  await page.goto('/mount-explorer/local')
  const groundOf = (chosen: Locator) =>
    chosen.evaluate((element) => getComputedStyle(element).backgroundColor)
  const [list, grid] = ['List', 'Grid'].map((name) => page.getByRole('button', { name, exact: true }))
  const [files, upload] = ['Files', 'Upload'].map((name) =>
    page.getByRole('banner').getByRole('link', { name }),
  )
  await expect(list!).toHaveAttribute('aria-pressed', 'true')
  expect(await groundOf(list!)).not.toBe(await groundOf(grid!))
  expect(await groundOf(files!)).not.toBe(await groundOf(upload!))
  await page.goto('/upload')
  const words = page.getByRole('radiogroup').locator('input + span')
  expect(await groundOf(words.first())).not.toBe(await groundOf(words.last()))
})
