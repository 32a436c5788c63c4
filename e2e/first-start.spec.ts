import { welcomeRoutes } from '@dropleaf/contract'
import { expectAccessible } from './support/accessible.ts'
import { Api } from './support/api.ts'
import { editor, isWiderThanScreen, logInAsAdmin, writeText } from './support/pages.ts'
import { type RunningServer, startServer } from './support/server.ts'
import { expect, test } from './support/test.ts'

const OWN_PASSWORD = 'violet harbour lamp'

/** Returns the generated password, which is printed shortly after the server starts to respond. */
async function printedPassword(server: RunningServer): Promise<string> {
  const find = () => /password:?\s+(\S+)/i.exec(server.output())?.[1] ?? ''
  await expect.poll(find).not.toBe('')
  return find()
}

test('the first start prints an address and a password, and its guide leads to a first share', async ({
  page,
}) => {
  const server = await startServer()
  const step = (name: string) => page.getByRole('heading', { level: 2, name })
  const press = (name: string) => page.getByRole('main').getByRole('button', { name, exact: true }).click()
  try {
    const password = await printedPassword(server)
    expect(server.output()).toContain(server.origin)
    expect(password.length).toBeGreaterThanOrEqual(12)

    await page.goto(server.origin)
    await page.getByRole('link', { name: 'Log in' }).click()
    await logInAsAdmin(page, { password: 'not-the-password' })
    await expect(page.getByText('Wrong username or password')).toBeVisible()
    await logInAsAdmin(page, { password })

    await expect(step('Choose a language')).toBeVisible()
    await expectAccessible(page, 'guide: language')
    await page.getByRole('radio', { name: '中文' }).click()
    await expect(step('选择界面语言')).toBeVisible()
    await page.getByRole('radio', { name: 'English' }).click()
    await press('Continue')

    await expect(step('Set your own password')).toBeFocused()
    const inSteps = (name: string) =>
      page.getByRole('navigation', { name: 'Steps' }).getByRole('button', { name, exact: true })
    await expect(inSteps('Language (done)')).toBeVisible()
    await press('Skip for now')
    await expect(step('Where files are stored')).toBeFocused()
    await expect(inSteps('Password')).toBeVisible()
    await press('Back')
    await page.getByLabel('Current password').fill('not-the-password')
    await page.getByLabel('New password', { exact: true }).fill(OWN_PASSWORD)
    await page.getByLabel('Confirm new password').fill('something else')
    await press('Set password and continue')
    await expect(page.getByText('The passwords do not match')).toBeVisible()
    await expectAccessible(page, 'guide: password')
    await page.getByLabel('Confirm new password').fill(OWN_PASSWORD)
    await press('Set password and continue')
    await expect(page.getByLabel('Current password')).toBeFocused()
    await page.getByLabel('Current password').fill(password)
    await press('Set password and continue')

    await expect(step('Where files are stored')).toBeFocused()
    await expect(inSteps('Password (done)')).toBeVisible()
    await expect(page.getByText(`${server.dataDirectory}/storage/local`)).toBeVisible()
    await expectAccessible(page, 'guide: storage')
    await press('Connect a bucket')
    const dialog = page.getByRole('dialog', { name: 'Create storage' })
    await dialog.getByLabel('Name').fill('Second disk')
    await dialog.getByLabel('Provider').selectOption('Local disk')
    await dialog.getByLabel('Folder name').fill('second')
    await dialog.getByRole('button', { name: 'Create storage' }).click()
    const doctor = page.getByRole('dialog', { name: 'Test of “Second disk”' })
    await expect(doctor.getByText('The browser can upload and download')).toBeVisible()
    await doctor.getByRole('button', { name: 'Close' }).click()
    await expect(page.getByText('“Second disk” is not mounted yet')).toBeVisible()

    // Leaves the guide. Any browser can continue the guide at this step.
    const later = page.getByRole('main').getByRole('button', { name: 'Later', exact: true })
    await later.press('Enter')
    await expect(page.getByRole('heading', { level: 1, name: 'Dashboard' })).toBeAttached()
    await expect(page.getByRole('main')).toBeFocused()
    await page.getByRole('link', { name: 'Continue setup' }).click()
    await expect(step('Where files are stored')).toBeVisible()
    const token = await page.evaluate(() => localStorage.getItem('admin_token') ?? '')
    await page.evaluate(() => localStorage.clear())
    await page.evaluate((value) => localStorage.setItem('admin_token', value), token)
    await page.goto(`${server.origin}/admin/welcome`)
    await expect(step('Where files are stored')).toBeVisible()
    await expect(inSteps('Language (done)')).toBeVisible()
    await press('Continue')

    await page.getByLabel('Text to share').fill('# Hello')
    await press('Create link')
    const made = page.getByRole('region', { name: 'Here is the link to your text' })
    await expect(made.getByRole('link', { name: '/paste/' })).toBeFocused()
    await expect(inSteps('First share (done)')).toBeVisible()
    await expectAccessible(page, 'guide: first share', { isOnPhoneToo: true })
    await press('Share another')
    await expect(page.getByLabel('Text to share')).toBeFocused()
    await page.locator('input[type="file"]').setInputFiles({
      name: 'note.txt',
      mimeType: 'text/plain',
      buffer: Buffer.from('a note'),
    })
    await expect(page.getByRole('region', { name: 'Here is the link to “note.txt”' })).toBeVisible()
    await press('Continue')

    await expect(step('Ready to use')).toBeFocused()
    await press('Add samples')
    const samples = page.getByRole('region', { name: 'Samples' })
    await expect(samples.getByRole('link')).toHaveText([
      'Sample: a weekend by the lake',
      'budget.csv',
      'Samples',
    ])
    await expect(samples.getByRole('link').first()).toBeFocused()
    await expectAccessible(page, 'guide: done', { isOnPhoneToo: true })
    expect(await isWiderThanScreen(page)).toBe(false)
    await press('Remove samples')
    await expect(samples.getByText('Want to look around first?')).toBeVisible()
    await expect(samples.getByRole('button', { name: 'Add samples' })).toBeFocused()
    await press('Add samples')
    await expect(samples.getByRole('link')).toHaveCount(3)
    await page.getByRole('link', { name: 'Go to the dashboard' }).click()
    await expect(page.getByRole('heading', { level: 1, name: 'Dashboard' })).toBeAttached()
    await expect(page.getByText('This server is not fully set up yet.')).toBeHidden()
    await press('Remove samples')
    await expect(samples).toHaveCount(0)
    await expect(page.getByRole('main').locator(':focus')).toHaveCount(1)

    await page.getByRole('button', { name: 'Log out' }).click()
    await expect(page.getByRole('heading', { name: 'Log in' })).toBeVisible()
    expect(await page.evaluate(() => localStorage.getItem('admin_token'))).toBeNull()
    // The guide does not appear again. Logging in leads back to the previous page.
    await page.getByRole('link', { name: 'Home' }).click()
    await page.getByRole('main').getByRole('link', { name: 'Log in' }).click()
    await logInAsAdmin(page, { password: OWN_PASSWORD })
    await expect(page.getByRole('button', { name: 'Create share' })).toBeEnabled()
    await page.reload()
    await expect(page.getByRole('button', { name: 'Create share' })).toBeEnabled()
  } finally {
    await server.stop()
  }
})

test('the guide, shown once, does not interrupt a login during writing', async ({ page }) => {
  const server = await startServer()
  try {
    const password = await printedPassword(server)
    await page.goto(server.origin)
    await page.getByRole('link', { name: 'Log in' }).click()
    await logInAsAdmin(page, { password })
    await expect(page.getByRole('heading', { level: 2, name: 'Choose a language' })).toBeVisible()
    await expect
      .poll(async () => {
        const token = await page.evaluate(() => localStorage.getItem('admin_token') ?? '')
        return (await new Api(server.origin).withToken(token).call(welcomeRoutes.read)).data.state
      })
      .toBe('later')
    await page.evaluate(() => localStorage.removeItem('admin_token'))
    await page.goto(server.origin)
    await writeText(page, 'in the middle of it')
    await page.getByRole('main').getByRole('link', { name: 'Log in' }).click()
    await logInAsAdmin(page, { password })
    await expect(page.getByRole('button', { name: 'Create share' })).toBeEnabled()
    await expect(editor(page)).toContainText('in the middle of it')
    // The guide continues at the step where it was left.
    await page.goto(`${server.origin}/admin`)
    await page.getByRole('link', { name: 'Continue setup' }).click()
    await expect(page.getByRole('heading', { level: 2, name: 'Choose a language' })).toBeVisible()
  } finally {
    await server.stop()
  }
})
