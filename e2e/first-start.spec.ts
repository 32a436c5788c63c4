import { startServer } from './support/server.ts'
import { expect, test } from './support/test.ts'
import { logInAsAdmin } from './support/pages.ts'

test('the first start prints an address and a password, and they lead in', async ({ page }) => {
  const server = await startServer()
  try {
    expect(server.output()).toContain(server.origin)
    const password = /password:?\s+(\S+)/i.exec(server.output())?.[1] ?? ''
    expect(password.length).toBeGreaterThanOrEqual(12)

    await page.goto(server.origin)
    await page.getByRole('link', { name: 'Log in' }).click()
    await logInAsAdmin(page, { password: 'not-the-password' })
    await expect(page.getByText('Wrong username or password')).toBeVisible()
    await logInAsAdmin(page, { password })
    // Back where the visitor came from, and able to publish now.
    await expect(page.getByRole('button', { name: 'Create share' })).toBeEnabled()

    await page.reload()
    await expect(page.getByRole('button', { name: 'Create share' })).toBeEnabled()
    await page.getByRole('link', { name: 'Admin' }).click()
    await expect(page.getByRole('main').getByText('Administrator')).toBeVisible()
    await page.getByRole('button', { name: 'Log out' }).click()
    await expect(page.getByRole('heading', { name: 'Log in' })).toBeVisible()
    expect(await page.evaluate(() => localStorage.getItem('admin_token'))).toBeNull()
  } finally {
    await server.stop()
  }
})
