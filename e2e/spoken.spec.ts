import { pasteRoutes } from '@dropleaf/contract'
import { expect, say, test } from './support/explorer.ts'
import { writeText } from './support/pages.ts'
import { wantLinkEach } from './support/uploading.ts'

/** Tests what screen readers announce, and where the focus goes. */

test('a notice is announced alone, without earlier ones', async ({ adminPage: page, words }) => {
  await page.goto('/admin/settings')
  const field = page.getByLabel(words.settings.uploads.maxSize)
  for (const size of ['101', '102']) {
    await field.fill(size)
    await field.press('Enter')
    await expect(page.getByRole('status').filter({ hasText: words.settings.saved })).toHaveAttribute(
      'aria-atomic',
      'false',
    )
  }
})

test('a taken suffix is announced once, at the focused field', async ({ adminPage: page, admin, words }) => {
  await admin.call(pasteRoutes.create, { body: { content: 'first', slug: 'spoken-taken' } })
  await page.goto('/')
  await writeText(page, 'second')
  const suffix = page.getByLabel(words.common.slug.label)
  const spoken = page.getByRole('main').getByRole('alert')
  await suffix.fill('spoken-taken')
  await page.getByRole('button', { name: words.home.submit }).press('Enter')
  await expect(suffix).toBeFocused()
  await expect(suffix).toHaveAccessibleDescription(words.errors.paste.slug_taken)
  await expect(spoken).toHaveCount(0)
  await suffix.press('Enter')
  await expect(spoken).toHaveText(words.errors.paste.slug_taken)
  await expect(suffix).toBeFocused()
})

test('a generated password is announced, and its button keeps the focus', async ({
  adminPage: page,
  words,
}) => {
  const { password } = words.common
  await page.goto('/')
  const generate = page.getByRole('button', { name: password.generate })
  await generate.press('Enter')
  await expect(page.getByText(password.generated)).toBeAttached()
  await expect(generate).toBeFocused()
  await expect(page.getByLabel(password.label, { exact: true })).not.toHaveValue('')
})

test('files are announced when they are chosen, and by name if their upload failed', async ({
  adminPage: page,
  place,
  words,
}) => {
  const { upload } = words.files
  await wantLinkEach(page)
  await page.goto('/upload')
  const field = page.getByLabel(upload.drop)
  await expect(field).toHaveAccessibleName(upload.drop)
  await expect(field).toHaveAccessibleDescription(/./)
  const files = ['one.txt', 'two.txt'].map((name) => ({
    name,
    mimeType: 'text/plain',
    buffer: Buffer.from(name),
  }))
  await field.setInputFiles(files)
  await expect(
    page.getByRole('status').filter({ hasText: say(upload.said.chosen_other, { count: 2 }) }),
  ).toBeAttached()
  await page.route('**/*', (route) => (route.request().method() === 'PUT' ? route.abort() : route.fallback()))
  await page.getByRole('button', { name: upload.start, exact: true }).press('Enter')
  for (const { name } of files)
    await expect(page.getByRole('alert').filter({ hasText: say(upload.said.failed, { name }) })).toBeVisible()

  await page.goto(place.address)
  await page.getByRole('button', { name: words.explorer.upload, exact: true }).first().click()
  await page.getByRole('dialog').locator('input[type=file]').first().setInputFiles(files)
  await expect(page.getByRole('dialog').getByRole('status').first()).toContainText(
    say(words.uploads.pickedCount_other, { count: 2, size: '14 B' }),
  )
})

test('the focus is not lost when a list becomes empty, or complete again', async ({
  adminPage: page,
  admin,
  words,
}) => {
  const remove = words.shares.actions.delete
  await admin.call(pasteRoutes.create, { body: { content: 'last', slug: 'spoken-last' } })
  await page.goto('/admin/text-management?q=spoken-last')
  await page.getByRole('checkbox', { name: words.table.selectPage }).press('Space')
  await page.getByRole('button', { name: remove, exact: true }).press('Enter')
  await page.getByRole('dialog').getByRole('button', { name: remove }).press('Enter')
  const clear = page.getByRole('button', { name: words.table.clearFilters })
  await expect(clear).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('searchbox')).toBeFocused()
  await expect(page).not.toHaveURL(/q=/)
})

test('a folder is announced as one, and so is the number of filtered names', async ({
  adminPage: page,
  explorer,
  place,
  words,
}) => {
  await place.put({ 'inner/': '', 'a.txt': 'alpha', 'b.txt': 'beta' })
  await explorer.open(place)
  await expect(explorer.row('inner')).toHaveAccessibleName(
    new RegExp(`^inner, ${words.explorer.kind.folder},`),
  )
  await expect(explorer.row('inner').getByRole('img', { name: words.explorer.kind.folder })).toBeVisible()
  await expect(explorer.row('a.txt').getByRole('img')).toHaveCount(0)
  await page.getByRole('textbox', { name: words.explorer.filter }).fill('.txt')
  const count = say(words.explorer.items_other, { count: 2 })
  await expect(page.getByRole('main').getByRole('status').filter({ hasText: count })).toBeAttached()
})

test('the next file of a preview is announced, and how to leave its editor', async ({
  adminPage: page,
  explorer,
  place,
  words,
}) => {
  const { preview, edit } = words.explorer
  await place.put({ 'a.txt': 'alpha', 'b.txt': 'beta' })
  await page.goto(`${place.address}?preview=a.txt`)
  await expect(page.getByText('alpha')).toBeVisible()
  const told = page.getByRole('status').filter({ hasText: 'b.txt' })
  await expect(told).toHaveCount(0)
  await page.getByRole('button', { name: preview.after }).press('Enter')
  await expect(told).toContainText(say(preview.position, { number: 2, count: 2 }))
  await page.getByRole('button', { name: edit.open, exact: true }).press('Enter')
  await expect(explorer.editor).toHaveAccessibleDescription(/Esc/)
  await expect(page.getByRole('region', { name: say(edit.label, { name: 'b.txt' }) })).toHaveCount(1)
})

test('a created and copied direct link is announced', async ({ explorer, place, words, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await place.put({ 'a.txt': 'alpha' })
  await explorer.open(place)
  await explorer.choose('a.txt', words.explorer.command.link)
  await explorer.dialog.getByRole('button', { name: words.explorer.link.submit }).press('Enter')
  await expect(explorer.dialog.getByRole('status').first()).toHaveText(words.explorer.link.made)
})

test('the result of a connection test is announced', async ({ adminPage: page, words }) => {
  const { testing } = words.storages
  await page.goto('/admin/storage-config')
  await page.getByRole('button', { name: say(words.storages.testOf, { name: 'Local disk' }) }).press('Enter')
  const told = page.getByRole('dialog').locator('[aria-live="polite"]:not(:empty)')
  await expect(told).toHaveText([testing.verdicts.works, testing.browserVerdicts.works])
})
