import { type BrowserContext, type Page, test as base } from '@playwright/test'
import { Api, logIn } from './api.ts'
import { type RunningServer, startServer } from './server.ts'

export const ADMIN_PASSWORD = 'correct-horse-battery'

interface TestFixtures {
  /** A page on which the administrator is logged in. */
  adminPage: Page
}

interface WorkerFixtures {
  /** The built product. Each worker has a separate server. */
  server: RunningServer
  adminToken: string
  /** Calls the API as the administrator. */
  admin: Api
}

/** Unfolds the options of new shares, because most tests set some. `folded-options.spec.ts` tests the folded ones. */
export const unfoldOptions = (context: BrowserContext) =>
  context.addInitScript(() => {
    // A sandboxed frame has no storage.
    if (window.origin !== 'null') localStorage.setItem('dropleaf.share-options', 'open')
  })

export const test = base.extend<TestFixtures, WorkerFixtures>({
  server: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads the fixtures from this pattern
    async ({}, use) => {
      const server = await startServer({ adminPassword: ADMIN_PASSWORD })
      await use(server)
      await server.stop()
    },
    { scope: 'worker' },
  ],
  adminToken: [
    async ({ server }, use) => {
      await use(await logIn(server.origin, ADMIN_PASSWORD))
    },
    { scope: 'worker' },
  ],
  admin: [
    async ({ server, adminToken }, use) => {
      await use(new Api(server.origin).withToken(adminToken))
    },
    { scope: 'worker' },
  ],
  baseURL: async ({ server }, use) => {
    await use(server.origin)
  },
  context: async ({ context }, use) => {
    await unfoldOptions(context)
    await use(context)
  },
  adminPage: async ({ page, baseURL, adminToken }, use) => {
    await page.goto(`${baseURL}/api/health`)
    await page.evaluate((token) => localStorage.setItem('admin_token', token), adminToken)
    await use(page)
  },
})

export { expect } from '@playwright/test'
