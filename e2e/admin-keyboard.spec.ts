import { apiKeyRoutes, pasteRoutes } from '@dropleaf/contract'
import { expectAccessible } from './support/accessible.ts'
import { tabThrough } from './support/keyboard.ts'
import { ADMIN_MODULES } from './support/pages.ts'
import { expect, inOppositeWorlds, test } from './support/worlds.ts'

/** The admin panel without a mouse: every control of every module is reached by Tab, and seen when it is. */

inOppositeWorlds(({ device }) => {
  const mark = `by-keyboard-${device}`

  test('every control of every module is reached by Tab', async ({
    adminPage: page,
    admin,
    server,
    adminToken,
    words,
  }) => {
    test.setTimeout(120_000)
    await admin.call(pasteRoutes.create, { body: { content: 'by keyboard', slug: mark } })
    await fetch(`${server.origin}/api/upload-direct/${mark}.txt?slug=${mark}-file`, {
      method: 'PUT',
      headers: { authorization: `Bearer ${adminToken}` },
      body: 'by keyboard',
    })
    await admin.call(apiKeyRoutes.create, {
      body: { name: mark, text_permission: true, file_permission: false, mount_permission: false },
    })
    for (const module of ADMIN_MODULES) {
      await page.goto(`/admin/${module}`)
      await expect(page.getByRole('heading', { level: 1, name: words.manage.modules[module] })).toBeAttached()
      await expect(page.getByRole('status', { name: words.common.loading })).toHaveCount(0)
      const { controls, ...faults } = await tabThrough(page)
      // Those of the header are more than ten already; on a desktop the menu has as many again.
      expect(controls).toBeGreaterThan(device === 'phone' ? 6 : 15)
      expect({ module, ...faults }).toEqual({ module, unreached: [], unseen: [] })
    }
  })

  test('a form of the panel is opened, filled, refused and left by the keyboard, and its button has the focus again', async ({
    adminPage: page,
    words,
  }) => {
    for (const [module, name] of [
      ['key-management', words.keys.create],
      ['mount-management', words.mounts.create],
      ['storage-config', words.storages.create],
    ] as const) {
      await page.goto(`/admin/${module}`)
      const open = page.getByRole('button', { name }).first()
      // A mount can be made when the storages are known: what is disabled takes no focus.
      await expect(open).toBeEnabled()
      await open.focus()
      await page.keyboard.press('Enter')
      const dialog = page.locator('dialog[open]')
      await expect(dialog).toBeVisible()
      await expect.poll(() => dialog.evaluate((form) => form.contains(document.activeElement))).toBe(true)
      await dialog.locator('button[type=submit]').focus()
      await page.keyboard.press('Enter')
      await expect(dialog.locator('[aria-invalid="true"]').first()).toBeFocused()
      if (device === 'desktop') await expectAccessible(page, `${module}, a form with faults`)
      await page.keyboard.press('Escape')
      await expect(dialog).toHaveCount(0)
      await expect(open).toBeFocused()
    }
  })

  test('a form that was changed is left only after a question', async ({ adminPage: page, words }) => {
    const { title, stay, leave } = words.common.unsaved
    await page.goto('/admin/key-management')
    await page.getByRole('button', { name: words.keys.create }).first().click()
    const name = page.getByRole('dialog').getByLabel(words.keys.name, { exact: true })
    await name.fill('Not to be lost')
    await page.keyboard.press('Escape')
    const question = page.getByRole('dialog', { name: title })
    await expect(question.getByRole('button', { name: stay })).toBeFocused()
    await page.keyboard.press('Enter')
    await expect(question).toHaveCount(0)
    await expect(name).toHaveValue('Not to be lost')
    await page.keyboard.press('Escape')
    await question.getByRole('button', { name: leave }).click()
    await expect(page.locator('dialog[open]')).toHaveCount(0)
  })
})
