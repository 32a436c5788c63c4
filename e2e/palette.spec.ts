import { apiKeyRoutes, fsFileRoutes, pasteRoutes } from '@dropleaf/contract'
import type { Page } from '@playwright/test'
import { expectAccessible } from './support/accessible.ts'
import { isWiderThanScreen } from './support/pages.ts'
import { expect, inOppositeWorlds, say, test } from './support/worlds.ts'

/** Tests the command palette and the list of shortcuts. */

/** Search terms in both languages. Each interface language must find the page by either term. */
const DASHBOARD = ['仪表盘', 'Dashboard'] as const

inOppositeWorlds((world) => {
  const isDesktop = world.device === 'desktop'
  const key = `${world.device}${world.language.slice(0, 2)}`

  test.beforeEach(async ({ admin, server, adminToken }) => {
    const isThere = () => undefined
    const share = (slug: string, remark: string, maxViews: number | null) =>
      admin.call(pasteRoutes.create, { body: { content: remark, slug, remark, maxViews } }).catch(isThere)
    await share(`${key}-text`, `Plan ${key}`, null)
    await share(`${key}-few`, `Secret ${key}`, 1)
    await fetch(`${server.origin}/api/upload-direct/${key}-shared.txt?slug=${key}-shared`, {
      method: 'PUT',
      headers: { authorization: `Bearer ${adminToken}`, 'content-type': 'text/plain' },
      body: 'shared',
    })
    await admin.call(fsFileRoutes.mkdir, { body: { path: `/local/${key}/` } }).catch(isThere)
    await admin.call(fsFileRoutes.update, { body: { path: `/local/${key}/${key}-mount.txt`, content: 'x' } })
  })

  const partsOf = (page: Page, words: { palette: { title: string } }) => {
    const palette = page.getByRole('dialog', { name: words.palette.title, exact: true })
    return {
      palette,
      field: palette.getByRole('combobox'),
      active: palette.getByRole('option', { selected: true }),
    }
  }

  /** Opens the palette with the keyboard, or with its button on a phone. */
  async function open(page: Page, words: { palette: { title: string }; shell: { palette: string } }) {
    const parts = partsOf(page, words)
    const button = page.getByRole('button', { name: words.shell.palette })
    await expect(button).toBeVisible()
    if (isDesktop) await page.keyboard.press('Control+k')
    else await button.tap()
    await expect(parts.field).toBeFocused()
    return parts
  }

  test('opens any page by terms of both languages, and remembers recent ones', async ({
    adminPage: page,
    words,
  }) => {
    await page.goto('/')
    const { palette, field, active } = await open(page, words)
    expect(await isWiderThanScreen(page)).toBe(false)
    // Waits for the results of the server, which arrive last.
    await expect(palette.getByRole('group', { name: words.palette.groups.shares })).toHaveCount(1)
    const lines = palette.getByRole('option')
    await expect(active).toHaveText(words.palette.commands.home.name)
    await page.keyboard.press('ArrowUp')
    await expect(lines.last()).toHaveAttribute('aria-selected', 'true')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('ArrowDown')
    await expect(lines.nth(1)).toHaveAttribute('aria-selected', 'true')
    await page.keyboard.press('End')
    await expect(lines.last()).toHaveAttribute('aria-selected', 'true')
    await page.keyboard.press('Home')
    await expect(lines.first()).toHaveAttribute('aria-selected', 'true')
    // The field references the active option by its ID.
    const activeId = await field.getAttribute('aria-activedescendant')
    expect(await active.getAttribute('id')).toBe(activeId)

    for (const word of DASHBOARD) {
      await field.fill(word)
      await expect(active).toContainText(words.manage.modules.dashboard)
    }
    await page.keyboard.press('Enter')
    await expect(palette).toBeHidden()
    await expect(page).toHaveURL(/\/admin$/)
    await expect(page.getByRole('heading', { name: words.manage.modules.dashboard })).toBeVisible()

    await open(page, words)
    await expect(palette.getByRole('group', { name: words.palette.groups.recent })).toContainText(
      words.manage.modules.dashboard,
    )
    await page.keyboard.press('Escape')
    await expect(palette).toBeHidden()
  })

  test('finds shares and files, and opens none that have a view limit', async ({
    adminPage: page,
    words,
  }) => {
    await page.goto('/upload')
    const { palette, field, active } = await open(page, words)
    const height = async () => (await palette.boundingBox())?.height
    const before = await height()
    await field.fill(key)
    const group = (name: string) => palette.getByRole('group', { name, exact: true })
    await expect(group(words.palette.groups.texts)).toContainText(`Plan ${key}`)
    await expect(group(words.palette.groups.shares)).toContainText(`${key}-shared.txt`)
    await expect(group(words.palette.groups.files)).toContainText(`${key}-mount.txt`)
    expect(await height()).toBe(before)

    await field.fill(`Secret ${key}`)
    await expect(active).toContainText(words.palette.limited)
    await page.keyboard.press('Enter')
    await expect(page).toHaveURL(new RegExp(`/admin/text-management\\?q=${key}-few`))

    await open(page, words)
    await field.fill(`${key}-mount`)
    // Presses Enter before the results have arrived. The palette opens the first result when it arrives.
    await page.keyboard.press('Enter')
    await expect(page).toHaveURL(new RegExp(`/mount-explorer/local/${key}\\?preview=${key}-mount.txt`))
    await page.goto('/upload')
    await open(page, words)
    await field.fill(`Plan ${key}`)
    await expect(active).toContainText(`/${key}-text`)
    await page.keyboard.press('Enter')
    await expect(page).toHaveURL(new RegExp(`/paste/${key}-text`))
  })

  test('closes with a step back, and the page below stays', async ({ adminPage: page, words }) => {
    await page.goto('/')
    await open(page, words)
    const { palette, field, active } = partsOf(page, words)
    await field.fill('dashboard')
    await expect(active).toContainText(words.manage.modules.dashboard)
    await page.keyboard.press('Enter')
    await expect(page).toHaveURL(/\/admin$/)
    await open(page, words)
    await page.goBack()
    await expect(palette).toBeHidden()
    await expect(page).toHaveURL(/\/admin$/)
    await page.goBack()
    await expect(page).not.toHaveURL(/\/admin$/)
  })

  test('accepts no more characters than a search does', async ({ adminPage: page, words }) => {
    await page.goto('/')
    const { palette, field } = await open(page, words)
    await page.keyboard.insertText('long '.repeat(100))
    await expect(field).toHaveValue('long '.repeat(40))
    await expect(
      palette.getByText(say(words.palette.nothing, { text: 'long '.repeat(40).trim() })),
    ).toBeVisible()
    await expect(palette.getByRole('alert')).toBeHidden()
  })

  test('shows a message for no results, for a failed search, and offline', async ({
    adminPage: page,
    words,
  }) => {
    await page.goto('/upload')
    const { palette, field } = await open(page, words)
    await field.fill('zzz-nothing')
    await expect(palette.getByText(say(words.palette.nothing, { text: 'zzz-nothing' }))).toBeVisible()
    await expect(palette.getByRole('option')).toHaveCount(0)
    await expectAccessible(page, 'palette: nothing', { isOnPhoneToo: true })
    await field.fill('z')
    await expect(palette.getByText(words.palette.tooShort)).toBeVisible()

    const searches = '**/api/fs/search?*'
    await page.route(searches, (route) =>
      route.fulfill({
        status: 500,
        json: { code: 500, message: 'broken', success: false, data: null, error: { code: 'internal' } },
      }),
    )
    await field.fill(`${key}-mou`)
    await expect(palette.getByRole('alert')).toBeVisible()
    await expectAccessible(page, 'palette: failed', { isOnPhoneToo: true })
    await page.unroute(searches)
    await palette.getByRole('button', { name: words.common.retry }).press('Enter')
    await expect(palette.getByRole('option', { name: `${key}-mount.txt` })).toBeVisible()

    await page.context().setOffline(true)
    await field.fill(`${key}-moun`)
    await expect(palette.getByText(words.palette.offline)).toBeVisible()
    await field.fill(DASHBOARD[0])
    await expect(palette.getByRole('option').first()).toContainText(words.manage.modules.dashboard)
    await page.context().setOffline(false)
  })

  test('starts anything: a text, a key, a folder inside the current one', async ({
    adminPage: page,
    words,
  }) => {
    const create = async (name: string) => {
      const { palette, field, active } = await open(page, words)
      await field.fill(name)
      await expect(active).toContainText(name)
      await page.keyboard.press('Enter')
      await expect(palette).toBeHidden()
    }
    const { commands } = words.palette
    await page.goto('/upload')
    await create(commands.newKey.name)
    await expect(page.getByRole('dialog', { name: words.keys.createTitle })).toBeVisible()
    await page.keyboard.press('Escape')
    // The command also works if its page is already open.
    await create(commands.newKey.name)
    await expect(page.getByRole('dialog', { name: words.keys.createTitle })).toBeVisible()
    await page.keyboard.press('Escape')
    await create(commands.newStorage.name)
    await expect(page.getByRole('dialog', { name: words.storages.createTitle })).toBeVisible()
    await page.keyboard.press('Escape')
    await create(commands.newMount.name)
    await expect(page.getByRole('dialog', { name: words.mounts.createTitle })).toBeVisible()
    await page.keyboard.press('Escape')
    await create(commands.newText.name)
    await expect(page.getByRole('textbox', { name: words.home.editor })).toBeFocused()
    await page.keyboard.insertText('Begun by the palette')
    await expect(page.getByRole('textbox', { name: words.home.editor })).toContainText('Begun by the palette')

    await page.goto(`/mount-explorer/local/${key}`)
    await expect(page.getByRole('grid')).toBeVisible()
    const { palette, field } = partsOf(page, words)
    await page.getByRole('button', { name: words.shell.palette }).press('Enter')
    await field.fill(commands.newFolder.name)
    await page.keyboard.press('Enter')
    await expect(palette).toBeHidden()
    await expect(page.locator('dialog[open]').getByRole('textbox')).toBeFocused()
  })

  test('the theme and the language change at once', async ({ adminPage: page, words }) => {
    await page.goto('/')
    const { field } = await open(page, words)
    await field.fill(words.palette.commands.themeDark.name)
    await page.keyboard.press('Enter')
    await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', 'dark')
    await open(page, words)
    const other = isDesktop ? '中文' : 'English'
    await field.fill(other)
    await page.keyboard.press('Enter')
    await expect(page.locator('html')).toHaveAttribute('lang', isDesktop ? 'zh-CN' : 'en-US')
  })

  test('visitors and holders of keys see what they can use', async ({ page, admin, words }) => {
    await page.goto('/')
    const { palette, field } = await open(page, words)
    const { commands, groups } = words.palette
    await expect(palette.getByRole('option', { name: commands.login.name })).toBeVisible()
    await expect(palette.getByRole('group', { name: groups.create })).toHaveCount(0)
    await field.fill(words.manage.modules.settings)
    await expect(palette.getByText(words.palette.nothingVisitor)).toBeVisible()
    await page.keyboard.press('Escape')

    const { data } = await admin.call(apiKeyRoutes.create, {
      body: { name: `Palette ${key}`, expires_at: 'never', text_permission: true },
    })
    const facts = {
      api_key: data.key,
      api_key_permissions: JSON.stringify({ text: true, file: false, mount: false, mount_read_only: false }),
      api_key_info: JSON.stringify({ id: data.id, name: `Palette ${key}`, basic_path: '/' }),
    }
    await page.evaluate((stored) => {
      for (const [name, value] of Object.entries(stored)) localStorage.setItem(name, value)
    }, facts)
    const asked: string[] = []
    page.on('request', (request) => asked.push(new URL(request.url()).pathname))
    await page.goto('/')
    await open(page, words)
    const created = palette.getByRole('group', { name: groups.create }).getByRole('option')
    await expect(created).toHaveText([commands.newText.name])
    await field.fill('Plan')
    await expect(palette.getByText(say(words.palette.nothing, { text: 'Plan' }))).toBeVisible()
    expect(asked.some((path) => /^\/api\/(?:fs\/|.*\/mounts)/.test(path))).toBe(false)
  })

  test('the keyboard map opens with its key outside fields, and from the palette', async ({
    adminPage: page,
    words,
  }) => {
    await page.goto('/upload')
    await expect(page.getByRole('button', { name: words.shell.palette })).toBeVisible()
    const map = page.getByRole('dialog', { name: words.palette.keyMap.title, exact: true })
    await page.keyboard.press('?')
    await expect(map).toBeVisible()
    await expect(map.getByRole('region', { name: words.palette.places.editor })).toContainText(
      words.editor.bold,
    )
    expect(await isWiderThanScreen(page)).toBe(false)
    await expectAccessible(page, 'keyboard map', { isOnPhoneToo: true })
    await map.getByRole('checkbox').uncheck()
    await page.keyboard.press('Escape')
    await expect(map).toBeHidden()
    await page.keyboard.press('?')
    const { palette, field } = await open(page, words)
    // The disabled shortcut does nothing. In a field, `?` is a normal character.
    await expect(map).toBeHidden()
    await page.keyboard.press('?')
    await expect(field).toHaveValue('?')
    await field.fill(words.palette.commands.keys.name)
    await page.keyboard.press('Enter')
    await expect(palette).toBeHidden()
    await expect(map).toBeVisible()
    await map.getByRole('checkbox').check()
    await page.keyboard.press('Escape')
    await page.keyboard.press('?')
    await expect(map).toBeVisible()
  })

  test('axe finds no fault in it', async ({ adminPage: page, words }) => {
    await page.goto('/upload')
    const { palette, field } = await open(page, words)
    await expect(palette.getByRole('group', { name: words.palette.groups.texts })).toBeVisible()
    await expectAccessible(page, 'palette', { isOnPhoneToo: true })
    await field.fill(key)
    await expect(palette.getByRole('group', { name: words.palette.groups.files })).toBeVisible()
    await expectAccessible(page, 'palette: found', { isOnPhoneToo: true })
  })
})

test('a page keeps keys that it uses itself', async ({ adminPage: page, admin, words }) => {
  await admin.call(fsFileRoutes.update, { body: { path: '/local/keys.md', content: 'words' } })
  const palette = page.getByRole('dialog', { name: words.palette.title, exact: true })
  const link = page.getByRole('dialog', { name: words.editor.link.title, exact: true })
  await page.goto('/')
  for (const mode of [words.editor.modes.source, words.editor.modes.rich]) {
    await page.getByRole('button', { name: mode, exact: true }).click()
    await page.getByRole('textbox', { name: words.home.editor }).click()
    await page.keyboard.press('Control+k')
    await expect(link).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(link).toBeHidden()
    await expect(palette).toBeHidden()
  }
  await page.goto('/mount-explorer/local')
  await expect(page.getByRole('button', { name: words.search.open })).toBeVisible()
  await page.keyboard.press('Control+k')
  await expect(page.getByRole('dialog', { name: words.search.title, exact: true })).toBeVisible()
  await expect(palette).toBeHidden()
  // The palette does not open over a dialog that needs an answer.
  await page.goto('/admin/key-management')
  await page.getByRole('button', { name: words.keys.create }).first().click()
  await page.keyboard.press('Control+k')
  await expect(page.getByRole('dialog', { name: words.keys.createTitle })).toBeVisible()
  await expect(palette).toBeHidden()
})
