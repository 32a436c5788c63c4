import { apiKeyRoutes, pasteRoutes } from '@dropleaf/contract'
import { expectAccessible } from './support/accessible.ts'
import { tabThrough } from './support/keyboard.ts'
import { expect, test } from './support/test.ts'

/** The admin panel without a mouse: every control of every module is reached by Tab, and seen when it is. */

const MODULES = [
  'dashboard',
  'text-management',
  'file-management',
  'storage-config',
  'mount-management',
  'key-management',
  'settings',
]

test('every control of every module is reached by Tab', async ({
  adminPage: page,
  admin,
  server,
  adminToken,
}) => {
  test.setTimeout(120_000)
  await admin.call(pasteRoutes.create, { body: { content: 'by keyboard', slug: 'by-keyboard' } })
  await fetch(`${server.origin}/api/upload-direct/by-keyboard.txt?slug=by-keyboard-file`, {
    method: 'PUT',
    headers: { authorization: `Bearer ${adminToken}` },
    body: 'by keyboard',
  })
  await admin.call(apiKeyRoutes.create, {
    body: { name: 'By keyboard', text_permission: true, file_permission: false, mount_permission: false },
  })
  for (const module of MODULES) {
    await page.goto(`/admin/${module}`)
    await expect(page.getByRole('heading', { level: 1 })).toBeAttached()
    await expect(page.getByRole('status', { name: 'Loading…' })).toHaveCount(0)
    const { controls, ...faults } = await tabThrough(page)
    // Those of the header and of the menu are more already.
    expect(controls).toBeGreaterThan(15)
    expect({ module, ...faults }).toEqual({ module, unreached: [], unseen: [] })
  }
})

test('a form of the panel is opened, filled, refused and left by the keyboard, and its button has the focus again', async ({
  adminPage: page,
}) => {
  for (const [module, name] of [
    ['key-management', 'New key'],
    ['mount-management', 'New mount'],
    ['storage-config', 'New storage'],
  ] as const) {
    await page.goto(`/admin/${module}`)
    const open = page.getByRole('button', { name }).first()
    await open.focus()
    await page.keyboard.press('Enter')
    const dialog = page.locator('dialog[open]')
    await expect(dialog).toBeVisible()
    await expect.poll(() => dialog.evaluate((form) => form.contains(document.activeElement))).toBe(true)
    await dialog.locator('button[type=submit]').focus()
    await page.keyboard.press('Enter')
    await expect(dialog.locator('[aria-invalid="true"]').first()).toBeFocused()
    await expectAccessible(page, `${module}, a form with faults`)
    await page.keyboard.press('Escape')
    await expect(dialog).toHaveCount(0)
    await expect(open).toBeFocused()
  }
})
