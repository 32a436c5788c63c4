import { type Browser, type BrowserContext, type BrowserContextOptions, chromium } from '@playwright/test'
import { baseUrl, type Product } from './product.ts'
import { existing } from './settings.ts'
import { refuse } from './undo.ts'

export const PATH = '/usr/bin/chromium-headless-shell'
export const ARGS = ['--no-sandbox', '--disable-gpu', '--disable-background-networking']

const options = (args: readonly string[]) => ({
  executablePath: existing('CHROMIUM_PATH', PATH),
  args: [...ARGS, ...args],
  // Disables Playwright's signal handlers, because this program cleans up in its own handlers.
  handleSIGHUP: false,
  handleSIGINT: false,
  handleSIGTERM: false,
})

/** Starts Chromium from `CHROMIUM_PATH`, by default Debian's headless shell. */
export const launchBrowser = (): Promise<Browser> => chromium.launch(options([]))

/** Starts Chromium with a profile stored in `folder`. */
export const launchProfile = (
  folder: string,
  {
    args = [],
    ...context
  }: BrowserContextOptions & { args?: readonly string[]; downloadsPath?: string } = {},
): Promise<BrowserContext> => chromium.launchPersistentContext(folder, { ...options(args), ...context })

/** Ends the program with instructions if the server serves no pages. */
export async function requirePages({ url }: Product): Promise<void> {
  const answer = await fetch(url, { headers: { accept: 'text/html' } })
  if (answer.ok && (await answer.text()).includes('<html')) return
  if (baseUrl() === undefined) refuse('The web app is not built: run `npm run build` first.')
  refuse(`BASE_URL is ${url}, but that server serves no pages: its web app is not built.`)
}
