import { pasteRoutes } from '@dropleaf/contract'
import { expectAccessible } from './support/accessible.ts'
import { expect, inOppositeWorlds, say, test } from './support/worlds.ts'

const LONG = Array.from({ length: 60 }, (_, line) => `print("line ${line}")  # a comment`).join('\n')
const TEXT = [
  '# Code',
  '```ts\nconst answer: number = 42\n```',
  '```no-such-language\n<script>window.ran = true</script>\n```',
  `\`\`\`py\n${LONG}\n\`\`\``,
  '```html\n<h1>A page</h1><a href="/">out</a>\n```',
].join('\n\n')

inOppositeWorlds(({ device }) => {
  test('code is highlighted, copied unchanged, and folded when it is long', async ({
    page,
    context,
    admin,
    words,
    press,
  }) => {
    const slug = `code-${device}`
    await admin.call(pasteRoutes.create, { body: { content: TEXT, slug } })
    await context.grantPermissions(['clipboard-read', 'clipboard-write'])
    await page.goto(`/paste/${slug}`)
    const blocks = page.locator('.dl-code')
    await expect(blocks).toHaveCount(4)
    await expect(blocks.nth(0).locator('.hljs-keyword')).toHaveText('const')
    await expect(blocks.nth(2).locator('.hljs-comment').first()).toHaveText('# a comment')
    await expect(blocks.nth(1).locator('code')).toHaveText('<script>window.ran = true</script>\n')
    await expect(blocks.nth(1).locator('code span')).toHaveCount(0)

    const showAll = blocks.nth(2).getByRole('button', { name: say(words.reading.showAll, { number: 60 }) })
    await expect(blocks.nth(0).getByRole('button')).toHaveCount(1)
    await expect(showAll).toHaveAttribute('aria-expanded', 'false')
    const folded = (await blocks.nth(2).boundingBox())?.height ?? 0
    await press(showAll)
    await expect(blocks.nth(2).getByRole('button', { name: words.reading.showLess })).toBeVisible()
    expect((await blocks.nth(2).boundingBox())?.height ?? 0).toBeGreaterThan(folded * 2)

    await blocks.nth(2).hover()
    const copy = blocks.nth(2).getByRole('button', { name: words.common.copy, exact: true })
    await press(copy)
    await expect(page.getByRole('status').filter({ hasText: words.common.copied })).toHaveCount(1)
    await expect(copy).toBeFocused()
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(`${LONG}\n`)
    await expectAccessible(page, `code, ${device}`)

    await press(blocks.nth(3).getByRole('button', { name: words.reading.show }))
    const result = page.getByRole('dialog', { name: words.reading.page })
    await expect(result.locator('iframe')).toHaveAttribute('sandbox', '')
    await page.keyboard.press('Escape')
    await expect(result).toHaveCount(0)
  })
})
