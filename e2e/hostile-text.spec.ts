import { pasteRoutes } from '@dropleaf/contract'
import type { Page } from '@playwright/test'
import { HOSTILE } from '../apps/web/src/domains/markdown/testing/hostile-corpus.ts'
import { reading } from '../apps/web/src/locales/en-US/reading.ts'
import { expect, test } from './support/test.ts'

/** Made long by words that do nothing, so that it goes through the worker and comes in pieces. */
const FILLING = 'Nothing happens here, and it goes on for a while. '.repeat(1500)
/** A fence that an input leaves open ends here. */
const END = '\n\n````\n\n````\n\n'
/** Front matter is such at the start of a text only. */
const START = HOSTILE.find((text) => text.startsWith('---\n')) ?? ''
// The server refuses texts with that character.
const TEXT = [START, ...HOSTILE, FILLING].join(END).replaceAll('\0', '')

/** The only thing that may be fetched from elsewhere: pictures that the text names as such. */
const PICTURES = /^https:\/\/a\.example\/p\.png/

interface Watched {
  readonly refused: string[]
  readonly opened: string[]
}

declare global {
  interface Window {
    watched: Watched
  }
}

/** Notes whatever tries to run, and every window that opens. */
const watch = (page: Page) =>
  page.addInitScript(() => {
    const watched: Watched = { refused: [], opened: [] }
    window.watched = watched
    for (const name of ['alert', 'confirm', 'prompt', 'open', 'print'] as const) {
      Object.defineProperty(window, name, { value: () => watched.opened.push(name) })
    }
    document.addEventListener('securitypolicyviolation', ({ effectiveDirective, blockedURI, sample }) => {
      watched.refused.push(`${effectiveDirective} ${blockedURI} ${sample}`)
    })
  })

/** Goes to everything that is drawn near the screen only, until nothing waits; answers how much there was. */
const seeAll = (page: Page) =>
  page.evaluate(async () => {
    const DRAWN = '.dl-prose pre, code.language-math, code.language-math-display'
    const isWaiting = (element: Element) => {
      const block = element.closest('pre') ?? element
      return !block.closest('.dl-diagram, .dl-code') && !block.nextElementSibling?.matches('.dl-failed-note')
    }
    const first = () => [...document.querySelectorAll(DRAWN)].find(isWaiting)
    let seen = 0
    for (let next = first(); next; next = first()) {
      seen += 1
      next.scrollIntoView({ block: 'center' })
      while (next.isConnected && isWaiting(next))
        await new Promise((resolve) => requestAnimationFrame(resolve))
    }
    return seen
  })

test('hostile texts run nothing, open nothing, fetch nothing and stay where they are', async ({
  page,
  admin,
  baseURL,
}) => {
  // Hundreds of texts are drawn, beside other journeys.
  test.slow()
  const slug = 'hostile-texts'
  await admin.call(pasteRoutes.create, { body: { content: TEXT, slug } })
  const elsewhere: string[] = []
  const dialogs: string[] = []
  const errors: string[] = []
  page.on('dialog', (dialog) => {
    dialogs.push(dialog.message())
    void dialog.dismiss()
  })
  page.on('pageerror', ({ message }) => errors.push(message))
  page.on('popup', (popup) => dialogs.push(popup.url()))
  await page.route(
    (url) => url.origin !== baseURL && /^https?:/.test(url.protocol),
    (route, request) => {
      const isPicture = request.resourceType() === 'image' && PICTURES.test(request.url())
      if (!isPicture) elsewhere.push(`${request.resourceType()} ${request.url()}`)
      return route.abort()
    },
  )
  await watch(page)
  await page.goto(`/paste/${slug}`)
  // The app has taken over from the first drawing of the text.
  await expect(page.locator('#early')).toHaveCount(0)
  await expect(page.getByText('Nothing happens here').first()).toBeAttached()
  // A page that is led elsewhere has no more to be seen.
  expect(await seeAll(page).catch(String)).toBeGreaterThan(0)

  // The result of HTML and SVG: each in an origin of its own, where nothing runs.
  const shows = page.getByRole('button', { name: reading.show })
  expect(await shows.count()).toBeGreaterThan(10)
  for (const show of await shows.all()) {
    await show.dispatchEvent('click')
    const frame = page.locator('dialog iframe')
    await expect(frame).toHaveAttribute('sandbox', '')
    expect(await frame.evaluate((one: HTMLIFrameElement) => one.contentDocument)).toBeNull()
    await page.keyboard.press('Escape')
  }

  const { refused, opened } = await page.evaluate(() => window.watched)
  expect({ refused, opened, elsewhere, dialogs, errors }).toEqual({
    refused: [],
    opened: [],
    elsewhere: [],
    dialogs: [],
    errors: [],
  })
  expect(new URL(page.url()).pathname).toBe(`/paste/${slug}`)
  expect(page.context().pages()).toHaveLength(1)
  expect(await page.locator('.katex').count()).toBeGreaterThan(5)
  expect(await page.locator('.dl-diagram').count()).toBeGreaterThan(10)
})
