import { fsTransferRoutes } from '@dropleaf/contract'
import { expect, inOppositeWorlds, test } from './support/explorer.ts'

/**
 * Tests concurrent changes by other users, and input before a response has arrived. Also tests that a menu fits on the
 * screen.
 */

inOppositeWorlds(() => {
  test('a folder deleted by another user is reported as missing, not empty', async ({
    adminPage: page,
    admin,
    explorer,
    place,
    words,
  }) => {
    await place.put({ 'gone/': '', 'gone/a.txt': 'a' })
    await explorer.open(place, '/gone')
    await expect(explorer.link('a.txt')).toBeVisible()
    await admin.call(fsTransferRoutes.batchRemove, { body: { paths: [`${place.path}/gone/`] } })
    await explorer.refresh()
    await expect(page.getByText(words.explorer.failed.goneTitle)).toBeVisible()
    await expect(explorer.link('a.txt')).toHaveCount(0)
    await expect(explorer.button(words.explorer.upload)).toHaveCount(0)
  })

  test('a file deleted elsewhere disappears from the list after a message', async ({
    admin,
    explorer,
    place,
    words,
    press,
  }) => {
    await place.put({ 'a.txt': 'a', 'b.txt': 'b', 'c.txt': 'c' })
    await explorer.open(place)
    await expect(explorer.link('c.txt')).toBeVisible()
    const paths = [`${place.path}/a.txt`, `${place.path}/b.txt`]
    await admin.call(fsTransferRoutes.batchRemove, { body: { paths } })
    await press(explorer.link('a.txt'))
    await press(explorer.button(words.explorer.preview.backToFolder))
    await expect(explorer.names).toHaveText(['c.txt'])
  })

  test('the menu of an entry fits on the screen, wherever it is opened', async ({
    explorer,
    place,
    words,
  }) => {
    const names = Array.from({ length: 12 }, (_, index) => `entry-${String(index).padStart(2, '0')}.txt`)
    await place.put(Object.fromEntries(names.map((name) => [name, name])))
    await explorer.open(place)
    const half = names[5] ?? ''
    await explorer.openMenu(half)
    await expect(explorer.item(words.explorer.command.open)).toBeInViewport({ ratio: 1 })
    await expect(explorer.item(words.explorer.command.delete)).toBeInViewport({ ratio: 1 })
  })

  test('Enter in search opens the result of the typed text, not an earlier one', async ({
    adminPage: page,
    explorer,
    place,
    words,
    press,
  }) => {
    const [before, wanted] = [`${place.name}-a-later.txt`, `${place.name}-a-first.txt`]
    await place.put({ [wanted]: 'wanted' })
    await place.put({ [before]: 'before' })
    await explorer.open(place)
    await press(explorer.button(words.search.open))
    const field = explorer.dialog.getByRole('combobox')
    await field.fill(`${place.name}-a-later`)
    await expect(explorer.dialog.getByRole('option')).toHaveCount(1)
    await field.fill(wanted)
    await field.press('Enter')
    await expect(page).toHaveURL(new RegExp(`preview=${wanted}$`))
  })
})
