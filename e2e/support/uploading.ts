import { createCipheriv, createHash } from 'node:crypto'
import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fsListingRoutes } from '@dropleaf/contract'
import type { Locator, Page, Request, Route } from '@playwright/test'
import type { Locale } from '../../apps/web/src/locales/zh-CN/index.ts'
import type { Api } from './api.ts'
import { say } from './worlds.ts'

export const MIB = 1024 * 1024

/** Returns bytes that do not repeat. The same seed always gives the same bytes. */
export function bytesOf(sizeBytes: number, seed: string): Buffer {
  const key = createHash('sha256').update(seed).digest()
  return createCipheriv('aes-256-ctr', key, Buffer.alloc(16)).update(Buffer.alloc(sizeBytes))
}

export const hashOf = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')

const escaped = (text: string) => text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')

/**
 * Matches a text of the product with any values in its placeholders. Each placeholder without a given value is a group.
 */
export function patternOf(words: string, values: Readonly<Record<string, string | number>> = {}): RegExp {
  const holes = words.split(/\{\{(\w+)\}\}/g)
  const source = holes.map((piece, index) => {
    if (index % 2 === 0) return escaped(piece)
    const value = values[piece]
    return value === undefined ? '(.+?)' : escaped(String(value))
  })
  return new RegExp(source.join(''))
}

/** Reads the number from a text of the product on the screen; 0 if the text is not shown. */
export async function numberIn(
  shown: Locator,
  words: string,
  values: Readonly<Record<string, string | number>>,
): Promise<number> {
  const pattern = new RegExp(patternOf(words, values).source.replace('(.+?)', String.raw`(\d+)`))
  return Number(pattern.exec(await shown.innerText())?.[1] ?? 0)
}

/** Finds the task panel and its button. The label of the button can change. */
export function trayOf(page: Page, words: Locale) {
  const { open, openBusy, openProblem_one, openProblem_other, openPaused } = words.tasks
  const label = new RegExp(
    [open, openBusy, openProblem_one, openProblem_other, openPaused]
      .map((text) => patternOf(text).source)
      .join('|'),
  )
  const button = page.getByRole('button', { name: label })
  const panel = page.getByRole('dialog', { name: words.tasks.title, exact: true })
  return { button, panel }
}

/** Opens the task panel unless it is open. */
export async function openTray(page: Page, words: Locale): Promise<Locator> {
  const { button, panel } = trayOf(page, words)
  if (!(await panel.isVisible())) await button.click()
  return panel
}

/**
 * Selects separate links for several files on the upload and home pages. The default is one link. Call before `goto`.
 */
export const wantLinkEach = (page: Page): Promise<unknown> =>
  page.addInitScript(() => {
    localStorage.setItem('dropleaf_upload_links', 'each')
    localStorage.setItem('dropleaf_home_links', 'each')
  })

export async function openUploadDialog(page: Page, words: Locale): Promise<Locator> {
  await page.getByRole('button', { name: words.explorer.upload, exact: true }).first().click()
  return page.getByRole('dialog', { name: patternOf(words.uploads.title) })
}

type Payload = string | { name: string; mimeType: string; buffer: Buffer }

export const payload = (name: string, content: string | Buffer): Exclude<Payload, string> => ({
  name,
  mimeType: 'application/octet-stream',
  buffer: Buffer.from(content),
})

interface Sending {
  readonly files: Payload[]
  /** Upload method to select. If absent, the previous choice stays. */
  readonly method?: 'auto' | 'presigned' | 'direct' | 'multipart'
}

async function pathOf(file: Payload, folder: string): Promise<string> {
  if (typeof file === 'string') return file
  const path = join(folder, file.name)
  await writeFile(path, file.buffer)
  return path
}

/** Opens the explorer's upload dialog and chooses files in it, without starting the upload. @returns the dialog */
export async function chooseFiles(page: Page, words: Locale, files: readonly Payload[]): Promise<Locator> {
  const dialog = await openUploadDialog(page, words)
  const field = dialog.getByLabel(words.uploads.pickFiles, { exact: true }).last()
  // Uses paths, because the test would send contents in memory to the browser in full, as text.
  const folder = await mkdtemp(join(tmpdir(), 'dropleaf-files-'))
  const paths = await Promise.all(files.map((file) => pathOf(file, folder)))
  await field.setInputFiles(paths)
  return dialog
}

/** Chooses files in the explorer, and starts their upload. */
export async function sendFiles(page: Page, words: Locale, { files, method }: Sending): Promise<void> {
  const dialog = await chooseFiles(page, words, files)
  if (method) await dialog.getByLabel(words.uploads.method).selectOption(method)
  await dialog.getByRole('button', { name: words.uploads.start, exact: true }).click()
}

/** An upload request of the page. */
export interface Sent {
  readonly host: string
  readonly path: string
}

const carriesBytes = (request: Request): boolean => request.method() === 'PUT'

/** Records all upload requests of the page, in order. */
export function watchSent(page: Page): Sent[] {
  const sent: Sent[] = []
  page.on('request', (request) => {
    const { host, pathname: path } = new URL(request.url())
    if (carriesBytes(request)) sent.push({ host, path })
  })
  return sent
}

export interface Line {
  /** `hold` delays all upload requests, `cut` aborts them, and `refuse` responds to them with an error. */
  state: 'open' | 'hold' | 'cut' | 'refuse'
  /** Number of upload requests that can still pass while the state is `open`. Further requests are held. */
  left: number
}

/** Controls the upload requests of the page. When a test sets a field, held requests are handled again. */
export async function holdLine(page: Page): Promise<Line> {
  const line: Line = { state: 'open', left: Number.POSITIVE_INFINITY }
  let held: Route[] = []
  const passing = new Set<Request>()
  const decide = async (route: Route) => {
    if (line.state === 'cut') await route.abort('connectionrefused')
    else if (line.state === 'refuse')
      await route.fulfill({ status: 400, headers: { 'access-control-allow-origin': '*' }, body: 'no' })
    else if (line.state === 'hold' || line.left === 0) held.push(route)
    else {
      line.left -= 1
      passing.add(route.request())
      await route.continue()
    }
  }
  // Ignores errors, because the page can abort a request at any time.
  const settle = (route: Route) => decide(route).catch(() => undefined)
  page.on('requestfailed', (request) => {
    held = held.filter((route) => route.request() !== request)
    // A request that was aborted before it was sent does not count. Another request can pass instead.
    if (passing.delete(request)) hand.left += 1
  })
  await page.route('**/*', (route) => (carriesBytes(route.request()) ? settle(route) : route.fallback()))
  const hand = new Proxy(line, {
    set(target, field, value) {
      const isSet = Reflect.set(target, field, value)
      for (const route of held.splice(0)) void settle(route)
      return isSet
    },
  })
  return hand
}

/** Returns the paths of all files and folders below a folder. Paths of folders end with a slash. */
export async function treeOf(admin: Api, path: string, below = ''): Promise<string[]> {
  const { data } = await admin.call(fsListingRoutes.list, {
    query: {
      path: `${path}/${below}`,
      limit: null,
      cursor: null,
      sort: null,
      order: 'asc',
      refresh: true,
    },
  })
  const inside = await Promise.all(
    data.items.map(async ({ name, isDirectory }) => {
      const plain = `${below}${name.replace(/\/$/, '')}`
      return isDirectory ? [`${plain}/`, ...(await treeOf(admin, path, `${plain}/`))] : [plain]
    }),
  )
  return inside.flat().toSorted()
}

/** Returns the notice at the end of a batch. */
export const doneNotice = (words: Locale, count: number): string => {
  const { allDone_one: one, allDone_other: other } = words.tasks.notice
  return say(count === 1 ? one : other, { count })
}
