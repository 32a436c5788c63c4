import { bundleRoutes, type ManifestInput, pasteRoutes } from '@dropleaf/contract'
import type { Page } from '@playwright/test'
import { expectAccessible } from './support/accessible.ts'
import type { Api } from './support/api.ts'
import { openButton } from './support/opening.ts'
import { isWiderThanScreen } from './support/pages.ts'
import { expect } from './support/test.ts'
import { inOppositeWorlds, say, test, type Words } from './support/worlds.ts'

/** Tests bundles for their owner: the list of all shares, the editor, its versions, and the record of openings. */

interface Maker {
  readonly admin: Api
  readonly origin: string
  readonly token: string
}

async function put({ origin, token }: Maker, id: string, number: number, text: string) {
  const url = `${origin}/api/bundles/${id}/objects/${number}?filename=object-${number}.txt`
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/octet-stream' }
  const answer = await fetch(url, { method: 'PUT', headers, body: text })
  expect(answer.status).toBe(201)
}

/** Makes a bundle with a text and the given files. @returns its id */
async function makeBundle(
  maker: Maker,
  slug: string,
  { paths, more = {} }: { paths: readonly string[]; more?: Record<string, unknown> },
): Promise<string> {
  const { data } = await maker.admin.call(bundleRoutes.create, { body: { slug, ...more } })
  for (const [number, path] of paths.entries()) await put(maker, data.id, number, `first ${path}`)
  const items = paths.map((path, number) => ({ path, source: { object: number } }))
  await publish(maker.admin, data.id, 0, { title: `Title of ${slug}`, page: text('one two three'), items })
  return data.id
}

const text = (words: string) => ({ type: 'text/markdown' as const, text: words })

const publish = (admin: Api, id: string, revision: number, manifest: ManifestInput) =>
  admin.call(bundleRoutes.publish, { params: { id }, body: { manifest, expected_revision: revision } })

const detailOf = async (admin: Api, id: string) =>
  (await admin.call(bundleRoutes.detail, { params: { id } })).data

const row = (page: Page, name: string) => page.getByRole('row').filter({ hasText: name })
const items = (page: Page, words: Words) =>
  page.getByRole('list', { name: words.bundleEditing.items.title }).getByRole('listitem')
const titleField = (page: Page, words: Words) =>
  page.getByRole('textbox', { name: words.bundleEditing.name, exact: true })
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const dialog = (page: Page) => page.getByRole('dialog')

async function typeText(page: Page, words: Words, typed: string) {
  const editor = page.getByRole('textbox', { name: words.home.editor }).and(page.locator('.cm-content'))
  await editor.click()
  await page.keyboard.press('ControlOrMeta+A')
  await page.keyboard.insertText(typed)
}

inOppositeWorlds(() => {
  test('all kinds of shares are in one list, which filters, edits and deletes them', async ({
    adminPage: page,
    admin,
    adminToken: token,
    baseURL,
    words,
    world,
    press,
  }) => {
    const id = `own-list-${world.device}`
    const maker = { admin, origin: baseURL ?? '', token }
    await admin.call(pasteRoutes.create, { body: { content: 'a text', slug: `${id}-text`, remark: id } })
    await makeBundle(maker, `${id}-bundle`, { paths: ['a.txt'] })
    await page.goto(`/admin/shares?q=${id}`)
    await expect(row(page, `${id}-text`)).toBeVisible()
    await expect(row(page, `${id}-bundle`)).toBeVisible()
    expect(await isWiderThanScreen(page)).toBe(false)
    await expectAccessible(page, 'all shares')

    await page.goto(`/admin/shares?q=${id}&kind=bundle`)
    await expect(row(page, `${id}-bundle`)).toBeVisible()
    await expect(row(page, `${id}-text`)).toHaveCount(0)
    await press(button(page, say(words.shares.actions.edit, { name: `Title of ${id}-bundle` })))
    await expect(page).toHaveURL(/\/admin\/shares\/bundle\/[\w-]+$/)
    await expect(titleField(page, words)).toHaveValue(`Title of ${id}-bundle`)
    await press(button(page, words.bundleEditing.back))

    await page.goto(`/admin/shares?q=${id}`)
    await press(button(page, say(words.shares.actions.edit, { name: id })))
    await expect(page.getByRole('heading', { name: words.paste.editing.title })).toBeVisible()
    await press(button(page, words.common.cancel))

    for (const name of [id, `Title of ${id}-bundle`])
      await page.getByRole('checkbox', { name: say(words.table.selectRow, { name }) }).check()
    await press(button(page, words.shares.actions.delete))
    await expect(dialog(page)).toContainText(say(words.allShares.deleteMany, { count: '2' }))
    await press(dialog(page).getByRole('button', { name: words.shares.actions.delete }))
    await expect(page.getByText(words.table.noMatch)).toBeVisible()
    await expect(detailOf(admin, `${id}-bundle`)).rejects.toThrow('404')
  })

  test('a bundle is edited in place: text, order, paths, new and replaced files', async ({
    adminPage: page,
    admin,
    adminToken: token,
    baseURL,
    words,
    world,
    press,
  }) => {
    const maker = { admin, origin: baseURL ?? '', token }
    const slug = `own-edit-${world.device}`
    const id = await makeBundle(maker, slug, { paths: ['a.txt', 'b.txt', 'c.txt'] })
    const { items: said } = words.bundleEditing
    await page.goto(`/admin/shares/bundle/${id}`)
    await expect(items(page, words)).toHaveCount(3)
    await expectAccessible(page, 'editor of a bundle')
    await typeText(page, words, 'one 2 three')

    // Moves the file with the keyboard. The button keeps the focus while its row moves.
    const down = button(page, say(said.down, { name: 'a.txt' }))
    await down.focus()
    await page.keyboard.press('Enter')
    await expect(down).toBeFocused()
    await page.keyboard.press('Enter')
    await expect(items(page, words).nth(2)).toContainText('a.txt')

    const act = async (name: string, action: string) => {
      await press(button(page, say(said.more, { name })))
      await press(page.getByRole('menuitem', { name: action, exact: true }))
    }
    await act('b.txt', said.rename)
    const path = page.getByLabel(words.bundleEditing.path.label)
    await path.fill('c.txt')
    await expect(page.getByText(words.bundleEditing.path.duplicate)).toBeVisible()
    await path.fill('papers/b.txt')
    await press(button(page, words.bundleEditing.path.submit))

    let choosing = page.waitForEvent('filechooser')
    await act('c.txt', said.replace)
    await (
      await choosing
    ).setFiles({ name: 'other.txt', mimeType: 'text/plain', buffer: Buffer.from('new c') })
    choosing = page.waitForEvent('filechooser')
    await press(button(page, said.add))
    const added = { name: 'a.txt', mimeType: 'text/plain', buffer: Buffer.from('another a') }
    await (await choosing).setFiles([added])
    await expect(items(page, words)).toHaveText([/papers\/b\.txt/, /c\.txt/, /a\.txt/, /a \(2\)\.txt/])
    expect(await isWiderThanScreen(page)).toBe(false)

    await press(button(page, words.bundleEditing.publish))
    await expect(page.getByText(words.bundleEditing.published, { exact: true })).toBeVisible()
    const { revision, manifest } = await detailOf(admin, id)
    expect(revision).toBe(2)
    expect(manifest?.page?.text).toBe('one 2 three')
    expect(manifest?.items.map((item) => [item.path, 'size' in item && item.size])).toEqual([
      ['papers/b.txt', 11],
      ['c.txt', 5],
      ['a.txt', 11],
      ['a (2).txt', 9],
    ])

    // Unpublished changes are discarded only after a confirmation.
    await titleField(page, words).fill('Unpublished')
    await press(button(page, words.bundleEditing.back))
    await expect(dialog(page)).toContainText(words.bundleEditing.leaveText)
    await press(button(page, words.common.unsaved.stay))
    await expect(titleField(page, words)).toHaveValue('Unpublished')
    await press(button(page, words.bundleEditing.back))
    await press(button(page, words.common.unsaved.leave))
    await expect(page).toHaveURL(/\/admin\/shares$/)
  })

  test('whoever publishes second sees the difference and decides; nothing typed is lost', async ({
    adminPage: page,
    admin,
    adminToken: token,
    baseURL,
    words,
    world,
    press,
  }) => {
    const maker = { admin, origin: baseURL ?? '', token }
    const id = await makeBundle(maker, `own-race-${world.device}`, { paths: ['a.txt'] })
    await page.goto(`/admin/shares/bundle/${id}`)
    await typeText(page, words, 'mine')
    const theirs = { title: 'Theirs', page: text('theirs'), items: [] }
    await publish(admin, id, 1, theirs)
    const { changed } = words.bundleEditing
    await press(button(page, words.bundleEditing.publish))
    await expect(dialog(page)).toContainText(changed.title)
    await expect(dialog(page)).toContainText('a.txt')
    await expectAccessible(page, 'another publication')
    await press(button(page, changed.goOn))
    await expect(page.locator('.cm-content')).toHaveText('mine')
    expect((await detailOf(admin, id)).title).toBe('Theirs')

    await press(button(page, words.bundleEditing.publish))
    await press(button(page, changed.takeMine))
    await expect(page.getByText(words.bundleEditing.published, { exact: true })).toBeVisible()
    expect((await detailOf(admin, id)).manifest).toMatchObject({
      page: { text: 'mine' },
      items: [{ path: 'a.txt' }],
    })

    await publish(admin, id, 3, theirs)
    await titleField(page, words).fill('Mine again')
    await press(button(page, words.bundleEditing.publish))
    await press(button(page, changed.takeTheirs))
    await expect(titleField(page, words)).toHaveValue('Theirs')
  })

  test('versions are compared word by word and file by file, and an earlier one is restored', async ({
    adminPage: page,
    admin,
    adminToken: token,
    baseURL,
    words,
    world,
    press,
  }) => {
    const maker = { admin, origin: baseURL ?? '', token }
    const id = await makeBundle(maker, `own-past-${world.device}`, { paths: ['a.txt', 'b.txt'] })
    await put(maker, id, 5, 'second a')
    await publish(admin, id, 1, {
      title: 'Second',
      page: text('one four three'),
      items: [
        { path: 'a.txt', source: { object: 5 } },
        { path: 'c.txt', source: { object: 0 } },
      ],
    })
    const { history, changes } = words.bundleEditing
    await page.goto(`/admin/shares/bundle/${id}`)
    await press(button(page, words.bundleEditing.versions))
    const shown = dialog(page).getByRole('region', { name: say(history.number, { number: '2' }) })
    await expect(
      shown.getByRole('region', { name: say(changes.replaced_one, { count: '1' }) }),
    ).toContainText('a.txt')
    await expect(shown.getByRole('region', { name: say(changes.removed_one, { count: '1' }) })).toContainText(
      'b.txt',
    )
    await expect(shown.getByRole('region', { name: say(changes.added_one, { count: '1' }) })).toContainText(
      'c.txt',
    )
    await expect(shown.locator('mark')).toHaveText(['two', 'four'])
    await expectAccessible(page, 'versions of a bundle')
    await press(dialog(page).getByRole('button', { name: say(history.number, { number: '1' }) }))
    await expect(dialog(page)).toContainText(history.oldest)
    await press(button(page, history.restore))
    await press(dialog(page).last().getByRole('button', { name: history.restore, exact: true }))
    await expect(page.getByText(say(history.restored, { number: '1' }))).toBeVisible()
    await expect(items(page, words)).toHaveText([/a\.txt/, /b\.txt/])
    expect(await detailOf(admin, id)).toMatchObject({
      revision: 3,
      title: `Title of own-past-${world.device}`,
    })
  })

  test('the settings change the link and the limits, and a used-up bundle is armed again', async ({
    adminPage: page,
    admin,
    adminToken: token,
    baseURL,
    words,
    world,
    press,
  }) => {
    const maker = { admin, origin: baseURL ?? '', token }
    const slug = `own-set-${world.device}`
    const id = await makeBundle(maker, slug, { paths: ['a.txt'], more: { opening: 'ask', max_views: 1 } })
    await page.goto(`/s/${slug}`)
    await openButton(page, words.opening.open).press('Enter')
    await button(page, words.opening.confirm).press('Enter')
    await expect(page.getByRole('heading', { level: 1, name: `Title of ${slug}` })).toBeVisible()
    await page.goto(`/admin/shares/bundle/${id}`)
    await expect(page.getByText(words.bundleEditing.usedUp)).toBeVisible()
    await expect(page.getByText(say(words.shares.opening.openedOn, { date: '' }).trim())).toBeVisible()
    await press(button(page, words.shares.opening.arm))
    await expect(page.getByText(words.shares.opening.armed)).toBeVisible()
    await expect(page.getByText(words.bundleEditing.usedUp)).toHaveCount(0)
    expect(await detailOf(admin, id)).toMatchObject({ views: 0 })

    await titleField(page, words).fill('Typed before')
    await press(button(page, words.bundleEditing.settings))
    await page.getByLabel(words.common.slug.label).fill(`${slug}-new`)
    await page.getByLabel(words.bundleEditing.options.note, { exact: true }).fill('for me')
    await press(button(page, words.common.save))
    await expect(page.getByText(words.bundleEditing.options.saved, { exact: true })).toBeVisible()
    await expect(page.getByRole('link', { name: `/s/${slug}-new` })).toBeVisible()
    await expect(titleField(page, words)).toHaveValue('Typed before')
    expect(await detailOf(admin, id)).toMatchObject({ slug: `${slug}-new`, remark: 'for me', max_views: 1 })
  })

  test('a bundle that is not there, and a server that fails, are said in the place of the editor', async ({
    adminPage: page,
    words,
    press,
  }) => {
    await page.goto('/admin/shares/bundle/nothing-here')
    await expect(page.getByText(words.errors.bundle.not_found)).toBeVisible()
    await press(button(page, words.bundleEditing.back))
    await expect(page).toHaveURL(/\/admin\/shares$/)
    await page.route('**/api/shares?*', (route) => route.abort())
    await page.reload()
    await expect(button(page, words.common.retry)).toBeVisible()
    await page.unroute('**/api/shares?*')
    await press(button(page, words.common.retry))
    await expect(button(page, words.common.retry)).toHaveCount(0)
  })
})
