import type { BrowserContext, Page } from '@playwright/test'
import { languageOf } from '../apps/web/src/locales/languages.ts'
import { loadWordsOf, type Words } from '../apps/web/src/testing/words.ts'
import { ADMIN_MODULES } from '../e2e/support/pages.ts'
import { launchBrowser, requirePages } from './lib/browser.ts'
import { createTable } from './lib/measure.ts'
import { openProduct, type Product } from './lib/product.ts'
import { decimal, wholeNumber } from './lib/settings.ts'

/**
 * Measures how fast the pages react and how stable their layout is. Uses Chromium (`CHROMIUM_PATH`) with real keys
 * and clicks. Runs each journey `ROUNDS` (3) times on a computer and on a phone. Reports the slowest interaction
 * (from the key or click to the next frame, as for INP) and the largest layout shift (CLS, session windows) of each
 * journey. The browser measures both (Event Timing, Layout Instability). `SLOWDOWN` (1) throttles the processor.
 * Needs the built web app; `BASE_URL` selects a running server.
 */

const ROUNDS = wholeNumber('ROUNDS', 3)
const SLOWDOWN = decimal('SLOWDOWN', 1, { least: 1 })
const FILES = 1000
/** Layout shifts below this value are not listed. */
const SMALL_SHIFT = 0.001
const SCREENS = {
  computer: { viewport: { width: 1280, height: 800 } },
  telephone: { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true },
} as const
type Device = keyof typeof SCREENS

interface Event {
  readonly kind: 'event'
  readonly id: number
  readonly name: string
  readonly at: string
  readonly ms: number
}

interface Shift {
  readonly kind: 'shift'
  readonly value: number
  readonly at: number
  /** The element that moved. */
  readonly where: string
}

/** Layout shift entry of the W3C's Layout Instability specification. TypeScript has no types for it. */
interface LayoutShift extends PerformanceEntry {
  readonly value: number
  readonly hadRecentInput: boolean
  readonly sources: readonly { readonly node: Node | null }[]
}

/** Runs in every page from its start, and reports what the browser measures. */
function observe(): void {
  const { tell } = window as unknown as { tell: (seen: object) => void }
  const describe = (node: Node | null) => {
    if (!(node instanceof Element)) return 'the page'
    const name = node.getAttribute('aria-label') ?? node.closest('button, a, label')?.textContent ?? ''
    return `${node.tagName.toLowerCase()} ${name.trim().slice(0, 30)}`.trim()
  }
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries() as (PerformanceEventTiming & { interactionId: number })[])
      if (entry.interactionId > 0)
        tell({
          kind: 'event',
          id: entry.interactionId,
          name: entry.name,
          at: describe(entry.target),
          ms: entry.duration,
        })
  }).observe({ type: 'event', durationThreshold: 16, buffered: true } as PerformanceObserverInit)
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries() as LayoutShift[])
      if (!entry.hadRecentInput)
        tell({
          kind: 'shift',
          value: entry.value,
          at: performance.timeOrigin + entry.startTime,
          where: `${location.pathname} ${entry.sources.map(({ node }) => describe(node)).join(', ')}`,
        })
  }).observe({ type: 'layout-shift', buffered: true })
}

/** Groups shifts that are less than 1 s apart and within 5 s. @returns the largest sum of a group */
function layoutShift(shifts: readonly Shift[]): number {
  let greatest = 0
  let sum = 0
  let [from, last] = [0, 0]
  for (const { value, at } of shifts) {
    const isSame = at - last < 1000 && at - from < 5000
    if (!isSame) [sum, from] = [0, at]
    sum += value
    last = at
    greatest = Math.max(greatest, sum)
  }
  return greatest
}

interface Journey {
  readonly page: Page
  readonly words: Words
  readonly url: string
  /** Parent of the folder with the files. */
  readonly folder: string
  /** Prefix of the custom links. */
  readonly prefix: string
  readonly device: Device
  readonly round: number
  /** Clicks or taps a control. */
  press: (name: string, role?: 'button' | 'link') => Promise<void>
}

const settle = (page: Page) => page.waitForTimeout(300)

const JOURNEYS: Readonly<Record<string, (journey: Journey) => Promise<void>>> = {
  'write a text, share it, read it': async ({ page, words, url, prefix, press, round, device }) => {
    await page.goto(url)
    await page.getByRole('textbox', { name: words.home.editor }).click()
    await page.keyboard.type('# Notes\n\nA list of things:\n\n- one\n- two\n\nand **more** of `it`.', {
      delay: 30,
    })
    await page.getByLabel(words.common.slug.label, { exact: true }).click()
    await page.keyboard.type(`${prefix}${device}-${round}`, { delay: 30 })
    await press(words.home.submit)
    const link = page.getByRole('region', { name: words.home.result.title }).getByRole('link').first()
    await link.waitFor()
    await page.goto((await link.getAttribute('href')) ?? '')
    await page.getByRole('heading', { name: 'Notes' }).waitFor()
    await press(words.paste.copyText)
    await settle(page)
  },
  'a folder of 1,000 files': async ({ page, words, url, folder, press, device }) => {
    await page.goto(`${url}mount-explorer${folder}`)
    await press('many', 'link')
    await page.getByText('file-0000.txt').first().waitFor()
    await settle(page)
    if (device === 'computer') {
      for (const view of [words.explorer.view.grid, words.explorer.view.list]) {
        await press(view)
        await settle(page)
      }
      await page.getByRole('grid').focus()
      for (let step = 0; step < 30; step += 1) await page.keyboard.press('ArrowDown', { delay: 20 })
      await page.keyboard.press('Control+a')
      await settle(page)
      await page.keyboard.press('Escape')
      await page.keyboard.press('Home')
    }
    await press('file-0003.txt', 'link')
    await page.getByText('contents').first().waitFor()
    await settle(page)
  },
  'the admin panel': async ({ page, words, url, press, device }) => {
    await page.goto(`${url}admin`)
    const navigation = page.getByRole('navigation', { name: words.manage.navigation })
    const go = async (module: (typeof ADMIN_MODULES)[number]) => {
      const name = words.manage.modules[module]
      // Phones show a list of modules instead of links.
      if (device === 'telephone') await page.goto(`${url}admin/${module}`)
      else await navigation.getByRole('link', { name, exact: true }).click()
      await page.getByRole('heading', { level: 1, name, exact: true }).waitFor({ state: 'attached' })
      await settle(page)
    }
    for (const module of ADMIN_MODULES) await go(module)
    await go('key-management')
    await press(words.keys.create)
    await page.getByRole('dialog').getByRole('textbox').first().click()
    await page.keyboard.type('a key of mine', { delay: 30 })
    await page.keyboard.press('Escape')
    await settle(page)
  },
  'palette, theme and language': async ({ page, words, url, press, device }) => {
    await page.goto(url)
    await page.getByRole('textbox', { name: words.home.editor }).waitFor()
    await settle(page)
    if (device === 'computer') await page.keyboard.press('Control+k')
    else await press(words.shell.palette)
    await page.getByRole('combobox').first().waitFor()
    await page.keyboard.type('dashboard', { delay: 30 })
    await page.keyboard.press('Backspace')
    await page.keyboard.press('Escape')
    await settle(page)
    if (device === 'telephone') await press(words.shell.menu)
    await press(words.shell.upload, 'link')
    await settle(page)
  },
}

async function makeContent(product: Product): Promise<string> {
  const { url, token } = product
  const folder = await product.makeFolder()
  await product.call('POST', 'api/fs/mkdir', { path: `${folder}/many` })
  const headers = { authorization: `Bearer ${token}` }
  for (let at = 0; at < FILES; at += 20)
    await Promise.all(
      Array.from({ length: 20 }, (_, offset) => {
        const path = `${folder}/many/file-${String(at + offset).padStart(4, '0')}.txt`
        return fetch(`${url}api/fs/upload?path=${encodeURIComponent(path)}`, {
          method: 'PUT',
          headers,
          body: 'contents',
        })
      }),
    )
  return folder
}

async function travel(
  context: BrowserContext,
  name: string,
  on: Omit<Journey, 'page' | 'press'>,
): Promise<Record<string, number>> {
  const page = await context.newPage()
  const seen: (Event | Shift)[] = []
  await page.exposeFunction('tell', (entry: Event | Shift) => seen.push(entry))
  await page.addInitScript(observe)
  if (SLOWDOWN > 1) {
    const session = await context.newCDPSession(page)
    await session.send('Emulation.setCPUThrottlingRate', { rate: SLOWDOWN })
  }
  const press: Journey['press'] = async (label, role = 'button') => {
    const target = page.getByRole(role, { name: label, exact: true }).first()
    await (on.device === 'telephone' ? target.tap() : target.click())
  }
  await JOURNEYS[name]?.({ ...on, page, press })
  // Waits for the performance entries of the last interaction, which arrive after the interaction.
  await page.waitForTimeout(500)
  await page.close()
  const events = seen.filter((entry) => entry.kind === 'event')
  const shifts = seen.filter((entry) => entry.kind === 'shift')
  for (const { value, where } of shifts)
    if (value > SMALL_SHIFT) console.log(`  ${on.device}, ${name}: moved by ${value.toFixed(4)}: ${where}`)
  const slowest = new Map<number, Event>()
  for (const event of events) if (event.ms > (slowest.get(event.id)?.ms ?? 0)) slowest.set(event.id, event)
  const ranked = [...slowest.values()].sort((one, other) => other.ms - one.ms)
  for (const { name: type, at, ms } of ranked.slice(0, 3))
    console.log(`  ${on.device}, ${name}: ${ms} ms, ${type} on ${at}`)
  return {
    interactions: ranked.length,
    slowestMs: ranked[0]?.ms ?? 0,
    shift: layoutShift(shifts),
  }
}

const words = await loadWordsOf(languageOf('en-US'))
await using product = await openProduct()
await requirePages(product)
const folder = await makeContent(product)
const prefix = product.textPrefix()
const table = createTable({
  interactions: 'interactions of 16 ms and more',
  slowestMs: 'the slowest (INP), ms',
  shift: 'layout shift',
})
const browser = await launchBrowser()
try {
  for (let round = 0; round < ROUNDS; round += 1)
    for (const device of Object.keys(SCREENS) as Device[])
      for (const name of Object.keys(JOURNEYS)) {
        const context = await browser.newContext({
          ...SCREENS[device],
          locale: 'en-US',
          permissions: ['clipboard-read', 'clipboard-write'],
        })
        await context.addInitScript((token) => localStorage.setItem('admin_token', token), product.token)
        table.add(
          `${name}, ${device}`,
          await travel(context, name, { words, url: product.url, folder, prefix, device, round }),
        )
        await context.close()
      }
} finally {
  await browser.close()
}
table.print(`${ROUNDS} rounds, processor ${SLOWDOWN} times slower`)
