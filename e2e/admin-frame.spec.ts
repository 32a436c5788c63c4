import { apiKeyRoutes } from '@dropleaf/contract'
import type { Locator } from '@playwright/test'
import { ADMIN_MODULES, isWiderThanScreen, logInAsAdmin, logOutElsewhere } from './support/pages.ts'
import { startServer } from './support/server.ts'
import { ADMIN_PASSWORD } from './support/test.ts'
import { expect, inOppositeWorlds, say, test } from './support/worlds.ts'

test('an unknown module redirects to the first one', async ({ adminPage: page }) => {
  await page.goto('/admin/no-such-module')
  await expect(page).toHaveURL(/\/admin$/)
  await expect(page.getByText('There is no page at /admin/no-such-module')).toBeVisible()
  await expect(page.getByRole('navigation', { name: 'Admin modules' })).toBeVisible()
  await expect(page.getByText('Administrator')).toBeVisible()
})

test('after a login an unknown module redirects to an existing one, with a notice', async ({ page }) => {
  await page.goto('/admin/no-such-module')
  await logInAsAdmin(page, { password: ADMIN_PASSWORD })
  await expect(page).toHaveURL(/\/admin$/)
  await expect(page.getByText('There is no page at /admin/no-such-module')).toBeVisible()
})

test('when the session ends, the login appears in place and typed text stays', async ({ page }) => {
  await page.goto('/admin/key-management')
  await logInAsAdmin(page, { password: ADMIN_PASSWORD })
  await page.getByRole('button', { name: 'Create key' }).first().click()
  await page.getByRole('dialog').getByLabel('Name').fill('Typed before the end')
  await logOutElsewhere(page)
  // Clicks the button even if it is hidden, because the page may already have noticed the logout.
  const form = page.getByRole('dialog', { includeHidden: true })
  await form.getByRole('button', { name: 'Create key', includeHidden: true }).dispatchEvent('click')
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
  // The message that a login is required must disappear too.
  await expect(page.getByRole('dialog').getByRole('alert')).toHaveCount(0)
  await page.getByRole('dialog').getByRole('button', { name: 'Create key' }).click()
  await expect(page.getByText(/^Key created/)).toBeVisible()
})

test.describe('on a phone, in Chinese', () => {
  test.use({ viewport: { width: 360, height: 740 }, locale: 'zh-CN' })

  test('the menu is a drawer that a link, Esc and its button close', async ({ adminPage: page }) => {
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

inOppositeWorlds(({ device }) => {
  test('a step back closes overlays, and asks before typed text is lost', async ({
    adminPage: page,
    words,
  }) => {
    const ofKeys = /\/admin\/key-management$/
    const { title, leave } = words.common.unsaved
    await page.goto('/admin')
    const open = page.getByRole('button', { name: words.manage.openMenu })
    const drawer = page.getByRole('dialog', { name: words.manage.title })
    const link = page.getByRole('link', { name: words.manage.modules['key-management'], exact: true })
    if (device === 'phone') await open.click()
    await link.click()
    await expect(page).toHaveURL(ofKeys)
    if (device === 'phone') {
      await open.click()
      await expect(link).toBeVisible()
      await page.goBack()
      await expect(drawer).toHaveCount(0)
      await expect(page).toHaveURL(ofKeys)
    }
    const create = page.getByRole('button', { name: words.keys.create }).first()
    const form = page.getByRole('dialog', { name: words.keys.createTitle })
    await create.click()
    await expect(form).toBeVisible()
    await page.goBack()
    await expect(form).toHaveCount(0)
    await expect(page).toHaveURL(ofKeys)

    await create.click()
    const name = form.getByLabel(words.keys.name, { exact: true })
    await name.fill('Half a key')
    await page.goBack()
    const question = page.getByRole('dialog', { name: title })
    await expect(question).toBeVisible()
    // The browser restores the URL a moment later.
    await expect(page).toHaveURL(ofKeys)
    await page.goBack()
    await expect(question).toHaveCount(0)
    await expect(name).toHaveValue('Half a key')
    await page.goBack()
    await question.getByRole('button', { name: leave }).click()
    await expect(form).toHaveCount(0)
    await expect(page).toHaveURL(ofKeys)
    await page.goBack()
    await expect(page).toHaveURL(/\/admin$/)
  })

  test('the settings reject an invalid size and save a valid one', async ({ adminPage: page, words }) => {
    const { uploads, saved } = words.settings
    await page.goto('/admin/settings')
    const size = page.getByLabel(uploads.maxSize)
    const unit = page.getByLabel(uploads.unit)
    const save = page.getByRole('button', { name: words.common.save })
    await expect(size).not.toHaveValue('')
    for (const [amount, problem] of [
      ['much', uploads.problems.notANumber],
      ['0', uploads.problems.notANumber],
      ['1.0001', uploads.problems.notWhole],
      ['99999999999', uploads.problems.tooLarge],
    ] as const) {
      await unit.selectOption('MB')
      await size.fill(amount)
      await expect(size).toHaveAccessibleDescription(new RegExp(problem.replaceAll(/[()]/g, '.')))
      await save.click()
      await expect(size).toBeFocused()
    }
    // Keeps the limit large enough for the uploads of other tests.
    const next = device === 'phone' ? '3' : '2'
    await size.fill(next)
    await unit.selectOption('GB')
    await save.click()
    await expect(page.getByText(saved)).toBeVisible()
    await page.reload()
    await expect(size).toHaveValue(next)
    await expect(unit).toHaveValue('GB')
  })

  test('the strength of a new password is shown while typing; errors appear at the field', async ({
    adminPage: page,
    words,
  }) => {
    const { account, strength } = words
    await page.goto('/admin/settings')
    const field = (label: string) => page.getByLabel(label, { exact: true })
    const current = field(account.currentPassword)
    const fresh = field(account.newPassword)
    const again = field(account.repeatPassword)
    const change = page.getByRole('button', { name: account.change, exact: true })
    await expect(change).toBeDisabled()
    await fresh.fill(ADMIN_PASSWORD)
    await again.fill(ADMIN_PASSWORD)
    await change.click()
    await expect(current).toBeFocused()
    await expect(current).toHaveAccessibleDescription(new RegExp(account.problems.needCurrent))
    await current.fill(ADMIN_PASSWORD)
    await change.click()
    await expect(fresh).toHaveAttribute('aria-invalid', 'true')
    await fresh.fill('Passwor')
    await fresh.blur()
    await expect(fresh).toHaveAccessibleDescription(new RegExp(say(account.problems.tooShort, { count: 8 })))
    await expect(again).toHaveAccessibleDescription(new RegExp(account.problems.different))
    await fresh.fill('Password1')
    const told = (level: string) => page.getByText(say(strength.label, { level }))
    await expect(told(strength.levels['0'])).toBeVisible()
    await fresh.fill('Vq7#mK2p!xR9')
    await expect(told(strength.levels['4'])).toBeVisible()
    await again.fill('Vq7#mK2p!xR9')
    await current.fill('not the password')
    await change.click()
    await expect(current).toHaveAttribute('aria-invalid', 'true')
    await expect(fresh).toHaveValue('Vq7#mK2p!xR9')
  })

  test('a session that ends in any module is renewed in place', async ({ page, words }) => {
    const { modules } = words.manage
    await page.goto('/admin')
    const logIn = async (place: Locator) => {
      const password = place.getByLabel(words.auth.password, { exact: true })
      await place.getByLabel(words.auth.username, { exact: true }).fill('admin')
      await password.fill(ADMIN_PASSWORD)
      await password.press('Enter')
    }
    await logIn(page.getByRole('main'))
    await expect(page.getByRole('heading', { level: 1, name: modules.dashboard })).toBeAttached()
    for (const id of ADMIN_MODULES) {
      const address = id === 'dashboard' ? '/admin' : `/admin/${id}`
      await page.goto(address)
      const size = page.getByLabel(words.settings.uploads.maxSize)
      const asking = page.locator(
        id === 'settings' ? 'main [type=submit]' : `main [aria-label="${words.table.refresh}"]`,
      )
      await (id === 'settings' ? size.fill('77') : asking.waitFor())
      await logOutElsewhere(page)
      // Clicks the button even if it is hidden, because the page may already have noticed the logout.
      await asking.first().dispatchEvent('click')
      const dialog = page.getByRole('dialog', { name: words.auth.again.title })
      await expect(dialog).toBeVisible()
      await logIn(dialog)
      await expect(dialog).toBeHidden()
      await expect(page).toHaveURL(new RegExp(`${address}$`))
      await expect(page.getByRole('heading', { level: 1, name: modules[id] })).toBeAttached()
      if (id === 'settings') await expect(size).toHaveValue('77')
    }
  })

  test('each combination of permissions shows its modules, and redirects other addresses to the first', async ({
    page,
    admin,
    words,
    press,
  }) => {
    const { modules, navigation, openMenu } = words.manage
    const ids = { text: 'text-management', file: 'file-management', mount: 'mount-management' } as const
    for (let bits = 0; bits < 8; bits += 1) {
      const may = { text: (bits & 1) > 0, file: (bits & 2) > 0, mount: (bits & 4) > 0 }
      const { data } = await admin.call(apiKeyRoutes.create, {
        body: {
          name: `Modules ${bits} ${device}`,
          expires_at: 'never',
          text_permission: may.text,
          file_permission: may.file,
          mount_permission: may.mount,
        },
      })
      await page.goto('/api/health')
      await page.evaluate((key) => {
        localStorage.clear()
        localStorage.setItem('api_key', key)
      }, data.key)
      await page.goto('/admin/key-management')
      const allowed = (['text', 'file', 'mount'] as const).filter((permission) => may[permission])
      const first = allowed.at(0)
      if (first === undefined) {
        await expect(page).toHaveURL(/\/$/)
        continue
      }
      await expect(page).toHaveURL(new RegExp(`/admin/${ids[first]}$`))
      if (device === 'phone') await press(page.getByRole('button', { name: openMenu }))
      const links = page.getByRole('navigation', { name: navigation }).getByRole('link')
      const names = [
        ...(['text', 'file'] as const)
          .filter((permission) => may[permission])
          .map((one) => modules[ids[one]]),
        ...(may.text || may.file ? [modules.shares] : []),
        ...(may.mount ? [modules[ids.mount], modules.webdav] : []),
      ]
      await expect(links).toHaveText(names)
      await expect(links.first()).toHaveAttribute('aria-current', 'page')
    }
  })
})

test('an administrator switches the browser to another server, and everybody can switch it back', async ({
  page,
  server,
}) => {
  const other = await startServer({ adminPassword: 'another-long-password' })
  try {
    await page.goto('/admin')
    await logInAsAdmin(page, { password: ADMIN_PASSWORD })
    const switcher = page.getByRole('complementary', { name: 'Environment' })
    await expect(page.getByRole('heading', { level: 1, name: 'Dashboard' })).toBeVisible()
    await expect(switcher).toHaveCount(0)
    await page.goto('/admin/settings?showEnvSwitcher')
    await expect(page.getByRole('link', { name: 'Settings' })).toHaveAttribute('aria-current', 'page')
    await switcher.getByLabel('Another address').check()
    const address = switcher.getByLabel('Address', { exact: true })
    const apply = switcher.getByRole('button', { name: 'Switch', exact: true })
    await address.fill('nonsense')
    await expect(switcher.getByText('Enter an address that starts')).toBeVisible()
    await expect(apply).toBeDisabled()
    await address.fill('http://127.0.0.1:1')
    await apply.click()
    await expect(switcher.getByText('There is no response from this address')).toBeVisible()
    await address.fill(`${other.origin}/api`)
    await apply.click()
    const back = switcher.getByRole('button', { name: 'Back to the server of this page' })
    await expect(back).toBeVisible()
    expect(await page.evaluate(() => localStorage.getItem('admin_token'))).toBeNull()
    await logInAsAdmin(page, { password: 'another-long-password' })
    await expect(page.getByRole('heading', { level: 1, name: 'Settings' })).toBeVisible()
    await page.goto('/')
    await expect(switcher).toContainText(other.origin)
    await back.click()
    await expect(switcher).toHaveCount(0)
    await page.goto('/admin')
    await logInAsAdmin(page, { password: ADMIN_PASSWORD })
    await expect(page.getByRole('heading', { level: 1, name: 'Dashboard' })).toBeVisible()
    expect(page.url()).toContain(server.origin)
    await page.goto('about:blank')
  } finally {
    await other.stop()
  }
})
