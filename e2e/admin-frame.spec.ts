import { authRoutes } from '@dropleaf/contract'
import { isWiderThanScreen, logInAsAdmin } from './support/pages.ts'
import { ADMIN_PASSWORD, expect, test } from './support/test.ts'

test('an unknown module leads to one that there is, and the address says so', async ({ adminPage: page }) => {
  await page.goto('/admin/no-such-module')
  await expect(page).not.toHaveURL(/no-such-module/)
  await expect(page.getByRole('navigation', { name: 'Admin modules' })).toBeVisible()
  await expect(page.getByText('Administrator')).toBeVisible()
})

test('a session that ends shows the login in place, and what was typed is there after it', async ({
  page,
  baseURL,
}) => {
  await page.goto('/admin/key-management')
  await logInAsAdmin(page, { password: ADMIN_PASSWORD })
  await page.getByRole('button', { name: 'New key' }).first().click()
  await page.getByRole('dialog').getByLabel('Name').fill('Typed before the end')
  // Another device logs this one out.
  const token = await page.evaluate(() => localStorage.getItem('admin_token'))
  const ended = await fetch(`${baseURL}${authRoutes.logout.path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}` },
  })
  expect(ended.ok).toBe(true)
  await page.getByRole('dialog').getByRole('button', { name: 'New key' }).click()
  const login = page.getByRole('dialog', { name: 'Please log in again' })
  await expect(login).toBeVisible()
  await expect(page.getByLabel('Name', { exact: true })).toBeHidden()
  await login.getByLabel('Username').fill('admin')
  await login.getByLabel('Password', { exact: true }).fill(ADMIN_PASSWORD)
  await login.getByRole('button', { name: 'Log in' }).click()
  await expect(login).toBeHidden()
  await expect(page).toHaveURL(/\/admin\/key-management/)
  await expect(page.getByRole('dialog').getByLabel('Name', { exact: true })).toHaveValue(
    'Typed before the end',
  )
  await page.getByRole('dialog').getByRole('button', { name: 'New key' }).click()
  await expect(page.getByText(/^Key created/)).toBeVisible()
})

test('settings say what is wrong with a size, and keep what is right', async ({ adminPage: page }) => {
  await page.goto('/admin/settings')
  const size = page.getByLabel('Largest file')
  const save = page.getByRole('button', { name: 'Save' })
  await expect(size).toHaveValue('100')
  for (const [amount, problem] of [
    ['much', 'Enter a number above 0'],
    ['1.5', 'Must come to whole MB'],
    ['99999999999', 'At most 10 TB'],
  ] as const) {
    await size.fill(amount)
    await expect(page.getByText(problem)).toBeVisible()
    await expect(save).toBeDisabled()
  }
  await size.fill('2')
  await page.getByLabel('Unit').selectOption('GB')
  await save.click()
  await expect(page.getByText('Settings saved')).toBeVisible()
  await page.reload()
  await expect(size).toHaveValue('2')
  await expect(page.getByLabel('Unit')).toHaveValue('GB')
  await size.fill('100')
  await page.getByLabel('Unit').selectOption('MB')
  await save.click()
  await expect(page.getByText('Settings saved')).toBeVisible()
})

test.describe('on a phone, in Chinese', () => {
  test.use({ viewport: { width: 360, height: 740 }, locale: 'zh-CN' })

  test('the menu is a drawer that closes by a link, Esc and its button', async ({ adminPage: page }) => {
    await page.goto('/admin/key-management')
    const open = page.getByRole('button', { name: '打开管理菜单' })
    const drawer = page.getByRole('dialog', { name: '管理' })
    await open.click()
    await drawer.getByRole('link', { name: '系统设置' }).click()
    await expect(page).toHaveURL(/\/admin\/settings/)
    await expect(drawer).toBeHidden()
    await expect(page.getByRole('heading', { name: '系统设置' })).toBeVisible()
    await open.click()
    await page.keyboard.press('Escape')
    await expect(drawer).toBeHidden()
    await expect(open).toBeFocused()
    await open.click()
    await drawer.getByRole('button', { name: '关闭管理菜单' }).click()
    await expect(drawer).toBeHidden()
    expect(await isWiderThanScreen(page)).toBe(false)
  })
})
