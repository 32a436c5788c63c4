import { readFile } from 'node:fs/promises'
import { apiKeyRoutes, mountRoutes, pasteRoutes } from '@dropleaf/contract'
import type { Page } from '@playwright/test'
import { expectAccessible } from './support/accessible.ts'
import { expect, inOppositeWorlds, say, test, type Words } from './support/explorer.ts'
import { Keyboard, tabThrough } from './support/keyboard.ts'
import { ADMIN_MODULES } from './support/pages.ts'
import { ADMIN_PASSWORD } from './support/test.ts'

/** Completes journeys with only the keyboard. The focus must be visible at every step. */

const PASSWORD = 'open sesame'

const copied = (page: Page): Promise<string> => page.evaluate(() => navigator.clipboard.readText())

test.beforeEach(({ context }) => context.grantPermissions(['clipboard-read', 'clipboard-write']))

test('a text is written, shared with options, opened by its password, changed and deleted', async ({
  adminPage: page,
  admin,
  words,
}) => {
  const { common, home, paste, manage, shares } = words
  const keyboard = new Keyboard(page)
  await page.goto('/')
  await expect(page.locator('.cm-content')).toBeVisible()
  await keyboard.write(page.getByRole('textbox', { name: home.editor }), '# By keys alone')
  await keyboard.press('Escape')
  await keyboard.write(page.getByLabel(common.slug.label), 'keys-alone')
  await keyboard.write(page.getByLabel(common.password.label, { exact: true }), PASSWORD)
  await keyboard.choose(page.getByLabel(common.expiry.label), common.expiry.day1)
  await keyboard.write(page.getByLabel(common.maxViews.label), '9')
  await keyboard.choose(page.getByLabel(common.opening.label), common.opening.direct)
  await keyboard.enter(page.getByRole('button', { name: home.submit }))
  const result = page.getByRole('region', { name: home.result.title })
  const link = result.getByRole('link').first()
  await expect(link).toHaveAttribute('href', /\/paste\/keys-alone$/)
  await expect(link).toBeFocused()
  await expect(page.getByRole('status').filter({ hasText: 'keys-alone' })).toBeAttached()
  await keyboard.enter(result.getByRole('button', { name: home.result.copyLink }))
  await expect.poll(() => copied(page)).toBe(await link.getAttribute('href'))
  const { data } = await admin.call(pasteRoutes.adminRead, { params: { id: 'keys-alone' } })
  expect(data).toMatchObject({ content: '# By keys alone', plain_password: PASSWORD, max_views: 9 })

  const opening = page.waitForEvent('popup')
  await keyboard.enter(link, 'Shift+Tab')
  const opened = await opening
  const reader = new Keyboard(opened)
  const field = opened.getByLabel(paste.locked.password, { exact: true })
  await reader.write(field, 'wrong')
  await reader.enter(opened.getByRole('button', { name: paste.locked.open, exact: true }))
  await expect(opened.getByText(words.errors.paste.password_wrong)).toBeVisible()
  await expect(field).toBeFocused()
  // The frame around the field shows the focus, even if the field has an error.
  await expect(field.locator('xpath=..')).toHaveCSS('outline', /solid 2px|2px solid/)
  await reader.press('ControlOrMeta+a')
  await reader.write(field, PASSWORD)
  await reader.press('Enter')
  await expect(opened.getByRole('heading', { name: 'By keys alone' })).toBeVisible()
  await expect(opened.getByRole('article')).toBeFocused()
  await reader.enter(opened.getByRole('button', { name: paste.copyText }))
  await expect.poll(() => copied(opened)).toBe('# By keys alone')

  await reader.enter(opened.getByRole('button', { name: paste.edit, exact: true }))
  await expect(opened.locator('.cm-content')).toBeVisible()
  await expect(opened.getByRole('heading', { name: paste.editing.title })).toBeFocused()
  await reader.to(opened.getByRole('textbox', { name: home.editor }))
  await reader.press('ControlOrMeta+End')
  await opened.keyboard.insertText(', twice')
  await reader.press('Escape')
  await reader.enter(opened.getByRole('button', { name: common.save, exact: true }))
  await expect(opened.getByRole('heading', { name: 'By keys alone, twice' })).toBeVisible()
  await expect(opened.getByRole('article')).toBeFocused()

  await reader.enter(opened.getByRole('link', { name: words.shell.admin, exact: true }))
  await reader.enter(opened.getByRole('link', { name: manage.modules['text-management'], exact: true }))
  await reader.write(opened.getByRole('searchbox', { name: words.texts.search }), 'keys-alone')
  await expect(opened).toHaveURL(/q=keys-alone/)
  await reader.enter(opened.getByRole('button', { name: say(shares.actions.of, { name: 'keys-alone' }) }))
  await reader.pick(opened.getByRole('menuitem', { name: shares.actions.delete }))
  await reader.enter(opened.getByRole('dialog').getByRole('button', { name: shares.actions.delete }))
  await expect(opened.getByText(words.table.noMatch)).toBeVisible()
})

test('a taken suffix gets the focus; leaving the editor of a text returns to its page', async ({
  adminPage: page,
  admin,
  words,
}) => {
  const { common, home, paste, shares } = words
  for (const slug of ['keys-taken', 'keys-other'])
    await admin.call(pasteRoutes.create, { body: { content: slug, slug } })
  const keyboard = new Keyboard(page)
  const suffix = page.getByLabel(common.slug.label)
  await page.goto('/')
  await expect(page.locator('.cm-content')).toBeVisible()
  await keyboard.write(page.getByRole('textbox', { name: home.editor }), 'Another one')
  await keyboard.press('Escape')
  await keyboard.write(suffix, 'keys-taken')
  await keyboard.enter(page.getByRole('button', { name: home.submit }))
  await expect(page.getByText(words.errors.paste.slug_taken)).toBeVisible()
  await expect(suffix).toBeFocused()

  await page.goto('/admin/text-management?q=keys-')
  const edit = page.getByRole('button', { name: say(shares.actions.edit, { name: 'keys-other' }) })
  await keyboard.enter(edit)
  await expect(page.getByRole('heading', { name: paste.editing.title })).toBeFocused()
  await expect(page.locator('.cm-content')).toBeVisible()
  await keyboard.to(page.getByRole('textbox', { name: home.editor }))
  await keyboard.press('Escape')
  await keyboard.to(suffix)
  await keyboard.press('ControlOrMeta+a')
  await keyboard.write(suffix, 'keys-taken')
  await keyboard.enter(page.getByRole('button', { name: common.save, exact: true }))
  await expect(page.getByText(words.errors.paste.slug_taken)).toHaveCount(1)
  await expect(suffix).toBeFocused()
  await keyboard.press('ControlOrMeta+a')
  await keyboard.write(suffix, 'keys-renamed')
  await keyboard.enter(page.getByRole('button', { name: common.save, exact: true }))
  const renamed = page.getByRole('button', { name: say(shares.actions.edit, { name: 'keys-renamed' }) })
  await expect(renamed).toBeFocused()
})

/** Simulates a browser without file handles. A test cannot answer the dialog that returns file handles. */
const usePlainFileDialog = (page: Page) =>
  page.addInitScript(() => Object.assign(window, { showOpenFilePicker: undefined }))

test('a file is chosen, shared, and downloaded with the password', async ({ adminPage: page, words }) => {
  const { common, files } = words
  const keyboard = new Keyboard(page)
  await usePlainFileDialog(page)
  await page.goto('/')
  await keyboard.enter(page.getByRole('link', { name: words.shell.upload, exact: true }))
  const choosing = page.waitForEvent('filechooser')
  await keyboard.to(page.getByLabel(files.upload.drop))
  await page.keyboard.press('Enter')
  const file = { name: 'by-keys.txt', mimeType: 'text/plain', buffer: Buffer.from('carried by keys') }
  await (await choosing).setFiles(file)
  await keyboard.write(page.getByLabel(common.password.label, { exact: true }), PASSWORD)
  await keyboard.enter(page.getByRole('button', { name: files.upload.start, exact: true }))
  const row = page.getByRole('region', { name: files.upload.list }).getByRole('listitem')
  await expect(row).toHaveAttribute('data-status', 'success')
  const link = row.getByRole('link')
  await expect(link).toBeFocused()
  await keyboard.enter(row.getByRole('button', { name: files.copyLink }))
  await expect.poll(() => copied(page)).toMatch(/\/file\/[\w-]+$/)

  const opening = page.waitForEvent('popup')
  await keyboard.enter(link, 'Shift+Tab')
  const opened = await opening
  const reader = new Keyboard(opened)
  await reader.write(opened.getByLabel(files.view.locked.password, { exact: true }), PASSWORD)
  await reader.press('Enter')
  await expect(opened.getByRole('heading', { level: 1 })).toBeFocused()
  const downloading = opened.waitForEvent('download')
  await reader.enter(opened.getByRole('link', { name: files.view.download }).first())
  expect(await readFile(await (await downloading).path(), 'utf8')).toBe('carried by keys')
})

test('each upload on the upload page moves the focus to its new link', async ({ adminPage: page, words }) => {
  const { upload } = words.files
  const keyboard = new Keyboard(page)
  await usePlainFileDialog(page)
  await page.goto('/upload')
  const rows = page.getByRole('region', { name: upload.list }).getByRole('listitem')
  for (const name of ['first.txt', 'second.txt']) {
    const choosing = page.waitForEvent('filechooser')
    await keyboard.to(page.getByLabel(upload.drop), name === 'first.txt' ? 'Tab' : 'Shift+Tab')
    await page.keyboard.press('Enter')
    await (await choosing).setFiles({ name, mimeType: 'text/plain', buffer: Buffer.from(name) })
    await keyboard.enter(page.getByRole('button', { name: upload.start, exact: true }))
    await expect(rows.filter({ hasText: name }).getByRole('link')).toBeFocused()
  }
})

test('files are opened, renamed, moved, copied, previewed, downloaded, deleted and searched', async ({
  adminPage: page,
  explorer,
  place,
  words,
}) => {
  const { command, newFolder } = words.explorer
  const keyboard = new Keyboard(page)
  /** Moves to an entry of the list with the arrow keys. */
  const toRow = async (name: string) => {
    await keyboard.to(explorer.grid)
    await keyboard.press('Home')
    const isThere = () => explorer.row(name).evaluate((row) => row.matches('[data-active]'))
    for (let step = 0; step < 9 && !(await isThere()); step += 1) await keyboard.press('ArrowDown')
    expect(await isThere()).toBe(true)
  }
  const pickFor = async (name: string, item: string) => {
    await toRow(name)
    await page.keyboard.press('Shift+F10')
    await keyboard.pick(explorer.item(item))
  }
  /** Selects the target folder in the open dialog. */
  const target = async (name: string, submit: string) => {
    await keyboard.to(explorer.dialog.getByRole('treeitem'))
    await keyboard.to(explorer.target(name), 'ArrowDown')
    await keyboard.press('Enter')
    await keyboard.enter(explorer.dialog.getByRole('button', { name: submit, exact: true }))
    await expect(explorer.dialog).toHaveCount(0)
  }
  await place.put({ 'a.txt': 'alpha', 'b.txt': 'beta', 'c.txt': 'gamma', 'inner/': '' })
  await explorer.open(place)
  await toRow('inner')
  await keyboard.press('Enter')
  await expect(page.getByText(words.explorer.empty.title)).toBeVisible()
  await keyboard.enter(explorer.tool(newFolder.open))
  await expect(explorer.dialog.getByRole('textbox')).toBeFocused()
  await page.keyboard.type('made')
  await page.keyboard.press('Enter')
  await expect(explorer.names).toHaveText(['made'])
  await keyboard.to(explorer.grid)
  await page.keyboard.press('Backspace')
  await expect(explorer.names).toHaveText(['inner', 'a.txt', 'b.txt', 'c.txt'])

  await toRow('a.txt')
  await page.keyboard.press('F2')
  await expect(explorer.dialog.getByRole('textbox')).toBeFocused()
  await keyboard.press('ControlOrMeta+a')
  await page.keyboard.type('named.txt')
  await page.keyboard.press('Enter')
  await expect(explorer.names).toHaveText(['inner', 'b.txt', 'c.txt', 'named.txt'])

  await toRow('b.txt')
  await keyboard.press('Space', 'Shift+ArrowDown')
  await expect(explorer.marked).toHaveCount(2)
  await keyboard.enter(explorer.tool(command.move), 'Shift+Tab')
  await target('inner', words.explorer.move.submit)
  await expect(explorer.names).toHaveText(['inner', 'named.txt'])
  await pickFor('named.txt', command.copy)
  await target('inner', words.explorer.copy.submit)
  await expect.poll(() => place.readText('inner/named.txt')).toBe('alpha')
  expect(await place.readText('inner/c.txt')).toBe('gamma')

  const downloading = page.waitForEvent('download')
  await pickFor('named.txt', command.download)
  expect((await downloading).suggestedFilename()).toBe('named.txt')
  await toRow('named.txt')
  await page.keyboard.press('Enter')
  await expect(page.getByText('alpha')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(explorer.grid).toBeFocused()
  await toRow('named.txt')
  await page.keyboard.press('Delete')
  await keyboard.enter(explorer.dialog.getByRole('button', { name: command.delete }))
  await expect(explorer.names).toHaveText(['inner'])

  await page.keyboard.press('ControlOrMeta+k')
  const search = page.getByRole('dialog', { name: words.search.title, exact: true })
  const field = search.getByRole('combobox')
  await expect(field).toBeFocused()
  await page.keyboard.type('c.txt')
  const found = search.getByRole('option').filter({ hasText: place.name })
  await expect(found).toHaveCount(1)
  await expect(found).toHaveAttribute('aria-selected', 'true')
  await page.keyboard.press('Enter')
  await expect(page.getByText('gamma')).toBeVisible()
})

test('theme, language, quick find and keyboard map', async ({ page, words }) => {
  const keyboard = new Keyboard(page)
  const scheme = page.locator('html')
  await page.goto('/upload')
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await keyboard.press('Tab')
  await expect(page.getByRole('link', { name: words.shell.skip })).toBeFocused()
  await keyboard.press('Enter')
  await expect(page.getByRole('main')).toBeFocused()
  await keyboard.enter(page.getByRole('button', { name: words.shell.theme.auto }), 'Shift+Tab')
  await expect(scheme).toHaveAttribute('data-mantine-color-scheme', 'light')
  await keyboard.enter(page.getByRole('button', { name: words.shell.theme.light }))
  await expect(scheme).toHaveAttribute('data-mantine-color-scheme', 'dark')
  const language = page.locator('header select')
  await keyboard.choose(language, '中文')
  await expect(scheme).toHaveAttribute('lang', 'zh-CN')
  await keyboard.choose(language, 'English')
  await expect(scheme).toHaveAttribute('lang', 'en-US')

  const map = page.getByRole('dialog', { name: words.palette.keyMap.title, exact: true })
  await keyboard.to(page.getByRole('button', { name: words.shell.theme.dark }))
  await page.keyboard.press('?')
  await keyboard.to(map.getByRole('checkbox'))
  await keyboard.press('Space')
  await expect(map.getByRole('checkbox')).not.toBeChecked()
  await keyboard.enter(map.getByRole('button', { name: words.common.close }).first())
  await expect(map).toHaveCount(0)
  await expect(page.getByRole('button', { name: words.shell.theme.dark })).toBeFocused()
  const palette = page.getByRole('dialog', { name: words.palette.title, exact: true })
  await keyboard.enter(page.getByRole('button', { name: words.shell.palette }), 'Shift+Tab')
  await expect(palette.getByRole('combobox')).toBeFocused()
  await page.keyboard.type(words.palette.commands.keys.name)
  await page.keyboard.press('Enter')
  await keyboard.to(map.getByRole('checkbox'))
  await keyboard.press('Space')
  await page.keyboard.press('Escape')
  await expect(map).toHaveCount(0)
  await page.keyboard.press('Control+k')
  await expect(palette.getByRole('combobox')).toBeFocused()
  await page.keyboard.type(words.palette.commands.home.name)
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/$/)
})

/** Labels of the buttons that open the forms of the admin panel. */
const formsOf = (words: Words) =>
  ({
    'key-management': words.keys.create,
    'mount-management': words.mounts.create,
    'storage-config': words.storages.create,
  }) as Readonly<Partial<Record<(typeof ADMIN_MODULES)[number], string>>>

inOppositeWorlds(({ device }) => {
  const isPhone = device === 'phone'
  const mark = `by-keyboard-${device}`

  test('the administrator reaches every control of every module; forms are filled, rejected and left', async ({
    page,
    admin,
    server,
    adminToken,
    words,
  }) => {
    await admin.call(pasteRoutes.create, { body: { content: 'by keyboard', slug: mark } })
    await fetch(`${server.origin}/api/upload-direct/${mark}.txt?slug=${mark}-file`, {
      method: 'PUT',
      headers: { authorization: `Bearer ${adminToken}` },
      body: 'by keyboard',
    })
    await admin.call(apiKeyRoutes.create, {
      body: { name: mark, text_permission: true, file_permission: false, mount_permission: false },
    })
    const keyboard = new Keyboard(page)
    await page.goto('/admin')
    await keyboard.write(page.getByLabel(words.auth.username), 'admin')
    const password = page.getByLabel(words.auth.password, { exact: true })
    await keyboard.write(password, 'wrong')
    await keyboard.enter(page.getByRole('main').getByRole('button', { name: words.auth.submit, exact: true }))
    await expect(page.getByRole('alert')).toBeVisible()
    await expect(password).toBeFocused()
    await keyboard.press('ControlOrMeta+a')
    await keyboard.write(password, ADMIN_PASSWORD)
    await keyboard.press('Enter')
    await expect(page.getByRole('main')).toBeFocused()
    for (const module of ADMIN_MODULES) {
      const name = words.manage.modules[module]
      if (isPhone) await keyboard.enter(page.getByRole('button', { name: words.manage.openMenu }))
      const menu = page.getByRole('navigation', { name: words.manage.navigation })
      await keyboard.enter(menu.getByRole('link', { name, exact: true }))
      await expect(page.getByRole('heading', { level: 1, name })).toBeAttached()
      await expect(page.getByRole('status', { name: words.common.loading })).toHaveCount(0)
      const form = formsOf(words)[module]
      if (form) {
        const open = page.getByRole('button', { name: form }).first()
        await keyboard.enter(open)
        const dialog = page.locator('dialog[open]')
        await expect.poll(() => dialog.evaluate((shown) => shown.contains(document.activeElement))).toBe(true)
        await keyboard.enter(dialog.locator('button[type=submit]'))
        await expect(dialog.locator('[aria-invalid="true"]').first()).toBeFocused()
        if (!isPhone) await expectAccessible(page, `${module}, a form with faults`)
        await page.keyboard.press('Escape')
        await expect(dialog).toHaveCount(0)
        await expect(open).toBeFocused()
      }
      const { controls, ...faults } = await tabThrough(page)
      // Fails if the page has not rendered its controls, because nothing would be tested then.
      expect(controls).toBeGreaterThan(isPhone ? 6 : 15)
      expect({ module, ...faults }).toEqual({ module, unreached: [], unseen: [] })
    }
  })

  test('a key is created, after a question about typed text; a mount is created and deleted', async ({
    adminPage: page,
    admin,
    words,
  }) => {
    const { keys, mounts } = words
    const { title, stay, leave } = words.common.unsaved
    const keyboard = new Keyboard(page)
    const dialog = page.getByRole('dialog')
    await page.goto('/admin/key-management')
    await keyboard.enter(page.getByRole('button', { name: keys.create }).first())
    const name = dialog.getByLabel(keys.name, { exact: true })
    await keyboard.write(name, `Not to be lost ${device}`)
    await page.keyboard.press('Escape')
    const question = page.getByRole('dialog', { name: title })
    await expect(question.getByRole('button', { name: stay })).toBeFocused()
    await page.keyboard.press('Enter')
    await expect(question).toHaveCount(0)
    await expect(name).toHaveValue(`Not to be lost ${device}`)
    await keyboard.to(dialog.getByLabel(keys.file))
    await keyboard.press('Space')
    await keyboard.enter(dialog.getByRole('button', { name: keys.create }))
    await expect(dialog).toHaveCount(0)
    const made = (await admin.call(apiKeyRoutes.list)).data.find((key) => key.name.endsWith(device))
    expect(made).toMatchObject({ text_permission: 1, file_permission: 0, mount_permission: 0 })

    await page.goto('/admin/mount-management')
    await keyboard.enter(page.getByRole('button', { name: mounts.create }))
    await keyboard.write(dialog.getByLabel(mounts.name, { exact: true }), mark)
    await keyboard.write(dialog.getByLabel(mounts.path, { exact: true }), `/${mark}`)
    await page.keyboard.press('Escape')
    await keyboard.enter(question.getByRole('button', { name: leave }))
    await expect(page.locator('dialog[open]')).toHaveCount(0)
    await keyboard.enter(page.getByRole('button', { name: mounts.create }))
    await keyboard.write(dialog.getByLabel(mounts.name, { exact: true }), mark)
    await keyboard.write(dialog.getByLabel(mounts.path, { exact: true }), `/${mark}`)
    await keyboard.enter(dialog.getByRole('button', { name: mounts.create }))
    const isThere = async () =>
      (await admin.call(mountRoutes.adminList)).data.some((mount) => mount.name === mark)
    await expect.poll(isThere).toBe(true)
    await keyboard.enter(page.getByRole('button', { name: say(mounts.deleteOf, { name: mark }) }))
    await keyboard.enter(dialog.getByRole('button', { name: mounts.delete }))
    await expect.poll(isThere).toBe(false)
  })
})
