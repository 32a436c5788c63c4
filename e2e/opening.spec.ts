import { type OpeningKind, pasteRoutes } from '@dropleaf/contract'
import type { Browser, Locator, Page } from '@playwright/test'
import { expectAccessible } from './support/accessible.ts'
import {
  type AskingShare,
  holdByMouse,
  holdByTouch,
  openButton,
  ownerSees,
  pageOf,
  SECRET,
  SECRET_NAME,
  shareAsking,
  viewsOf,
} from './support/opening.ts'
import { isWiderThanScreen } from './support/pages.ts'
import { expect, inOppositeWorlds, test, type Words } from './support/worlds.ts'

const PASSWORD = 'open sesame'
const PIN = '13579'
const KINDS = ['paste', 'file'] as const satisfies readonly OpeningKind[]

interface Reader {
  readonly page: Page
  readonly button: Locator
  readonly contents: Locator
}

const readerOn = (page: Page, { kind }: AskingShare, words: Words): Reader => ({
  page,
  button: openButton(page, words.opening.open),
  contents:
    kind === 'paste'
      ? page.getByRole('article').getByText(SECRET)
      : page.getByRole('heading', { name: SECRET_NAME }),
})

const titleOf = ({ kind }: AskingShare, { opening }: Words) =>
  `${kind === 'paste' ? opening.text : opening.file} ${opening.once}`

/** Simulates another person with a separate browser. */
async function elsewhere(browser: Browser, baseURL: string, locale: string): Promise<Page> {
  const context = await browser.newContext({ baseURL, locale })
  return context.newPage()
}

inOppositeWorlds(({ device, language }) => {
  const hold = device === 'phone' ? holdByTouch : holdByMouse

  for (const kind of KINDS) {
    test(`the page of a ${kind} shows nothing of it before it is opened`, async ({
      page,
      admin,
      place,
      words,
    }) => {
      const share = await shareAsking({ admin, place }, kind)
      const answers: string[] = []
      page.on('response', async (response) => {
        if (response.url().includes('/api/')) answers.push(await response.text().catch(() => ''))
      })
      await page.goto(pageOf(share))
      const { button, contents } = readerOn(page, share, words)
      await expect(page.getByRole('heading', { name: titleOf(share, words) })).toBeVisible()
      await expect(button).toBeInViewport({ ratio: 1 })
      await expect(contents).toHaveCount(0)
      await expect(page).toHaveTitle('Dropleaf')
      await expect(page.locator('meta[name="robots"]')).toHaveAttribute(
        'content',
        'noindex, noarchive, nosnippet',
      )
      expect(answers.join()).not.toContain(SECRET)
      expect(answers.join()).not.toContain(SECRET_NAME)
      expect(await isWiderThanScreen(page)).toBe(false)
      await expectAccessible(page, `the opening page of a ${kind}`, { isOnPhoneToo: true })
      expect(await viewsOf(admin, share)).toBe(0)
    })

    test(`a ${kind} opens by holding, comes back for its device, and is refused to another`, async ({
      page,
      browser,
      baseURL,
      admin,
      place,
      words,
    }) => {
      const share = await shareAsking({ admin, place }, kind)
      await page.goto(pageOf(share))
      const { button, contents } = readerOn(page, share, words)
      await hold(page, button)
      await expect(contents).toBeVisible()
      expect(await viewsOf(admin, share)).toBe(1)

      await page.reload()
      await expect(contents).toBeVisible()
      await page.goto('/')
      await page.goBack()
      await expect(contents).toBeVisible()
      const tab = await page.context().newPage()
      await tab.goto(pageOf(share))
      await expect(readerOn(tab, share, words).contents).toBeVisible()
      expect(await viewsOf(admin, share)).toBe(1)

      const other = await elsewhere(browser, baseURL ?? '', language)
      await other.goto(pageOf(share))
      const ended = kind === 'paste' ? words.opening.endedText : words.opening.endedFile
      await expect(other.getByRole('heading', { name: ended })).toBeVisible()
      await expect(readerOn(other, share, words).contents).toHaveCount(0)
      await expectAccessible(other, `a ${kind} that was opened elsewhere`)
      await other.context().close()
      expect(await ownerSees(admin, share)).toMatchObject({
        views: 1,
        opening_note: { opened_at: expect.any(String) },
      })
    })
  }

  test('one key opens it: it activates the button, and then the one that confirms', async ({
    page,
    admin,
    place,
    words,
  }) => {
    const share = await shareAsking({ admin, place }, 'paste')
    await page.goto(pageOf(share))
    const { button, contents } = readerOn(page, share, words)
    await expect(button).toBeFocused()
    await page.keyboard.press('Enter')
    const confirm = page.getByRole('button', { name: words.opening.confirm })
    await expect(confirm).toBeFocused()
    await expectAccessible(page, 'the opening page that asks to confirm')
    await page.keyboard.press('Enter')
    await expect(contents).toBeVisible()
    expect(await viewsOf(admin, share)).toBe(1)
  })

  test('a click, an early release and a script open nothing', async ({
    page,
    admin,
    place,
    words,
    press,
  }) => {
    const share = await shareAsking({ admin, place }, 'paste')
    await page.goto(pageOf(share))
    const { button, contents } = readerOn(page, share, words)
    await press(button)
    await expect(page.getByText(words.opening.tooShort)).toBeVisible()
    await button.evaluate((element: HTMLElement) => element.click())
    await expect(button).toHaveAttribute('data-stage', 'idle')
    await page.getByRole('button', { name: words.opening.notNow }).click()
    await expect(page.getByRole('heading', { name: words.opening.left })).toBeVisible()
    await page.getByRole('button', { name: words.opening.back }).click()
    await expect(contents).toHaveCount(0)
    expect(await viewsOf(admin, share)).toBe(0)
    await hold(page, button)
    await expect(contents).toBeVisible()
  })

  for (const kind of KINDS) {
    test(`the password and the PIN of a ${kind} are asked for before the gesture`, async ({
      page,
      admin,
      place,
      words,
    }) => {
      const share = await shareAsking({ admin, place }, kind, { password: PASSWORD, pin: PIN })
      await page.goto(pageOf(share))
      const { button, contents } = readerOn(page, share, words)
      const password = page.getByLabel(words.paste.locked.password, { exact: true })
      const pin = page.getByLabel(words.opening.pin, { exact: true })
      await expect(password).toBeFocused()
      await button.press('Enter')
      await expect(page.getByText(words.errors.paste.password_missing)).toBeVisible()
      await password.fill('wrong')
      await pin.fill('0000')
      await hold(page, button)
      await expect(page.getByText(words.errors[kind].password_wrong)).toBeVisible()
      await password.fill(PASSWORD)
      await hold(page, button)
      await expect(page.getByText(words.errors.share.pin_wrong)).toBeVisible()
      await expectAccessible(page, `the opening page of a protected ${kind}`, { isOnPhoneToo: true })
      await pin.fill(PIN)
      await hold(page, button)
      await expect(contents).toBeVisible()
      expect(await ownerSees(admin, share)).toMatchObject({ views: 1, opening_note: { wrong_pins: 1 } })
    })
  }

  test('a password that is added while the page is open is asked for', async ({
    page,
    admin,
    place,
    words,
  }) => {
    const share = await shareAsking({ admin, place }, 'paste')
    await page.goto(pageOf(share))
    const { button, contents } = readerOn(page, share, words)
    await expect(button).toBeVisible()
    const body = { content: SECRET, password: PASSWORD, pin: PIN, maxViews: 1 }
    await admin.call(pasteRoutes.adminUpdate, { params: { id: share.id }, body })
    await hold(page, button)
    await expect(page.getByRole('alert').filter({ hasText: words.opening.needsChanged })).toBeVisible()
    const password = page.getByLabel(words.paste.locked.password, { exact: true })
    await expect(password).toBeFocused()
    await password.fill(PASSWORD)
    const pin = page.getByLabel(words.opening.pin, { exact: true })
    await pin.fill('13')
    await hold(page, button)
    await expect(page.getByText(words.common.pin.invalid)).toBeVisible()
    expect(await ownerSees(admin, share)).toMatchObject({ views: 0, opening_note: { wrong_pins: 0 } })
    await pin.fill(PIN)
    await hold(page, button)
    await expect(contents).toBeVisible()
  })

  test('its owner is told where to look at it without using a view', async ({
    adminPage: page,
    admin,
    place,
    words,
  }) => {
    const share = await shareAsking({ admin, place }, 'paste')
    await page.goto(pageOf(share))
    const link = page.getByRole('link', { name: words.opening.inList })
    await expect(link).toBeVisible()
    await expectAccessible(page, 'the opening page of an own text', { isOnPhoneToo: true })
    await link.click()
    await expect(page).toHaveURL(/text-management/)
    expect(await viewsOf(admin, share)).toBe(0)
  })

  test('what activates everything is not let in', async ({ page, admin, place, words }) => {
    const share = await shareAsking({ admin, place }, 'paste')
    await page.goto(pageOf(share))
    const { button, contents } = readerOn(page, share, words)
    await expect(button).toBeVisible()
    const trapped = page.waitForResponse((response) => response.url().endsWith('/intent/trap'))
    await page
      .locator('button[aria-hidden="true"][tabindex="-1"]')
      .evaluate((trap: HTMLElement) => trap.click())
    expect((await trapped).status()).toBe(200)
    await hold(page, button)
    await expect(page.getByText(words.errors.share.automated)).toBeVisible()
    await expect(contents).toHaveCount(0)
    expect(await viewsOf(admin, share)).toBe(0)
  })
})
