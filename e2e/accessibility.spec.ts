import { fsFileRoutes } from '@dropleaf/contract'
import { expectAccessible } from './support/accessible.ts'
import { expect, test } from './support/test.ts'

/** No view has a serious or critical fault that a machine can find, in either theme. */

for (const theme of ['light', 'dark']) {
  test.describe(`in ${theme} colours`, () => {
    test.beforeEach(async ({ adminPage: page, admin }) => {
      await page.evaluate((mode) => localStorage.setItem('themeMode', mode), theme)
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
        await page.waitForTimeout(500)
        await expectAccessible(page, path)
      }
      await visitor.evaluate(() => localStorage.removeItem('admin_token'))
      await visitor.goto('/admin')
      await visitor.getByLabel('Username').waitFor()
      await expectAccessible(visitor, 'login')
    })

    test('the explorer in every view, with its menus and dialogs', async ({ adminPage: page }) => {
      await page.goto('/mount-explorer')
      await expect(page.getByText('local').first()).toBeVisible()
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
        await page.waitForTimeout(300)
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
      await page.getByRole('button', { name: /^File basket/ }).click()
      await expectAccessible(page, 'basket')
      await page.keyboard.press('Escape')
      await page.getByRole('button', { name: /^Tasks/ }).click()
      await page.waitForTimeout(300)
      await expectAccessible(page, 'tasks')
    })

    test('tiles, gallery and previews', async ({ adminPage: page }) => {
      await page.goto('/mount-explorer/local/axe')
      await expect(page.getByRole('row').filter({ hasText: 'readme.md' })).toBeVisible()
      for (const view of ['Grid', 'Gallery']) {
        await page.getByRole('button', { name: view, exact: true }).click()
        await page.waitForTimeout(400)
        await expectAccessible(page, view)
      }
      for (const name of ['readme.md', 'notes.txt', 'song.mp3']) {
        await page.goto(`/mount-explorer/local/axe?preview=${name}`)
        await expect(page.getByText(name).first()).toBeVisible()
        await page.waitForTimeout(600)
        await expectAccessible(page, name)
      }
    })
  })
}
