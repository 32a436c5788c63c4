import { apiKeyRoutes } from '@dropleaf/contract'
import type { Page } from '@playwright/test'
import type { Api } from './support/api.ts'
import { Explorer } from './support/explorer.ts'
import type { Place } from './support/place.ts'
import { expect, inOppositeWorlds, say, test, type Words } from './support/worlds.ts'

/** Tests what the explorer shows and offers to users with different API keys, and to visitors. */

interface Holder {
  readonly page: Page
  readonly admin: Api
  readonly words: Words
  readonly press: (target: ReturnType<Page['locator']>) => Promise<void>
}

/** Creates an API key and logs in with it. */
async function logIn(
  { page, admin, words, press }: Holder,
  place: Place,
  rights: { mayRead: boolean; mayWrite: boolean },
) {
  const { data } = await admin.call(apiKeyRoutes.create, {
    body: {
      name: `Holder ${place.name}`,
      expires_at: 'never',
      text_permission: true,
      file_permission: false,
      mount_permission: rights.mayRead,
      mount_read_only: !rights.mayWrite,
      basic_path: place.path,
    },
  })
  await page.goto('/admin')
  await press(page.getByText(words.auth.keyMode, { exact: true }))
  await page.getByRole('textbox', { name: words.auth.apiKey }).fill(data.key)
  await press(page.getByRole('main').getByRole('button', { name: words.auth.submit }))
  await expect.poll(() => page.evaluate(() => localStorage.getItem('api_key'))).toBe(data.key)
}

inOppositeWorlds((world) => {
  test('the base path of a key is its root, and other paths are refused with a way back', async ({
    page,
    admin,
    place,
    words,
    press,
  }) => {
    await place.put({ 'a.txt': 'A', 'inner/': '', 'inner/b.txt': 'B' })
    await logIn({ page, admin, words, press }, place, { mayRead: true, mayWrite: true })
    const explorer = new Explorer({ page, words, world, press })
    await page.goto('/mount-explorer')
    await expect(page).toHaveURL(new RegExp(`${place.address}$`))
    await expect(explorer.names).toHaveText(['inner', 'a.txt'])
    const path = page.getByRole('navigation', { name: words.explorer.path })
    await expect(path.getByRole('link')).toHaveText([place.name])
    await press(explorer.link('inner'))
    await expect(path.getByRole('link')).toHaveText([place.name, 'inner'])
    await page.keyboard.press('Backspace')
    await page.goto(place.address.slice(0, place.address.lastIndexOf('/')))
    await expect(page.getByText(say(words.explorer.locked.outside, { path: `${place.path}/` }))).toBeVisible()
    await press(explorer.button(words.explorer.locked.openBase))
    await expect(explorer.names).toHaveText(['inner', 'a.txt'])
    await explorer.makeFolder('made')
    await expect(explorer.link('made')).toBeVisible()
  })

  test('a read-only key is offered no actions that write', async ({ page, admin, place, words, press }) => {
    await place.put({ 'a.txt': 'A', 'inner/': '' })
    await logIn({ page, admin, words, press }, place, { mayRead: true, mayWrite: false })
    const explorer = new Explorer({ page, words, world, press })
    await explorer.open(place)
    await expect(explorer.names).toHaveText(['inner', 'a.txt'])
    await expect(explorer.tool(words.explorer.upload)).toHaveCount(0)
    await expect(explorer.tool(words.explorer.newFolder.open)).toHaveCount(0)
    await expect(page.getByText(words.explorer.readOnly)).toBeVisible()
    await explorer.openMenu('a.txt')
    const { command } = words.explorer
    for (const offered of [command.download, command.link, command.properties])
      await expect(explorer.item(offered)).toBeVisible()
    for (const absent of [command.rename, command.move, command.copy, command.delete])
      await expect(explorer.item(absent)).toHaveCount(0)
    await page.keyboard.press('Escape')
    await page.keyboard.press('F2')
    await page.keyboard.press('Delete')
    await expect(explorer.dialog).toHaveCount(0)
    await press(explorer.link('a.txt'))
    await expect(page.getByText('A', { exact: true })).toBeVisible()
    await expect(explorer.button(words.explorer.edit.open)).toHaveCount(0)
    await expect(explorer.button(command.delete)).toHaveCount(0)
    await page.goto(`${place.address}/inner`)
    await expect(page.getByText(words.explorer.empty.title)).toBeVisible()
    await expect(page.getByText(words.explorer.empty.text)).toHaveCount(0)
  })

  test('a key without mounts and a visitor get the reason and a next step', async ({
    page,
    admin,
    place,
    words,
    press,
  }) => {
    await page.goto(`${place.address}?preview=plan.txt`)
    await expect(page.getByText(words.explorer.locked.visitor)).toBeVisible()
    await press(page.getByRole('main').getByRole('link', { name: words.common.logIn }))
    // A visitor who has followed a link to a file sees that file after logging in.
    await expect
      .poll(() => new URL(page.url()).searchParams.get('from'))
      .toBe(`${place.address}?preview=plan.txt`)
    await logIn({ page, admin, words, press }, place, { mayRead: false, mayWrite: false })
    await page.goto(place.address)
    await expect(page.getByText(words.explorer.locked.key)).toBeVisible()
    await expect(page.getByRole('link', { name: words.explorer.locked.switch })).toBeVisible()
    await expect(page.getByRole('grid')).toHaveCount(0)
  })
})
