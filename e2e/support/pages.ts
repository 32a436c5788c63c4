import { authRoutes } from '@dropleaf/contract'
import { expect, type Locator, type Page } from '@playwright/test'

/** Logs in on the login page, which must be open. */
export async function logInAsAdmin(
  page: Page,
  { password, username = 'admin' }: { password: string; username?: string },
) {
  await page.getByLabel('Username').fill(username)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('main').getByRole('button', { name: 'Log in' }).click()
}

/** Opens the login page, and logs in with an API key. */
export async function logInWithKey(page: Page, key: string) {
  await page.goto('/admin')
  await page.getByText('API key', { exact: true }).click()
  await page.getByRole('textbox', { name: 'API key' }).fill(key)
  await page.getByRole('main').getByRole('button', { name: 'Log in' }).click()
  await expect(page.getByRole('button', { name: 'Log out' })).toBeVisible()
}

/** Ends the session on the server, as another device could. The page is not notified. */
export async function logOutElsewhere(page: Page) {
  const status = await page.evaluate(async (path) => {
    const headers = { authorization: `Bearer ${localStorage.getItem('admin_token')}` }
    return (await fetch(path, { method: 'POST', headers })).status
  }, authRoutes.logout.path)
  expect(status).toBe(200)
}

export const editor = (page: Page): Locator => page.getByRole('textbox', { name: 'Text to share' })

/** Types text into the editor of the home page. */
export async function writeText(page: Page, text: string) {
  await editor(page).click()
  await page.keyboard.insertText(text)
}

/** Shares the text in the editor. @returns the URL of the share */
export async function publish(page: Page): Promise<string> {
  await page.getByRole('button', { name: 'Create share' }).click()
  const link = page.getByRole('region', { name: 'Share created' }).getByRole('link').first()
  await expect(link).toHaveAttribute('href', /\/paste\//)
  return (await link.getAttribute('href')) ?? ''
}

/** Whether the page scrolls horizontally, which no page should do on a phone. */
export const isWiderThanScreen = (page: Page): Promise<boolean> =>
  page.evaluate(() => document.documentElement.scrollWidth > window.innerWidth)

/** Modules of the admin panel, as in their URLs. */
export const ADMIN_MODULES = [
  'dashboard',
  'text-management',
  'file-management',
  'shares',
  'storage-config',
  'mount-management',
  'key-management',
  'webdav',
  'audit',
  'settings',
] as const
