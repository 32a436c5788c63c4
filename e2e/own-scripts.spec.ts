import { pasteRoutes } from '@dropleaf/contract'
import type { Page } from '@playwright/test'
import { expect, test } from './support/test.ts'

declare global {
  interface Window {
    refused: string[]
  }
}

/** Records what the content security policy of the page has blocked. */
const watch = (page: Page) =>
  page.addInitScript(() => {
    window.refused = []
    document.addEventListener('securitypolicyviolation', ({ effectiveDirective, blockedURI, sample }) => {
      window.refused.push(`${effectiveDirective} ${blockedURI} ${sample}`)
    })
  })

test.use({ serviceWorkers: 'allow' })

const refusedOn = (page: Page) => page.evaluate(() => window.refused)

test('shared content never runs as a script of a page, however it is loaded', async ({ page, admin }) => {
  await watch(page)
  await admin.call(pasteRoutes.create, { body: { content: 'document.title = "run"', slug: 'shared-script' } })
  await page.goto('/')
  await expect(page.getByRole('main')).toBeVisible()
  const told = await page.evaluate(async () => {
    const shared = '/api/raw/shared-script'
    const own = document.querySelector('script[type=module]')?.getAttribute('src') ?? ''
    const outcome = async (work: () => unknown) =>
      Promise.resolve()
        .then(work)
        .then(
          () => 'done',
          (error: unknown) => (error as Error).name,
        )
    const box = document.createElement('div')
    return {
      // Trusted Types do not cover these imports. Only the allowed paths of the policy can block them.
      sharedModule: await outcome(() => import(shared)),
      ownModule: await outcome(() => import(own)),
      sharedScript: await outcome(() => (document.createElement('script').src = shared)),
      sharedWorker: await outcome(() => new Worker(shared)),
      sharedServiceWorker: await outcome(() => navigator.serviceWorker.register(shared)),
      // oxlint-disable-next-line typescript/no-implied-eval -- the policy must block it
      code: await outcome(() => new Function('return 1')),
      html: await outcome(() => {
        box.innerHTML = '<b onclick="x()">a</b><script>x()</script>'
      }),
      left: box.innerHTML,
    }
  })
  expect(told).toEqual({
    sharedModule: 'TypeError',
    ownModule: 'done',
    sharedScript: 'TypeError',
    sharedWorker: 'TypeError',
    sharedServiceWorker: 'TypeError',
    code: 'EvalError',
    html: 'done',
    left: '<b>a</b>',
  })
  const refused = await refusedOn(page)
  expect(refused.filter((one) => /^script-src(?:-elem)? .*\/api\/raw\/shared-script/.test(one))).toHaveLength(
    1,
  )
  await expect(page).not.toHaveTitle('run')
})

test('the app works within its policies: workers, diagrams, formulas, code, frames', async ({
  page,
  admin,
}) => {
  await watch(page)
  const content = [
    '# Title',
    '```js\nconst a = 1\n```',
    '```mermaid\nflowchart LR\n  A[one<br>two] --> B\n```',
    '```mermaid\nsequenceDiagram\n  A->>B: hello\n```',
    '```mermaid\nclassDiagram\n  class A\n```',
    '$$x^2$$',
    '```html\n<b>bold</b>\n```',
  ].join('\n\n')
  await admin.call(pasteRoutes.create, { body: { content, slug: 'with-all' } })
  await page.goto('/paste/with-all')
  for (const drawn of await page.locator('.dl-diagram').all()) await drawn.scrollIntoViewIfNeeded()
  await expect(page.locator('.dl-diagram img')).toHaveCount(3)
  await expect(page.locator('.dl-formula .katex').first()).toBeVisible()
  await expect(page.locator('.dl-code .hljs-keyword').first()).toBeVisible()
  await page.evaluate(async () => navigator.serviceWorker.ready)
  expect(await refusedOn(page)).toEqual([])
})
