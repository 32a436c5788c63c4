import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { fsFileRoutes } from '@dropleaf/contract'
import type { Page } from '@playwright/test'
import type { Api } from './support/api.ts'
import { expect, test } from './support/test.ts'

/** A folder of its own for each test, with a few files. */
async function makeFiles(admin: Api, name: string, files: Record<string, string> = {}) {
  const folder = `/local/${name}`
  await admin.call(fsFileRoutes.mkdir, { body: { path: `${folder}/` } })
  for (const [file, content] of Object.entries(files)) {
    const path = `${folder}/${file}`
    if (file.endsWith('/')) await admin.call(fsFileRoutes.mkdir, { body: { path } })
    else await admin.call(fsFileRoutes.update, { body: { path, content } })
  }
  return folder
}

const readText = async (admin: Api, path: string) => {
  const { data } = await admin.call(fsFileRoutes.get, { query: { path } })
  const answer = await fetch(data.preview_url ?? '')
  return answer.text()
}

const exists = (admin: Api, path: string) =>
  admin.call(fsFileRoutes.get, { query: { path } }).then(
    () => true,
    () => false,
  )

const grid = (page: Page) => page.getByRole('grid')
const row = (page: Page, name: string) =>
  page.getByRole('row', { name, exact: false }).filter({ hasText: name })
const marked = (page: Page) => page.locator('[role="row"][aria-selected="true"]')

test.describe('on a desktop', () => {
  test.use({ locale: 'en-US' })

  test('folders are opened, filtered and sorted by the address', async ({ adminPage: page, admin }) => {
    const folder = await makeFiles(admin, 'browse', {
      'b.txt': 'bb',
      'a10.txt': 'a',
      'a9.txt': 'aaaa',
      'sub/': '',
    })
    await page.goto('/mount-explorer')
    await page.getByRole('link', { name: 'local', exact: true }).click()
    await page.getByRole('link', { name: 'browse', exact: true }).click()
    await expect(page).toHaveURL(new RegExp(`/mount-explorer${folder}`))
    const names = page.locator('[data-role="open"]')
    await expect(names).toHaveText(['sub', 'a9.txt', 'a10.txt', 'b.txt'])
    await page.getByRole('button', { name: 'Size' }).click()
    await expect(page).toHaveURL(/sort=size/)
    await expect(names).toHaveText(['sub', 'a10.txt', 'b.txt', 'a9.txt'])
    await page.reload()
    await expect(names).toHaveText(['sub', 'a10.txt', 'b.txt', 'a9.txt'])
    await grid(page).focus()
    await page.keyboard.press('/')
    await page.keyboard.type('A1')
    await expect(names).toHaveText(['a10.txt'])
    await page.keyboard.type('zzz')
    await expect(page.getByText('No name matches')).toBeVisible()
    await page.getByRole('main').getByRole('button', { name: 'Clear the filter' }).last().click()
    await page.getByRole('navigation', { name: 'Path' }).getByRole('link', { name: 'local' }).click()
    await expect(row(page, 'browse')).toBeVisible()
  })

  test('names of any characters have an address', async ({ adminPage: page, admin }) => {
    const folder = await makeFiles(admin, '100%25 #报告?', { 'x%20y&z.txt': 'strange' })
    await page.goto('/mount-explorer/local')
    await page.getByRole('link', { name: '100%25 #报告?' }).click()
    await page.getByRole('link', { name: 'x%20y&z.txt' }).click()
    await expect(page.getByText('strange')).toBeVisible()
    await page.reload()
    await expect(page.getByText('strange')).toBeVisible()
    expect(await exists(admin, `${folder}/x%20y&z.txt`)).toBe(true)
  })

  test('entries are marked by the mouse in every way', async ({ adminPage: page, admin }) => {
    await makeFiles(admin, 'mouse', { '1.txt': '', '2.txt': '', '3.txt': '', '4.txt': '' })
    await page.goto('/mount-explorer/local/mouse')
    const size = (name: string) => row(page, name).getByRole('gridcell').nth(2)
    await size('1.txt').click()
    await expect(marked(page)).toHaveCount(1)
    await size('3.txt').click({ modifiers: ['Shift'] })
    await expect(marked(page)).toHaveCount(3)
    await size('2.txt').click({ modifiers: ['ControlOrMeta'] })
    await expect(marked(page)).toHaveCount(2)
    await page.getByRole('checkbox', { name: 'Select “4.txt”' }).click()
    await expect(page.getByText('3 selected')).toBeVisible()
    await expect(page.getByRole('checkbox', { name: 'Select “4.txt”' })).toBeChecked()
    await expect(page.getByRole('checkbox', { name: 'Select “2.txt”' })).not.toBeChecked()
    await page.keyboard.press('Escape')
    await expect(marked(page)).toHaveCount(0)
    const first = await size('1.txt').boundingBox()
    const last = await size('3.txt').boundingBox()
    if (!first || !last) throw new Error('The rows are not on the screen.')
    await page.mouse.move(first.x + 5, first.y + 10)
    await page.mouse.down()
    await page.mouse.move(last.x - 100, last.y + 10, { steps: 5 })
    await page.mouse.up()
    await expect(marked(page)).toHaveCount(3)
  })

  test('the keyboard alone opens, marks, renames, deletes and takes back', async ({
    adminPage: page,
    admin,
  }) => {
    const folder = await makeFiles(admin, 'keys', { 'a.txt': 'A', 'b.txt': 'B', 'c.txt': 'C', 'inner/': '' })
    await page.goto('/mount-explorer/local/keys')
    await expect(row(page, 'a.txt')).toBeVisible()
    await grid(page).focus()
    await page.keyboard.press('Home')
    await page.keyboard.press('Enter')
    await expect(page.getByText('This folder is empty')).toBeVisible()
    await page.goBack()
    await grid(page).focus()
    await page.keyboard.press('End')
    await page.keyboard.press('Shift+ArrowUp')
    await expect(marked(page)).toHaveCount(2)
    await page.keyboard.press('ControlOrMeta+a')
    await expect(marked(page)).toHaveCount(4)
    await page.keyboard.press('Escape')
    await page.keyboard.press('End')
    await page.keyboard.press('F2')
    await page.keyboard.type('renamed')
    await page.keyboard.press('Enter')
    await expect(row(page, 'renamed.txt')).toBeVisible()
    await expect(grid(page)).toBeFocused()
    await page.keyboard.press('Delete')
    const dialog = page.getByRole('dialog')
    await expect(dialog).toContainText('renamed.txt')
    await dialog.getByRole('button', { name: 'Delete' }).press('Enter')
    await expect(row(page, 'renamed.txt')).toHaveCount(0)
    await page.getByRole('button', { name: 'Undo' }).press('Enter')
    await expect(row(page, 'renamed.txt')).toBeVisible()
    expect(await exists(admin, `${folder}/renamed.txt`)).toBe(true)
    await grid(page).focus()
    await page.keyboard.press('Home')
    await page.keyboard.press('Shift+F10')
    await expect(page.getByRole('menuitem', { name: 'Rename' })).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(grid(page)).toBeFocused()
  })

  test('what was deleted goes when the time for taking back is over', async ({ adminPage: page, admin }) => {
    const folder = await makeFiles(admin, 'gone', { 'a.txt': 'A', 'b.txt': 'B' })
    await page.goto('/mount-explorer/local/gone')
    await row(page, 'a.txt').click({ button: 'right' })
    await page.getByRole('menuitem', { name: 'Delete' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await expect(row(page, 'a.txt')).toHaveCount(0)
    expect(await exists(admin, `${folder}/a.txt`)).toBe(true)
    await expect.poll(() => exists(admin, `${folder}/a.txt`), { timeout: 12_000 }).toBe(false)
    await expect(row(page, 'b.txt')).toBeVisible()
    await expect(row(page, 'a.txt')).toHaveCount(0)
  })

  test('what was deleted goes when the page is left, too', async ({ adminPage: page, admin }) => {
    const folder = await makeFiles(admin, 'left', { 'a.txt': 'A', 'b.txt': 'B' })
    await page.goto('/mount-explorer/local/left')
    await row(page, 'a.txt').click({ button: 'right' })
    await page.getByRole('menuitem', { name: 'Delete' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await expect(row(page, 'a.txt')).toHaveCount(0)
    await page.close()
    await expect.poll(() => exists(admin, `${folder}/a.txt`), { timeout: 4000 }).toBe(false)
    expect(await exists(admin, `${folder}/b.txt`)).toBe(true)
  })

  test('a text is shown, edited and saved; a change meanwhile is not lost', async ({
    adminPage: page,
    admin,
  }) => {
    const folder = await makeFiles(admin, 'texts', { 'a.txt': 'first', 'b.txt': 'second' })
    await page.goto('/mount-explorer/local/texts')
    await page.getByRole('link', { name: 'a.txt' }).click()
    await expect(page).toHaveURL(/preview=a\.txt/)
    await expect(page.getByText('first')).toBeVisible()
    await page.keyboard.press('ArrowRight')
    await expect(page.getByText('second')).toBeVisible()
    await page.getByRole('button', { name: 'Edit' }).click()
    const editor = page.getByRole('textbox', { name: 'Edit “b.txt”' })
    await expect(page.locator('.cm-content')).toBeVisible()
    await editor.click()
    await page.keyboard.press('ControlOrMeta+a')
    await page.keyboard.type('mine')
    await page.keyboard.press('ControlOrMeta+s')
    await expect(page.getByText('Saved', { exact: true })).toBeVisible()
    expect(await readText(admin, `${folder}/b.txt`)).toBe('mine')

    await admin.call(fsFileRoutes.update, { body: { path: `${folder}/b.txt`, content: 'theirs' } })
    await editor.click()
    await page.keyboard.type('!')
    await page.keyboard.press('ControlOrMeta+s')
    await expect(page.getByRole('dialog', { name: 'Somebody else has changed this file' })).toBeVisible()
    await page.getByRole('button', { name: 'Keep both: save mine as a copy' }).click()
    await expect(page.getByText('Your changes are in “b(1).txt”')).toBeVisible()
    expect(await readText(admin, `${folder}/b(1).txt`)).toBe('mine!')
    expect(await readText(admin, `${folder}/b.txt`)).toBe('theirs')
    await expect(page.locator('.cm-content')).toHaveText('theirs')

    await editor.click()
    await page.keyboard.type('x')
    await page.goBack()
    await expect(page.getByRole('dialog', { name: 'Discard your changes?' })).toBeVisible()
    await page.getByRole('button', { name: 'Keep editing' }).click()
    await expect(page.getByText('Unsaved changes')).toBeVisible()
    await page.getByRole('button', { name: 'Cancel' }).click()
    await page.getByRole('button', { name: 'Discard' }).click()

    await page.getByRole('button', { name: 'Rename' }).click()
    await page.getByRole('textbox', { name: 'New name' }).fill('c.txt')
    await page.keyboard.press('Enter')
    await expect(page).toHaveURL(/preview=c\.txt/)
    await page.getByRole('button', { name: 'Delete' }).click()
    await page
      .getByRole('dialog', { name: 'Delete “c.txt”?' })
      .getByRole('button', { name: 'Delete' })
      .click()
    await expect(page).toHaveURL(/preview=b%281%29\.txt/)
  })
})

test('a folder of 50,000 files opens at once, and is drawn in part', async ({ adminPage: page, server }) => {
  test.setTimeout(120_000)
  const folder = path.join(server.dataDirectory, 'storage', 'local', 'crowd', 'many')
  await mkdir(folder, { recursive: true })
  for (let start = 0; start < 50_000; start += 500) {
    const numbers = Array.from({ length: 500 }, (_, index) => start + index)
    await Promise.all(
      numbers.map((number) =>
        writeFile(path.join(folder, `file-${String(number).padStart(5, '0')}.txt`), ''),
      ),
    )
  }
  await page.goto('/mount-explorer/local/crowd')
  // It came past the server, which remembers what it has listed.
  await page.getByRole('button', { name: 'Refresh' }).click()
  await page.getByRole('link', { name: 'many', exact: true }).click()
  await expect(row(page, 'file-00000.txt')).toBeVisible()
  await expect(grid(page)).toHaveAttribute('aria-rowcount', '50000', { timeout: 60_000 })
  await grid(page).focus()
  await page.keyboard.press('End')
  await expect(row(page, 'file-49999.txt')).toBeVisible()
  expect(await page.getByRole('row').count()).toBeLessThan(400)
  await page.keyboard.press('Shift+Home')
  await expect(page.getByText('50,000 selected')).toBeVisible()
  await page.keyboard.press('Escape')
  await page.keyboard.press('/')
  await page.keyboard.type('49998')
  await expect(grid(page)).toHaveAttribute('aria-rowcount', '1')
})

test('files and whole folders that are dropped are uploaded where they are dropped', async ({
  adminPage: page,
  admin,
}) => {
  const folder = await makeFiles(admin, 'drops', { 'inner/': '' })
  await page.goto('/mount-explorer/local/drops')
  await expect(row(page, 'inner')).toBeVisible()
  const dropOn = async (target: string, name: string) => {
    const data = await page.evaluateHandle((fileName) => {
      const transfer = new DataTransfer()
      transfer.items.add(new File(['dropped'], fileName, { type: 'text/plain' }))
      return transfer
    }, name)
    await page.locator(target).dispatchEvent('dragover', { dataTransfer: data })
    await expect(page.getByText('Drop to upload to')).toBeVisible()
    await page.locator(target).dispatchEvent('drop', { dataTransfer: data })
    await expect(page.getByText('Drop to upload to')).toHaveCount(0)
  }
  await dropOn('[role="grid"]', 'here.txt')
  await expect(row(page, 'here.txt')).toBeVisible()
  await dropOn('[data-drop-path$="/inner/"]', 'there.txt')
  await expect.poll(() => exists(admin, `${folder}/inner/there.txt`)).toBe(true)
  expect(await exists(admin, `${folder}/there.txt`)).toBe(false)
})
