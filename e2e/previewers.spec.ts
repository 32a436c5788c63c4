import type { OpeningKind } from '@dropleaf/contract'
import type { Browser, Page } from '@playwright/test'
import {
  BROWSER_PREVIEWERS,
  type BrowserBehaviour,
  type BrowserPreviewer,
  HTTP_PREVIEWERS,
  type HttpBehaviour,
  type HttpPreviewer,
} from './corpus/previewers.ts'
import {
  type AskingShare,
  holdByMouse,
  openButton,
  pageOf,
  SECRET,
  shareAsking,
  viewsOf,
} from './support/opening.ts'
import { expect, test } from './support/worlds.ts'

const HTTP_ROUNDS = 20
/** Number of rounds. The default is low, because rendering a page takes a long time. */
const BROWSER_ROUNDS = Number(process.env['PREVIEWER_ROUNDS'] ?? 1)
/** Whether each program renders all shares. By default, it renders one of them, which takes a third of the time. */
const RENDERS_ALL = process.env['PREVIEWER_ROUNDS'] !== undefined || process.env['EVERY_WORLD'] === '1'
const PASSWORD = 'open sesame'

interface Target {
  readonly name: string
  readonly kind: OpeningKind
  readonly settings: { readonly password?: string }
}

const TARGETS: readonly Target[] = [
  { name: 'a text', kind: 'paste', settings: {} },
  { name: 'a file', kind: 'file', settings: {} },
  { name: 'a protected file', kind: 'file', settings: { password: PASSWORD } },
]

/** Returns the URLs that a program finds in the page and in its requests. */
const addressesOf = ({ kind, slug }: AskingShare): readonly string[] =>
  kind === 'paste'
    ? [`/paste/${slug}`, `/api/paste/${slug}`, `/api/raw/${slug}`]
    : [
        `/file/${slug}`,
        ...['public/files', 'file-view', 'file-download'].map((door) => `/api/${door}/${slug}`),
      ]

const REQUESTS: Readonly<Record<HttpBehaviour, { method: string; headers?: Record<string, string> }>> = {
  get: { method: 'GET' },
  head: { method: 'HEAD' },
  options: { method: 'OPTIONS' },
  range: { method: 'GET', headers: { range: 'bytes=0-1023' } },
  post: { method: 'POST', headers: { 'content-type': 'application/x-www-form-urlencoded' } },
  prefetch: { method: 'GET', headers: { 'sec-purpose': 'prefetch', purpose: 'prefetch' } },
  prerender: { method: 'GET', headers: { 'sec-purpose': 'prefetch;prerender' } },
}

/** Performs all behaviours of a program, each once for every URL. @returns the bodies of all responses */
async function visit(origin: string, share: AskingShare, { agent, does, hasCookies }: HttpPreviewer) {
  let cookie = ''
  const seen: string[] = []
  for (const behaviour of does) {
    const { method, headers } = REQUESTS[behaviour]
    for (const address of addressesOf(share)) {
      const answer = await fetch(origin + address, {
        method,
        headers: { ...headers, 'user-agent': agent, ...(cookie !== '' && { cookie }) },
      })
      if (hasCookies) cookie = answer.headers.getSetCookie().join('; ') || cookie
      seen.push(await answer.text())
    }
  }
  return seen.join('\n')
}

/** Returns the centres of all elements on the screen, each position once. */
const placesIn = (page: Page): Promise<readonly (readonly [x: number, y: number])[]> =>
  page.evaluate(() => {
    const places = new Map<string, readonly [number, number]>()
    for (const element of document.body.querySelectorAll('*')) {
      const { left, top, width, height } = element.getBoundingClientRect()
      const [x, y] = [Math.round(left + width / 2), Math.round(top + height / 2)]
      const isOnScreen = width > 0 && height > 0 && x >= 0 && y >= 0 && x < innerWidth && y < innerHeight
      if (isOnScreen) places.set(`${x} ${y}`, [x, y])
    }
    return [...places.values()]
  })

const clickAll = (page: Page) =>
  page.evaluate(() => {
    for (const button of document.querySelectorAll<HTMLElement>(
      'button, [role="button"], input[type="submit"]',
    ))
      button.click()
  })

const BEHAVIOURS: Readonly<Record<BrowserBehaviour, (page: Page, address: string) => Promise<void>>> = {
  render: async () => undefined,
  async click(page, address) {
    for (const [x, y] of await placesIn(page)) {
      await page.mouse.click(x, y)
      if (new URL(page.url()).pathname !== address) await arrive(page, address)
    }
    // Clicks everything again, because the first clicks may have added elements.
    for (const [x, y] of await placesIn(page)) await page.mouse.click(x, y)
  },
  async submit(page) {
    await page.evaluate(() => {
      for (const form of document.forms) form.requestSubmit()
    })
  },
  async script(page, address) {
    await clickAll(page)
    if (new URL(page.url()).pathname !== address) await arrive(page, address)
    await page.clock.runFor(10_000)
    await clickAll(page)
    await page.clock.runFor(10_000)
  },
}

async function arrive(page: Page, address: string) {
  await page.goto(address)
  await expect(page.locator('main button[data-stage]')).toBeVisible()
}

interface Rendering {
  readonly browser: Browser
  readonly baseURL: string
  readonly previewer: BrowserPreviewer
}

/**
 * Opens the share's page as the program does, and performs the behaviours of the program. Expects that the page never
 * contains the content of the share.
 */
async function render({ browser, baseURL, previewer }: Rendering, share: AskingShare, rounds: number) {
  const { agent, does, hasCookies = false } = previewer
  const newContext = () => browser.newContext({ baseURL, userAgent: agent, reducedMotion: 'no-preference' })
  let context = await newContext()
  for (let round = 0; round < rounds; round += 1) {
    if (round > 0 && !hasCookies) {
      await context.close()
      context = await newContext()
    }
    const page = await context.newPage()
    await page.clock.install()
    await arrive(page, pageOf(share))
    for (const behaviour of does) {
      await BEHAVIOURS[behaviour](page, pageOf(share))
      expect(await page.content(), `${previewer.name}, ${behaviour}`).not.toContain(SECRET)
      if (new URL(page.url()).pathname !== pageOf(share)) await arrive(page, pageOf(share))
    }
    await page.close()
  }
  await context.close()
}

test('the corpus has sixty previewers and scanners, and each behaviour', () => {
  const all = [...HTTP_PREVIEWERS, ...BROWSER_PREVIEWERS]
  expect(all).toHaveLength(60)
  expect(new Set(all.map(({ name }) => name)).size).toBe(60)
  const behaviours = new Set<string>(all.flatMap(({ does }) => does))
  expect([...behaviours].toSorted()).toEqual(
    [...Object.keys(REQUESTS), ...Object.keys(BEHAVIOURS)].toSorted(),
  )
})

for (const [nth, { name, kind, settings }] of TARGETS.entries()) {
  test(`programs that request ${name} take no view`, async ({ baseURL, admin, place }) => {
    const share = await shareAsking({ admin, place }, kind, settings)
    for (const previewer of HTTP_PREVIEWERS) {
      for (let round = 0; round < HTTP_ROUNDS; round += 1)
        expect(await visit(baseURL ?? '', share, previewer), previewer.name).not.toContain(SECRET)
      expect([previewer.name, await viewsOf(admin, share)]).toEqual([previewer.name, 0])
    }
  })

  for (const [index, previewer] of BROWSER_PREVIEWERS.entries()) {
    if (!RENDERS_ALL && index % TARGETS.length !== nth) continue
    test(`${previewer.name}, which renders ${name}, takes no view`, async ({
      browser,
      baseURL,
      admin,
      place,
    }) => {
      // Extends the timeout, because each round takes some seconds and the number of rounds is configurable.
      test.setTimeout(180_000 + BROWSER_ROUNDS * 60_000)
      const share = await shareAsking({ admin, place }, kind, settings)
      await render({ browser, baseURL: baseURL ?? '', previewer }, share, BROWSER_ROUNDS)
      expect(await viewsOf(admin, share)).toBe(0)
    })
  }
}

test('after all of them, a person opens it', async ({ page, browser, baseURL, admin, place, words }) => {
  const share = await shareAsking({ admin, place }, 'paste')
  for (const previewer of HTTP_PREVIEWERS) await visit(baseURL ?? '', share, previewer)
  const scanner = BROWSER_PREVIEWERS.find(({ does }) => does.length === 4)
  if (scanner) await render({ browser, baseURL: baseURL ?? '', previewer: scanner }, share, 1)
  await page.goto(pageOf(share))
  await holdByMouse(page, openButton(page, words.opening.open))
  await expect(page.getByRole('article').getByText(SECRET)).toBeVisible()
  expect(await viewsOf(admin, share)).toBe(1)
})
