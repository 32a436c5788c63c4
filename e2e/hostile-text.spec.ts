import { pasteRoutes } from '@dropleaf/contract'
import type { Page } from '@playwright/test'
import { HOSTILE } from '../apps/web/src/domains/markdown/testing/hostile-corpus.ts'
import { reading } from '../apps/web/src/locales/en-US/reading.ts'
import { expect, test } from './support/test.ts'

/** Filler that makes the text so long that the worker renders it in pieces. */
const FILLING = 'Nothing happens here, and it goes on for a while. '.repeat(1500)
/** Closes a code fence that an input leaves open. */
const END = '\n\n````\n\n````\n\n'
/** Front matter is recognized only at the start of a text. */
const START = HOSTILE.find((text) => text.startsWith('---\n')) ?? ''
// Removes NUL characters, because the server rejects texts that contain them.
const TEXT = [START, ...HOSTILE, FILLING].join(END).replaceAll('\0', '')

/** Matches the only allowed requests to other hosts, which are for pictures in the text. */
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

/** Records everything that the content security policy blocks, and every window or dialog that a script opens. */
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

/** Scrolls to every element that is rendered lazily, until all are rendered. @returns the number of these elements */
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

test('hostile texts run nothing, open nothing, fetch nothing and do not navigate', async ({
  page,
  admin,
  baseURL,
}) => {
  // Extends the timeout, because the test renders hundreds of texts while other tests run.
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
  // Waits until the app has replaced the server's first rendering of the text.
  await expect(page.locator('#early')).toHaveCount(0)
  await expect(page.getByText('Nothing happens here').first()).toBeAttached()
  // Fails if the text has navigated the page away, because nothing is rendered then.
  expect(await seeAll(page).catch(String)).toBeGreaterThan(0)

  // Opens the results of HTML and SVG code. Each result must be in an opaque origin without scripts.
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
