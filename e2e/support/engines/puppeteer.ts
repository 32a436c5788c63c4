import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type ElementHandle, launch, type LaunchOptions, type Page } from 'puppeteer-core'
import type { Engine, Profile, Tab } from './tab.ts'

/** Timeout that only a hanging test exceeds, even on a busy machine. */
const PATIENCE_MS = 120_000

function tabOf(page: Page): Tab {
  page.setDefaultTimeout(PATIENCE_MS)
  const find = (xpath: string) => page.locator(`::-p-xpath(${xpath})`)
  return {
    async goto(url) {
      await page.goto(url)
    },
    evaluate: (run, ...args) => page.evaluate(run as never, ...(args as never)),
    click: (xpath) => find(xpath).click(),
    type: (xpath, text) => find(xpath).fill(text),
    async choose(xpath, paths) {
      const field = await page.waitForSelector(`::-p-xpath(${xpath})`)
      await (field as ElementHandle<HTMLInputElement>).uploadFile(...paths)
    },
  }
}

/** Controls Chromium with its own protocol, and Firefox with WebDriver BiDi. */
export async function startByPuppeteer(options: LaunchOptions): Promise<Engine> {
  // The timeouts are long, because a page that processes a large file responds late.
  const settings = { protocolTimeout: PATIENCE_MS, timeout: PATIENCE_MS, ...options }
  const browser = await launch(settings)
  return {
    name: await browser.version(),
    async openProfile(): Promise<Profile> {
      const downloads = await mkdtemp(join(tmpdir(), 'dropleaf-downloads-'))
      const downloadBehavior = { policy: 'allow', downloadPath: downloads } as const
      // Another context of Chromium would keep the files of its pages in memory, so each profile is a separate browser.
      const own = options.browser === 'chrome' ? await launch({ ...settings, downloadBehavior }) : null
      const context =
        own?.defaultBrowserContext() ?? (await browser.createBrowserContext({ downloadBehavior }))
      return {
        downloads,
        openTab: async () => tabOf(await context.newPage()),
        async close() {
          await (own ?? context).close()
          await rm(downloads, { recursive: true, force: true })
        },
      }
    },
    close: () => browser.close(),
  }
}
