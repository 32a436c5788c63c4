import { expect, test } from './support/test.ts'

const TOO_OLD = /Chrome or Edge 126, Firefox 126, Safari 18/

for (const [missing, take] of [
  [
    'a pattern',
    'const known = RegExp; RegExp = new Proxy(known, { construct() { throw new SyntaxError() } })',
  ],
  ['an interface', 'delete AbortSignal.any'],
] as const)
  test(`a browser without ${missing} sees which version it needs`, async ({ page }) => {
    await page.addInitScript(take)
    for (const address of ['/', '/paste/any']) {
      await page.goto(address)
      await expect(page.getByText(TOO_OLD)).toBeVisible()
    }
  })

test('a supported browser shows no message', async ({ page }) => {
  await page.goto('/')
  await expect(page.getByRole('button', { name: 'Quick find' })).toBeVisible()
  await expect(page.getByText(TOO_OLD)).toBeHidden()
})
