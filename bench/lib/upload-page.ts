import { setTimeout as sleep } from 'node:timers/promises'
import type { BrowserContext, Page, Request } from '@playwright/test'
import type { Product } from './product.ts'

/** Helpers for uploading one file on the upload page. */

const POLL_MS = 200
const SURE_MS = 3000

/** Counts the bytes sent to the server, and the parts sent to a bucket, by all pages of a browser. */
export function watchBytes(context: BrowserContext, serverHost: string) {
  const numbers = new Map<Request, number>()
  const seen = { throughServer: 0, requests: 0, refused: 0 }
  context.on('request', (request) => {
    if (request.method() !== 'PUT') return
    const { host, searchParams } = new URL(request.url())
    if (host === serverHost) seen.throughServer += Number(request.headers()['content-length'] ?? 0) || 1
    else if (searchParams.has('partNumber')) {
      seen.requests += 1
      numbers.set(request, Number(searchParams.get('partNumber')))
    }
  })
  context.on('requestfailed', (request) => {
    // A refused connection has transferred no bytes.
    if (request.failure()?.errorText !== 'net::ERR_CONNECTION_REFUSED' || !numbers.delete(request)) return
    seen.refused += 1
  })
  /** Returns the part numbers of requests that may have transferred bytes. */
  const parts = () => [...numbers.values()]
  return { seen, parts }
}

/** Shows the options of the upload. */
export async function unfoldOptions(page: Page): Promise<void> {
  const options = page.getByRole('button', { name: 'Share options' })
  if ((await options.getAttribute('aria-expanded')) === 'false') await options.click()
}

/** Returns the row of the only file or bundle on the page. */
export const row = (page: Page) => page.locator('li[data-status]').first()

/** Returns the fraction of the bytes that has arrived, from 0 to 1. */
export const shareOf = (page: Page): Promise<number> =>
  page.evaluate(() => {
    const shown = document.querySelector('li[data-status]')
    if (shown?.getAttribute('data-status') === 'success') return 1
    return Number(shown?.querySelector('progress')?.getAttribute('value') ?? 0)
  })

/** Waits until a condition is true, then prints its name. */
export async function until(what: string, isThere: () => Promise<boolean>): Promise<void> {
  while (!(await isThere())) await sleep(POLL_MS)
  console.log(`  ${what}`)
}

/** @throws {Error} with the text of the row if the upload has failed */
export async function requireGoingOn(page: Page): Promise<void> {
  const hasFailed = async () => (await row(page).getAttribute('data-status')) === 'error'
  if (!(await hasFailed())) return
  // Checks twice, because a bundle that is about to start has no uploads for a moment and is shown as failed.
  await sleep(SURE_MS)
  if (await hasFailed()) throw new Error(await row(page).innerText())
}

export const reach = (page: Page, share: number) =>
  until(`${Math.round(share * 100)} % have arrived`, async () => {
    await requireGoingOn(page)
    return (await shareOf(page)) >= share
  })

export async function openUploads(context: BrowserContext, product: Product): Promise<Page> {
  const page = await context.newPage()
  await signIn(page, product)
  return page
}

/** Opens the upload page as the administrator. */
export async function signIn(page: Page, product: Product): Promise<void> {
  await page.goto(`${product.url}api/health`)
  await page.evaluate((token) => localStorage.setItem('admin_token', token), product.token)
  await page.goto(`${product.url}upload`)
}
