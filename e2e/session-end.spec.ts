import { apiKeyRoutes, authRoutes, pasteRoutes } from '@dropleaf/contract'
import type { Page } from '@playwright/test'
import { expectAccessible } from './support/accessible.ts'
import { logIn } from './support/api.ts'
import { editor, logInAsAdmin, logInWithKey, logOutElsewhere, publish, writeText } from './support/pages.ts'
import { makePlace } from './support/place.ts'
import { ADMIN_PASSWORD, expect, test as base } from './support/test.ts'

/** Uses a new session for each test, because the test ends it. */
const test = base.extend<{ ownPage: Page }>({
  ownPage: async ({ page, server }, use) => {
    const token = await logIn(server.origin, ADMIN_PASSWORD)
    await page.goto(`${server.origin}/api/health`)
    await page.evaluate((stored) => localStorage.setItem('admin_token', stored), token)
    await use(page)
  },
})

const loginOf = (page: Page) => page.getByRole('dialog', { name: 'Please log in again' })

async function logInAgain(page: Page) {
  const login = loginOf(page)
  await login.getByLabel('Username').fill('admin')
  await login.getByLabel('Password', { exact: true }).fill(ADMIN_PASSWORD)
  await login.getByRole('button', { name: 'Log in' }).click()
  await expect(login).toBeHidden()
}

/** Logs in as another user with an API key, on the current page. */
async function logInInPlace(page: Page, key: string) {
  const login = loginOf(page)
  await login.getByText('API key').click()
  await login.getByLabel('API key', { exact: true }).last().fill(key)
  await login.getByRole('button', { name: 'Log in' }).click()
  await expect(login).toBeHidden()
}

/** Clicks a button even if it is hidden, because the page may already have noticed the logout. */
const pressUnseen = (page: Page, name: string) =>
  page.locator('main button', { hasText: name }).last().dispatchEvent('click')

/** Starts recording assertive announcements. */
async function recordAlerts(page: Page) {
  await page.evaluate(() => {
    const said: string[] = []
    Object.assign(window, { said })
    new MutationObserver(() => {
      for (const alert of document.querySelectorAll('[role="alert"]:not([data-heard])')) {
        alert.setAttribute('data-heard', '')
        if (alert.closest('[inert]') === null) said.push(alert.textContent ?? '')
      }
    }).observe(document.body, { childList: true, subtree: true })
  })
  return () => page.evaluate(() => (window as unknown as { said: string[] }).said)
}

async function fillOptions(page: Page, slug: string) {
  await page.getByLabel('Title').fill('my remark')
  await page.getByLabel('Custom link').fill(slug)
  await page.getByLabel('Password', { exact: true }).fill('pw123')
  await page.getByLabel('Expires after').selectOption('1 day')
  await page.getByLabel('View limit').fill('7')
}

async function expectOptions(page: Page, slug: string) {
  await expect(page.getByLabel('Title')).toHaveValue('my remark')
  await expect(page.getByLabel('Custom link')).toHaveValue(slug)
  await expect(page.getByLabel('Password', { exact: true })).toHaveValue('pw123')
  await expect(page.getByLabel('Expires after').locator('option:checked')).toHaveText('1 day')
  await expect(page.getByLabel('View limit')).toHaveValue('7')
}

test('a session that ends during writing is renewed over the text, and nothing is lost', async ({
  ownPage: page,
  admin,
}) => {
  await page.goto('/')
  await writeText(page, 'written before the end')
  await fillOptions(page, 'end-home')
  await page.getByRole('button', { name: 'Create share' }).focus()
  await logOutElsewhere(page)
  const said = await recordAlerts(page)
  await pressUnseen(page, 'Create share')
  await expect(loginOf(page)).toBeVisible()
  await expect(loginOf(page)).toHaveAccessibleDescription(/Your session has ended/)
  await expectAccessible(page, 'login over the home page', { isOnPhoneToo: true })
  await expect(editor(page)).toBeHidden()
  expect(await said()).toEqual([])
  await logInAgain(page)
  await expect(page.getByRole('button', { name: 'Create share' })).toBeFocused()
  await expect(page.getByText('session has ended')).toHaveCount(0)
  await expect(editor(page)).toContainText('written before the end')
  await expectOptions(page, 'end-home')
  await page.getByRole('button', { name: 'Create share' }).click()
  await expect(page.getByRole('region', { name: 'Share created' })).toBeVisible()
  const { data } = await admin.call(pasteRoutes.adminRead, { params: { id: 'end-home' } })
  expect(data).toMatchObject({ remark: 'my remark', max_views: 7, has_password: 1 })
  await expect(page.getByLabel('Title')).toHaveValue('')
})

test('without a new login the text and its options stay, and also when a visitor logs in', async ({
  ownPage: page,
}) => {
  await page.goto('/')
  await writeText(page, 'written before the end')
  await fillOptions(page, 'end-later')
  await logOutElsewhere(page)
  await pressUnseen(page, 'Create share')
  await loginOf(page).getByRole('button', { name: 'Not now' }).click()
  await expect(loginOf(page)).toBeHidden()
  await expect(editor(page)).toContainText('written before the end')
  await expectOptions(page, 'end-later')
  await page.getByRole('main').getByRole('link', { name: 'Log in' }).click()
  await logInAsAdmin(page, { password: ADMIN_PASSWORD })
  await expect(editor(page)).toContainText('written before the end')
  await expectOptions(page, 'end-later')
  // Another user must not see the options that this user has typed.
  await page.goto('/admin/settings')
  await page.getByRole('button', { name: 'Log out' }).click()
  await page.getByRole('link', { name: 'Home' }).click()
  await expect(page.getByLabel('Password', { exact: true })).toHaveValue('')
})

test('a session that ends without work in progress is reported once, and covers nothing', async ({
  ownPage: page,
  server,
}) => {
  await page.goto('/')
  await expect(page.getByRole('button', { name: 'Create share' })).toBeEnabled()
  // Leaves the page before the logout. An open page could notice the logout and report it itself.
  const token = await page.evaluate(() => localStorage.getItem('admin_token'))
  await page.goto('about:blank')
  const headers = { authorization: `Bearer ${token}` }
  await page.request.post(`${server.origin}${authRoutes.logout.path}`, { headers })
  await page.goto('/')
  await expect(page.getByRole('alert')).toHaveText(/The admin session has expired/)
  await expect(loginOf(page)).toHaveCount(0)
  await expect(page.getByRole('main').getByRole('link', { name: 'Log in' })).toBeVisible()
})

test('an edited share is saved after a login in place, even a postponed one', async ({
  ownPage: page,
  admin,
}) => {
  const { slug } = await admin.call(pasteRoutes.create, { body: { content: 'first' } })
  await page.goto(`/paste/${slug}`)
  await page.getByRole('button', { name: 'Edit', exact: true }).click()
  const text = page.getByRole('textbox', { name: 'Text to share' })
  await text.click()
  await page.keyboard.press('Control+End')
  await page.keyboard.insertText(' and more')
  await page.getByLabel('Title').fill('changed too')
  await logOutElsewhere(page)
  const said = await recordAlerts(page)
  await pressUnseen(page, 'Save')
  await loginOf(page).getByRole('button', { name: 'Not now' }).click()
  // Presses the button again, because the page may have noticed the logout before the first press.
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  const failed = page.getByRole('alert')
  await expect(failed).toContainText('Your changes are still below')
  expect((await said()).length).toBeLessThan(3)
  await failed.getByRole('button', { name: 'Log in' }).click()
  await logInAgain(page)
  await expect(failed).toHaveCount(0)
  await expect(text).toContainText('first and more')
  await expect(page.getByLabel('Title')).toHaveValue('changed too')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(page.getByRole('article')).toContainText('first and more')
})

test('leaving an edited share says that its text stays among the drafts', async ({
  adminPage: page,
  admin,
}) => {
  const { slug } = await admin.call(pasteRoutes.create, { body: { content: 'first' } })
  await page.goto(`/paste/${slug}`)
  await page.getByRole('button', { name: 'Edit', exact: true }).click()
  const question = page.getByRole('dialog', { name: 'Discard unsaved changes?' })
  await page.getByLabel('Title').fill('only this')
  await page.getByRole('button', { name: 'Cancel' }).click()
  await expect(question).toContainText('your changes will be lost')
  await question.getByRole('button', { name: 'Keep editing' }).click()
  await page.getByRole('textbox', { name: 'Text to share' }).click()
  await page.keyboard.insertText('more ')
  await page.getByRole('button', { name: 'Cancel' }).click()
  await expect(question).toContainText('The text stays in this editor’s drafts')
})

test('the form of a file share, a prepared upload and a folder survive the end of a session', async ({
  ownPage: page,
  server,
}) => {
  const token = await page.evaluate(() => localStorage.getItem('admin_token'))
  const uploaded = await fetch(`${server.origin}/api/upload-direct/end.txt?slug=end-file`, {
    method: 'PUT',
    headers: { authorization: `Bearer ${token}` },
    body: 'a file',
  })
  expect(uploaded.status).toBe(200)
  await page.goto('/file/end-file')
  await page.getByRole('button', { name: 'Edit', exact: true }).click()
  const form = page.getByRole('dialog', { includeHidden: true }).filter({ hasText: 'Title' })
  await form.getByLabel('Title').fill('typed before the end')
  await logOutElsewhere(page)
  await form.getByRole('button', { name: 'Save', includeHidden: true }).dispatchEvent('click')
  await logInAgain(page)
  await expect(form.getByLabel('Title')).toHaveValue('typed before the end')
  await expect(page.getByText(/expired/)).toHaveCount(0)

  await page.goto('/upload')
  await page
    .locator('input[type=file]')
    .setInputFiles({ name: 'own.txt', mimeType: 'text/plain', buffer: Buffer.from('my own') })
  await page.getByLabel('Custom link').fill('end-upload')
  await logOutElsewhere(page)
  await pressUnseen(page, 'Start upload')
  await logInAgain(page)
  await expect(page.getByRole('link', { name: 'end-upload' }).first()).toBeVisible()

  await page.goto('/mount-explorer/local')
  await page.getByRole('button', { name: 'Refresh', exact: true }).waitFor()
  await logOutElsewhere(page)
  // Clicks the button even if the login dialog covers it, because the explorer may already have noticed the logout.
  await page.getByRole('button', { name: 'Refresh', exact: true, includeHidden: true }).dispatchEvent('click')
  await expect(loginOf(page)).toBeVisible()
  await logInAgain(page)
  await expect(page.getByRole('button', { name: 'Refresh', exact: true })).toBeVisible()
  await expect(page.getByRole('alert')).toHaveCount(0)
})

test('the login explains that the key was deleted', async ({ page, admin, server }) => {
  const { data } = await admin.call(apiKeyRoutes.create, {
    body: {
      name: 'Ends while it writes',
      expires_at: 'never',
      text_permission: true,
      file_permission: false,
      mount_permission: false,
    },
  })
  await page.goto(`${server.origin}/api/health`)
  await page.evaluate((key) => localStorage.setItem('api_key', key), data.key)
  await page.goto('/')
  await writeText(page, 'by a key')
  await expect(page.getByRole('button', { name: 'Create share' })).toBeEnabled()
  await admin.call(apiKeyRoutes.remove, { params: { id: data.id } })
  await pressUnseen(page, 'Create share')
  await expect(loginOf(page)).toHaveAccessibleDescription(/The API key is invalid or expired/)
  // The login dialog offers the API key first.
  await expect(loginOf(page).getByLabel('API key', { exact: true }).last()).toBeFocused()
  await loginOf(page).getByText('Admin account').click()
  await logInAgain(page)
  await expect(editor(page)).toContainText('by a key')
})

test('another user who logs in over a page sees nothing of its owner', async ({ ownPage: page, admin }) => {
  const { data } = await admin.call(apiKeyRoutes.create, {
    body: { name: `other ${Date.now()}`, text_permission: true, expires_at: 'never' },
  })
  const { slug } = await admin.call(pasteRoutes.create, { body: { content: 'locked words', password: 'pw' } })
  await page.goto(`/paste/${slug}`)
  await page.getByLabel('Password', { exact: true }).fill('pw')
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Edit', exact: true }).click()
  await page.getByLabel('Title').fill('only for me')
  await logOutElsewhere(page)
  await pressUnseen(page, 'Save')
  await expect(loginOf(page).getByLabel('Username')).toBeFocused()
  await logInInPlace(page, data.key)
  await expect(page.getByText('This share is protected by a password')).toBeVisible()
  await expect(page.getByText('locked words')).toHaveCount(0)
  await expect(page.getByLabel('Title')).toHaveCount(0)
})

test('a deletion prevented by the end of the session is reported', async ({
  ownPage: page,
  admin,
  adminToken,
  server,
}) => {
  const place = await makePlace({ admin, adminToken, origin: server.origin, mountPath: '/local' })
  await place.put({ 'stays.txt': 'here' })
  await page.goto(place.address)
  await page.getByRole('button', { name: 'Actions for “stays.txt”' }).click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  await expect(page.getByText('“stays.txt” deleted')).toBeVisible()
  await logOutElsewhere(page)
  await expect(page.getByText('“stays.txt” was not deleted')).toBeVisible()
  expect(await place.readText('stays.txt')).toBe('here')
})

test('a prepared upload belongs to its user', async ({ ownPage: page, admin }) => {
  const { data } = await admin.call(apiKeyRoutes.create, {
    body: { name: `uploader ${Date.now()}`, file_permission: true, expires_at: 'never' },
  })
  await page.goto('/upload')
  await page
    .locator('input[type=file]')
    .first()
    .setInputFiles({
      name: 'mine.txt',
      mimeType: 'text/plain',
      buffer: Buffer.from('mine'),
    })
  await page.getByLabel('Password', { exact: true }).fill('upsecret')
  await logOutElsewhere(page)
  await pressUnseen(page, 'Start upload')
  await logInInPlace(page, data.key)
  await expect(page.getByLabel('Password', { exact: true })).toHaveValue('')
  await expect(page.getByText('mine.txt')).toHaveCount(0)
})

test('a logout hides a typed text, which only its author sees again', async ({
  ownPage: page,
  context,
  admin,
}) => {
  const { data } = await admin.call(apiKeyRoutes.create, {
    body: { name: `reader ${Date.now()}`, text_permission: true, expires_at: 'never' },
  })
  await page.goto('/')
  await writeText(page, 'of the first person')
  await fillOptions(page, 'end-other')
  const other = await context.newPage()
  await other.goto('/admin/settings')
  await other.getByRole('button', { name: 'Log out' }).click()
  await loginOf(page).getByRole('button', { name: 'Not now' }).click()
  await expect(editor(page)).not.toContainText('first')
  await expect(page.getByLabel('Title')).toHaveValue('')
  await expect(page.getByLabel('Password', { exact: true })).toHaveValue('')
  await writeText(page, 'of a visitor')
  // A text that a visitor has typed belongs to the user who logs in afterwards.
  await logInWithKey(page, data.key)
  await page.goto('/')
  await expect(editor(page)).toContainText('of a visitor')
  await page.goto('/admin/settings')
  await page.getByRole('button', { name: 'Log out' }).click()
  await page.goto('/')
  await expect(page.getByText('New text share')).toBeVisible()
  await expect(editor(page)).not.toContainText('visitor')
  await page.goto('/admin')
  await logInAsAdmin(page, { password: ADMIN_PASSWORD })
  await expect(page.getByRole('button', { name: 'Log out' })).toBeVisible()
  await page.goto('/')
  await expect(editor(page)).toContainText('of the first person')
})

test('drafts and recent links are shown only to their owner', async ({ ownPage: page, admin }) => {
  const { data } = await admin.call(apiKeyRoutes.create, {
    body: { name: `other ${Date.now()}`, text_permission: true, expires_at: 'never' },
  })
  const drafts = async () => {
    await page.getByRole('button', { name: 'Drafts' }).click()
    const dialog = page.getByRole('dialog', { name: 'Drafts' })
    await expect(dialog.getByText(/No drafts|thrown away/)).toBeVisible()
    return dialog
  }
  await page.goto('/')
  await writeText(page, 'shared by the first')
  await page.getByLabel('Title').fill('remark of the first')
  await publish(page)
  await writeText(page, 'thrown away by the first')
  await page.getByRole('button', { name: 'Clear', exact: true }).click()
  await expect((await drafts()).getByText('thrown away by the first')).toBeVisible()
  await page.keyboard.press('Escape')
  await writeText(page, 'still written')
  await logOutElsewhere(page)
  await pressUnseen(page, 'Create share')
  await logInInPlace(page, data.key)
  await expect(editor(page)).not.toContainText('first')
  await expect(page.getByText('remark of the first')).toHaveCount(0)
  await expect((await drafts()).getByText('thrown away by the first')).toHaveCount(0)
})

test('the login closes when its page is left', async ({ ownPage: page }) => {
  await page.goto('/')
  await page.goto('/admin/settings')
  await page.getByLabel('Maximum file size').fill('77')
  await logOutElsewhere(page)
  await pressUnseen(page, 'Save')
  await expect(loginOf(page)).toBeVisible()
  await page.evaluate(() => history.back())
  await expect(loginOf(page)).toBeHidden()
  await expect(page.getByRole('button', { name: 'Create share' })).toBeVisible()
})
