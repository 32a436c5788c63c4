import { fsFileRoutes, pasteRoutes } from '@dropleaf/contract'
import { expectAccessible } from './support/accessible.ts'
import { ADMIN_MODULES } from './support/pages.ts'
import { makePlace, mountIn } from './support/place.ts'
import { expect, test } from './support/worlds.ts'

/** Checks that axe finds no violation in the views of the app, in the light and in the dark theme. */

test.beforeEach(async ({ admin }) => {
  for (const path of ['/local/axe/', '/local/axe/folder/'])
    await admin.call(fsFileRoutes.mkdir, { body: { path } }).catch(() => undefined)
  for (const [name, content] of [
    ['readme.md', '# Read me\n\nText.'],
    ['notes.txt', 'notes'],
    ['song.mp3', 'no music'],
  ] as const)
    await admin.call(fsFileRoutes.update, { body: { path: `/local/axe/${name}`, content } })
})

test('home, upload and login', async ({ adminPage: page, page: visitor }) => {
  for (const path of ['/', '/upload', '/admin/account']) {
    await page.goto(path)
    await page.getByRole('main').waitFor()
    await page.waitForLoadState('networkidle')
    await expectAccessible(page, path)
  }
  await visitor.evaluate(() => localStorage.removeItem('admin_token'))
  await visitor.goto('/admin')
  await visitor.getByLabel('Username').waitFor()
  await expectAccessible(visitor, 'login')
})

test('the explorer in every view, with its menus and dialogs', async ({ adminPage: page }) => {
  await page.goto('/mount-explorer')
  await expect(page.getByRole('row').filter({ hasText: 'local' })).toBeVisible()
  await expectAccessible(page, 'levels above mounts')
  await page.goto('/mount-explorer/local/axe')
  await expect(page.getByRole('row').filter({ hasText: 'readme.md' })).toBeVisible()
  await expectAccessible(page, 'list')
  await page.getByRole('row').filter({ hasText: 'notes.txt' }).click({ button: 'right' })
  await expect(page.getByRole('menuitem').first()).toBeVisible()
  await expectAccessible(page, 'menu')
  for (const action of ['Rename', 'Delete', 'Move', 'Properties', 'Create share', 'Get direct link']) {
    const item = page.getByRole('menuitem', { name: action, exact: true })
    if (!(await item.isVisible()))
      await page.getByRole('row').filter({ hasText: 'notes.txt' }).click({ button: 'right' })
    await item.click()
    await expect(page.getByRole('dialog')).toBeVisible()
    await expectAccessible(page, action)
    await page.keyboard.press('Escape')
    await expect(page.getByRole('dialog')).toBeHidden()
  }
  await page.getByRole('checkbox', { name: 'Select all' }).check()
  await expectAccessible(page, 'a selection')
  await page.goto('/mount-explorer/local/axe')
  await page.getByRole('button', { name: 'Upload', exact: true }).first().click()
  await expect(page.getByRole('dialog')).toBeVisible()
  await expectAccessible(page, 'upload dialog')
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Search files' }).click()
  await page.getByRole('dialog').getByRole('combobox').fill('notes')
  await expect(page.getByRole('option').filter({ hasText: 'notes.txt' }).first()).toBeVisible()
  await expectAccessible(page, 'search')
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toBeHidden()
  await page.getByRole('button', { name: /^File basket/ }).click()
  await expect(page.getByRole('dialog')).toBeVisible()
  await expectAccessible(page, 'basket')
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toBeHidden()
  await page.getByRole('button', { name: /^Tasks/ }).click()
  await expectAccessible(page, 'tasks')
})

test('tiles, gallery and previews', async ({ adminPage: page }) => {
  await page.goto('/mount-explorer/local/axe')
  await expect(page.getByRole('row').filter({ hasText: 'readme.md' })).toBeVisible()
  for (const view of ['Grid', 'Gallery']) {
    await page.getByRole('button', { name: view, exact: true }).click()
    await page.waitForLoadState('networkidle')
    await expectAccessible(page, view)
  }
  for (const name of ['readme.md', 'notes.txt', 'song.mp3']) {
    await page.goto(`/mount-explorer/local/axe?preview=${name}`)
    await expect(page.getByText(name).first()).toBeVisible()
    await page.waitForLoadState('networkidle')
    await expectAccessible(page, name)
  }
})

test('the explorer with missing files and folders', async ({
  adminPage: page,
  admin,
  adminToken,
  server,
}) => {
  const expectBoth = (view: string) => expectAccessible(page, view, { isOnPhoneToo: true })
  const look = async (address: string, words: string) => {
    await page.goto(address)
    await expect(page.getByText(words).first()).toBeVisible()
    await expectBoth(words)
  }
  const place = await makePlace({ admin, adminToken, origin: server.origin, mountPath: '/local' })
  await place.put({ 'a.txt': 'a', 'empty/': '', 'holder/': '', 'holder/in/': '', 'x.bin': 'x\0' })
  await look(`${place.address}/empty`, 'This folder is empty')
  await look('/mount-explorer/no-such-mount', 'There is no folder here')
  await look(`${place.address}?preview=x.bin`, 'No preview for this file type')
  await look(`${place.address}?preview=gone.txt`, 'This file or folder does not exist')

  await look(place.address, 'holder')
  // Mounts a storage inside the folder without a reload of the page. If the page knew of the mount, it would not
  // offer to delete the folder.
  const unmount = await mountIn(admin, place, 'holder/in')
  await page.getByRole('grid').focus()
  for (const key of ['ControlOrMeta+a', 'Delete']) await page.keyboard.press(key)
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  await page.evaluate(() => window.dispatchEvent(new Event('pagehide')))
  await expect(page.getByRole('dialog', { name: '1 item failed' })).toBeVisible()
  await expectBoth('failures')
  await unmount()

  const lists = '**/api/fs/list?*'
  await page.route(lists, () => undefined)
  await page.goto(place.address)
  await expect(page.getByRole('status', { name: 'Loading…' })).toBeVisible()
  await expectBoth('loading')
  await page.unroute(lists)
  let answered = 0
  await page.route(lists, async (route) => {
    answered += 1
    if (answered > 1) return route.abort()
    const response = await route.fetch()
    const body = (await response.json()) as { data: object }
    return route.fulfill({ response, json: { ...body, data: { ...body.data, next_cursor: 'more' } } })
  })
  await look(place.address, 'Only part of the list could be loaded')
  await page.unroute(lists)
  await page.route(lists, (route) => route.abort())
  await look(place.address, 'This folder could not be opened')
  await page.context().setOffline(true)
  await page.evaluate(() => window.dispatchEvent(new Event('offline')))
  await expectBoth('offline')
  await page.context().setOffline(false)
  await page.unroute(lists)

  await page.evaluate(() => localStorage.removeItem('admin_token'))
  await look(place.address, 'Log in to browse files.')
})

test('the admin panel', async ({ adminPage: page, admin, words }) => {
  const expectBoth = (view: string) => expectAccessible(page, view, { isOnPhoneToo: true })
  const slug = `axe-table`
  await admin.call(pasteRoutes.create, {
    body: { content: 'for the table', slug, password: 'p', maxViews: 3 },
  })
  await page.goto('/admin')
  const links = page.getByRole('navigation', { name: words.manage.navigation }).getByRole('link')
  for (const module of ADMIN_MODULES) {
    const name = words.manage.modules[module]
    await links.and(page.getByRole('link', { name, exact: true })).click()
    await expect(page.getByRole('heading', { level: 1, name, exact: true })).toBeAttached()
    await expect(page.getByRole('status', { name: 'Loading…' })).toHaveCount(0)
    await expectBoth(module)
  }
  await page.goto(`/admin/text-management?q=${slug}`)
  await page.getByRole('checkbox').last().check()
  await expectBoth('a choice')
  await page.getByRole('button', { name: `View “${slug}”` }).click()
  await expect(page.getByRole('dialog')).toContainText('for the table')
  await expectBoth('a text')
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: `More actions for “${slug}”` }).click()
  await expect(page.getByRole('menuitem').first()).toBeVisible()
  await expectBoth('a menu')
  await page.goto('/admin/key-management')
  await page.getByRole('button', { name: 'Create key' }).first().click()
  await page.getByRole('dialog').getByRole('button', { name: 'Create key' }).click()
  await expect(page.getByText('Enter a name')).toBeVisible()
  await expectBoth('a form with faults')
})
