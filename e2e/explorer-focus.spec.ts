import { rm } from 'node:fs/promises'
import path from 'node:path'
import { fsFileRoutes } from '@dropleaf/contract'
import type { Page } from '@playwright/test'
import type { Api } from './support/api.ts'
import { expect, test } from './support/test.ts'

/** Tests that the focus is where users expect it, even after the focused element has disappeared. */

async function makeFolder(admin: Api, name: string, files: Record<string, string>) {
  const folder = `/local/${name}`
  await admin.call(fsFileRoutes.mkdir, { body: { path: `${folder}/` } })
  for (const [file, content] of Object.entries(files)) {
    const body = { path: `${folder}/${file}` }
    if (file.endsWith('/')) await admin.call(fsFileRoutes.mkdir, { body })
    else await admin.call(fsFileRoutes.update, { body: { ...body, content } })
  }
  return folder
}

const row = (page: Page, name: string) => page.getByRole('row').filter({ hasText: name })

test('keys work on a new page, in an entered folder, and in an empty one', async ({
  adminPage: page,
  admin,
}) => {
  const folder = await makeFolder(admin, 'focus-keys', { 'inner/': '', 'inner/only.txt': '1', 'z.txt': '2' })
  await page.goto(`/mount-explorer${folder}`)
  await expect(row(page, 'z.txt')).toBeVisible()
  await page.keyboard.press('/')
  await expect(page.getByPlaceholder(/^Filter/)).toBeFocused()
  await page.keyboard.press('Escape')
  await page.getByRole('grid').focus()
  await page.keyboard.press('Home')
  await page.keyboard.press('Enter')
  await expect(row(page, 'only.txt')).toBeVisible()
  await expect(page.getByRole('grid')).toBeFocused()
  await page.keyboard.press('Home')
  await page.keyboard.press('Delete')
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  await expect(page.getByText('This folder is empty')).toBeVisible()
  // Although the last entry and the list are gone, "Undo" and "Up" still work.
  await page.keyboard.press('Control+z')
  await expect(row(page, 'only.txt')).toBeVisible()
  await expect(page.getByText('“only.txt” deleted')).toHaveCount(0)
  await page.getByRole('grid').focus()
  await page.keyboard.press('Home')
  await page.keyboard.press('Delete')
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  await page.getByRole('button', { name: 'Undo' }).press('Enter')
  await expect(page.getByRole('grid')).toBeFocused()
  await page.keyboard.press('Backspace')
  await expect(row(page, 'z.txt')).toBeVisible()
})

test('a file stays in the preview when it is renamed', async ({ adminPage: page, admin }) => {
  const folder = await makeFolder(admin, 'focus-rename', {
    'a.txt': 'first',
    'b.txt': 'second',
    'c.txt': 'third',
  })
  await page.clock.install()
  await page.goto(`/mount-explorer${folder}?preview=b.txt`)
  await expect(page.getByText('second')).toBeVisible()
  await page.getByRole('button', { name: 'Rename' }).click()
  await page.getByRole('dialog').getByRole('textbox').fill('renamed.txt')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/preview=renamed\.txt/)
  await expect(page.getByText('second')).toBeVisible()
  // Waits long enough for the preview of a missing file to switch to the next file.
  await page.clock.runFor(60_000)
  await expect(page).toHaveURL(/preview=renamed\.txt/)
  await expect(page.getByText('second')).toBeVisible()
})

test('editing starts in the text, and text typed into a deleted file can be saved', async ({
  adminPage: page,
  admin,
  server,
}) => {
  const folder = await makeFolder(admin, 'focus-edit', { 'note.txt': 'start ' })
  await page.goto(`/mount-explorer${folder}?preview=note.txt`)
  await page.getByRole('button', { name: 'Edit' }).click()
  await expect(page.locator('.cm-content')).toBeFocused()
  await page.keyboard.press('Control+End')
  await page.keyboard.type('PRECIOUS')
  await expect(page.getByText('Unsaved changes')).toBeVisible()
  page.once('dialog', (leaving) => void leaving.accept())
  await page.reload()
  // Deletes the file directly from the disk, so that the server's cached listing still contains it.
  await rm(path.join(server.dataDirectory, 'storage', folder, 'note.txt'))
  await page.goto(`/mount-explorer${folder}?preview=note.txt`)
  await page.getByRole('button', { name: 'Edit' }).click()
  await expect(page.locator('.cm-content')).toBeFocused()
  await expect(page.locator('.cm-content')).toHaveText('start PRECIOUS')
  await page.keyboard.press('Control+s')
  await page.getByRole('dialog').getByRole('button', { name: 'Save the file again' }).click()
  await expect
    .poll(async () => {
      const answer = await admin
        .call(fsFileRoutes.get, { query: { path: `${folder}/note.txt` } })
        .catch(() => null)
      return answer === null ? null : (await fetch(answer.data.preview_url ?? '')).text()
    })
    .toContain('PRECIOUS')
})

test('after a removal the focus is on the entry that replaces it', async ({ adminPage: page, admin }) => {
  const names = ['a.txt', 'b.txt', 'c.txt', 'd.txt']
  const folder = await makeFolder(
    admin,
    'focus-delete',
    Object.fromEntries(names.map((name) => [name, name])),
  )
  const grid = page.getByRole('grid')
  const remove = async () => {
    await page.keyboard.press('Delete')
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  }
  const isAt = (name: string) => expect(row(page, name)).toHaveAttribute('data-active')
  await page.goto(`/mount-explorer${folder}`)
  await grid.focus()
  await page.keyboard.press('Home')
  await page.keyboard.press('ArrowDown')
  await isAt('b.txt')
  await remove()
  await expect(row(page, 'b.txt')).toHaveCount(0)
  await isAt('c.txt')
  await expect(grid).toBeFocused()
  await page.keyboard.press('Control+z')
  await isAt('b.txt')
  await page.keyboard.press('End')
  await remove()
  await isAt('c.txt')

  // Renames the file in the preview. The preview then shows the file under the new name.
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Rename' }).press('Enter')
  await page.getByRole('dialog').getByRole('textbox').fill('c2.txt')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/preview=c2\.txt/)
  await expect(page.getByRole('button', { name: 'Rename' })).toBeFocused()
  await page.getByRole('button', { name: 'Previous file' }).click()
  await expect(page).toHaveURL(/preview=b\.txt/)
  await page.getByRole('button', { name: 'Delete' }).press('Enter')
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).last().click()
  await expect(page).toHaveURL(/preview=c2\.txt/)
  await expect(page.getByRole('button', { name: 'Delete' })).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(grid).toBeFocused()
  await isAt('c2.txt')
})
