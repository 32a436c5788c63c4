import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import {
  type BrowserContext,
  type LaunchOptions,
  type Page,
  type PlaywrightWorkerArgs,
} from '@playwright/test'
import { Traveller } from './queue.ts'
import { test as base, unfoldOptions } from './test.ts'

/** Waits until the service worker controls the page. The page registers the worker when it is idle. */
export const workerReady = (page: Page): Promise<unknown> =>
  page.waitForFunction(() => navigator.serviceWorker.controller !== null, null, { timeout: 60_000 })

/** Clears the data of this browser, except for the service worker and the cached app. */
async function forgetEverything(page: Page): Promise<void> {
  await page.goto('/api/health')
  await page.evaluate(async () => {
    localStorage.clear()
    sessionStorage.clear()
    const names = (await indexedDB.databases()).map(({ name }) => name ?? '')
    for (const name of names)
      await new Promise<void>((resolve, reject) => {
        const opening = indexedDB.open(name)
        opening.addEventListener('error', () => reject(new Error(`${name} does not open.`)))
        opening.addEventListener('success', () => {
          const database = opening.result
          const stores = [...database.objectStoreNames]
          const done = () => {
            database.close()
            resolve()
          }
          if (stores.length === 0) return done()
          const clearing = database.transaction(stores, 'readwrite')
          for (const store of stores) clearing.objectStore(store).clear()
          clearing.addEventListener('complete', done)
          clearing.addEventListener('abort', () => reject(new Error(`${name} cannot be cleared.`)))
        })
      })
  })
}

interface Fixtures {
  /** The administrator on the home page, with a connection that the test controls. */
  traveller: Traveller
}

interface WorkerFixtures {
  /**
   * A browser that several tests share. Its service worker is already active, because starting a worker takes
   * seconds.
   */
  home: BrowserContext
}

/** Test with the service worker. The data of the browser is cleared before each test. */
export const test = base.extend<Fixtures, WorkerFixtures>({
  home: [
    async ({ browser, server }, use) => {
      const context = await browser.newContext({
        baseURL: server.origin,
        locale: 'en-US',
        timezoneId: 'UTC',
        reducedMotion: 'reduce',
        serviceWorkers: 'allow',
      })
      await unfoldOptions(context)
      const page = await context.newPage()
      await page.goto('/')
      await workerReady(page)
      await page.close()
      await use(context)
      await context.close()
    },
    { scope: 'worker' },
  ],
  context: async ({ home }, use) => {
    await use(home)
    await home.setOffline(false)
    await Promise.all(home.pages().map((page) => page.close()))
  },
  page: async ({ context }, use) => {
    const page = await context.newPage()
    await forgetEverything(page)
    await use(page)
  },
  adminPage: async ({ adminPage: page }, use) => {
    // Reports the administrator to the service worker. If the previous test has logged out, the worker would otherwise
    // not cache anything for this user.
    await page.evaluate(async () => {
      const { active } = await navigator.serviceWorker.ready
      const authorization = `Bearer ${localStorage.getItem('admin_token')}`
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker has the same origin
      active?.postMessage({ type: 'identity', authorization })
    })
    await use(page)
  },
  traveller: async ({ adminPage, admin }, use) => {
    await adminPage.goto('/')
    await use(new Traveller(adminPage, admin))
  },
})

interface Restart extends Pick<PlaywrightWorkerArgs, 'playwright'> {
  readonly launchOptions: LaunchOptions
}

/** Creates a profile on the disk. Returns functions that start a browser with the profile, and remove the profile. */
export async function keptBrowser({ playwright, launchOptions }: Restart) {
  const profile = await mkdtemp(path.join(tmpdir(), 'dropleaf-profile-'))
  return {
    start: ({ offline = false } = {}): Promise<BrowserContext> =>
      playwright.chromium.launchPersistentContext(profile, {
        ...launchOptions,
        locale: 'en-US',
        serviceWorkers: 'allow',
        offline,
      }),
    remove: (): Promise<void> => rm(profile, { recursive: true, force: true }),
  }
}
