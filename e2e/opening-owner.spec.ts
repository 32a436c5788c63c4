import { fsShareRoutes, pasteRoutes } from '@dropleaf/contract'
import type { Locator, Page } from '@playwright/test'
import { expectAccessible } from './support/accessible.ts'
import { openButton, ownerSees, shareAsking } from './support/opening.ts'
import { expect, inOppositeWorlds, say, test, type Words } from './support/worlds.ts'

const PERSON =
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36'
const AGENT_NAME = 'Slackbot-LinkExpanding'
const AGENT = `${AGENT_NAME} 1.0 (+https://api.slack.com/robots)`

/** Returns the row of a share in the table of texts. */
async function rowOf(page: Page, slug: string) {
  await page.goto(`/admin/text-management?q=${slug}`)
  const row = page.getByRole('row').filter({ hasText: slug })
  const card = page.getByRole('listitem').filter({ hasText: slug })
  return row.or(card).first()
}

const menuOf = (page: Page, { shares }: Words, name: string) =>
  page.getByRole('button', { name: say(shares.actions.of, { name }) })

inOppositeWorlds(({ device }) => {
  test('a text to burn asks before it opens; a view limit alone does too', async ({
    adminPage: page,
    admin,
    words,
  }) => {
    const { common, home } = words
    const opening = page.getByLabel(common.opening.label)
    const limit = page.getByLabel(common.maxViews.label)
    const slug = `burnt-${device}`
    await page.goto('/')
    await page.getByRole('textbox', { name: home.editor }).click()
    await page.keyboard.insertText('burn this')
    await expect(opening).toHaveValue('direct')
    await limit.fill('3')
    await expect(opening).toHaveValue('ask')
    await opening.selectOption(common.opening.burn)
    await expect(limit).toHaveValue('1')
    await expect(limit).toBeDisabled()
    await page.getByLabel(common.slug.label).fill(slug)
    await page.getByLabel(common.pin.label, { exact: true }).fill('12')
    await expect(page.getByText(common.pin.invalid)).toBeVisible()
    await page.getByLabel(common.pin.label, { exact: true }).fill('2468')
    await expectAccessible(page, 'the options to burn a text', { isOnPhoneToo: true })
    await page.getByRole('button', { name: home.submit }).click()
    const result = page.getByRole('region', { name: home.result.title })
    await expect(result.getByRole('link').first()).toHaveAttribute('href', new RegExp(slug))
    await expect(result.getByText(home.result.rawLink)).toHaveCount(0)
    const { data } = await admin.call(pasteRoutes.adminRead, { params: { id: slug } })
    expect(data).toMatchObject({ max_views: 1, opening: 'ask', has_pin: true })
  })

  test('its owner sees who looked and when it was opened, and arms it again', async ({
    adminPage: page,
    baseURL,
    admin,
    place,
    words,
  }) => {
    const { shares, common } = words
    const share = await shareAsking({ admin, place }, 'paste')
    const origin = baseURL ?? ''
    await fetch(`${origin}/api/paste/${share.slug}`, { headers: { 'user-agent': AGENT } })
    // Sends the user agent of a normal browser, because openings by a headless browser are recorded with the name of
    // that browser.
    await page.setExtraHTTPHeaders({ 'user-agent': PERSON })
    await page.goto(`/paste/${share.slug}`)
    await openButton(page, words.opening.open).press('Enter')
    await page.getByRole('button', { name: words.opening.confirm }).press('Enter')
    await expect(page.getByRole('article')).toBeVisible()
    await expect(page.getByRole('article')).toHaveCount(1)
    expect(await ownerSees(admin, share)).toMatchObject({ views: 1 })

    const row = await rowOf(page, share.slug)
    await expect(row).toContainText(shares.opening.opened)
    await page.getByRole('button', { name: say(shares.actions.preview, { name: share.slug }) }).click()
    const dialog = page.getByRole('dialog')
    await expect(dialog).toContainText(shares.opening.ask)
    await expect(dialog).toContainText(say(shares.opening.openedOn, { date: '' }).trim())
    await expect(dialog).toContainText(AGENT_NAME)
    await expectAccessible(page, 'the facts of a text that asks')
    await page.keyboard.press('Escape')
    await menuOf(page, words, share.slug).click()
    await expect(page.getByRole('menuitem', { name: shares.actions.copyRaw })).toHaveCount(0)
    await page.getByRole('menuitem', { name: shares.opening.arm }).click()
    await expect(page.getByText(shares.opening.armed)).toBeVisible()
    expect(await ownerSees(admin, share)).toMatchObject({ views: 0 })
    await page.getByRole('button', { name: say(shares.actions.edit, { name: share.slug }) }).click()
    await page.getByLabel(common.opening.label).selectOption(common.opening.direct)
    await page.getByRole('button', { name: common.save, exact: true }).click()
    await expect.poll(async () => (await ownerSees(admin, share)).opening).toBe('direct')
  })

  test('a text and a file that opened directly are edited to burn after reading', async ({
    adminPage: page,
    admin,
    place,
    words,
    press,
  }) => {
    const { common, shares } = words
    const slug = `later-burnt-${device}`
    const { id } = await admin.call(pasteRoutes.create, { body: { content: 'burn later', slug } })
    const name = `later-${device}.txt`
    await place.put({ [name]: 'burn later' })
    await admin.call(fsShareRoutes.share, { body: { path: `${place.path}/${name}`, slug } })
    const burn = async (form: Locator) => {
      const opening = form.getByLabel(common.opening.label)
      const limit = form.getByLabel(common.maxViews.label)
      await expect(opening).toHaveValue('direct')
      await opening.selectOption(common.opening.burn)
      await expect(limit).toHaveValue('1')
      await expect(form.getByText(common.opening.burnHint)).toBeVisible()
      await limit.fill('2')
      await expect(opening).toHaveValue('ask')
      await opening.selectOption(common.opening.burn)
      await form.getByRole('button', { name: common.save, exact: true }).click()
    }
    await rowOf(page, slug)
    await press(page.getByRole('button', { name: say(shares.actions.edit, { name: slug }) }))
    await burn(page.locator('body'))
    const burnt = { max_views: 1, views: 0, opening: 'ask' }
    await expect.poll(() => ownerSees(admin, { kind: 'paste', id, slug })).toMatchObject(burnt)
    await page.goto(`/file/${slug}`)
    await press(page.getByRole('button', { name: words.files.view.edit, exact: true }))
    await burn(page.getByRole('dialog'))
    await expect.poll(() => ownerSees(admin, { kind: 'file', id: '', slug })).toMatchObject(burnt)
  })

  test('all limited texts are told to ask at once', async ({ adminPage: page, admin, words }) => {
    const { shares, common } = words
    const slug = `limited-${device}`
    await admin.call(pasteRoutes.create, { body: { content: 'limited', slug, maxViews: 2 } })
    await rowOf(page, slug)
    await page.getByRole('button', { name: shares.opening.limited }).click()
    await page.getByRole('dialog').getByRole('button', { name: common.opening.ask }).click()
    await expect(page.getByRole('button', { name: shares.opening.limited })).toHaveCount(0)
    const { data } = await admin.call(pasteRoutes.adminRead, { params: { id: slug } })
    expect(data).toMatchObject({ max_views: 2, opening: 'ask' })
  })
})
