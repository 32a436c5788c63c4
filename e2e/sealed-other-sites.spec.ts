import { makeSealedBundle } from './support/sealed/bundles.ts'
import { expect, say, test } from './support/worlds.ts'

const HOST = 'elsewhere.invalid'
const MARKDOWN = `# Hello\n\nThe text.\n\n![A picture](https://${HOST}/counter.png)\n`

for (const [name, page] of [
  ['short', MARKDOWN],
  ['long', `${MARKDOWN}\n${'A paragraph of the long text.\n\n'.repeat(3000)}`],
] as const) {
  test(`a ${name} encrypted text requests pictures from other sites only after the reader allows it`, async ({
    page: tab,
    admin,
    adminToken,
    baseURL,
    words,
  }) => {
    const asked: string[] = []
    await tab.route(`https://${HOST}/**`, (route) => {
      asked.push(route.request().url())
      return route.abort()
    })
    const bundle = await makeSealedBundle({ admin, adminToken, baseURL }, { page })
    await tab.goto(bundle.link)
    const load = tab.getByRole('button', { name: say(words.viewer.leftOut.load, { names: HOST }) })
    await expect(load).toBeVisible()
    await expect(tab.getByText('The text.')).toBeVisible()
    expect(asked).toEqual([])
    await load.click()
    await expect.poll(() => asked).toEqual([`https://${HOST}/counter.png`])
    await expect(load).toHaveCount(0)
  })
}
