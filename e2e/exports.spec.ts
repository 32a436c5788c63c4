import { readFile } from 'node:fs/promises'
import { pasteRoutes } from '@dropleaf/contract'
import { expect, test } from './support/test.ts'
import { exportWords as words } from '../apps/web/src/locales/en-US/exports.ts'

const SECTION = `## A part

Words with **weight**, \`code\` and $x^2$.

| a | b |
| - | -: |
| left | 12 |

\`\`\`js
const answer = 42
\`\`\`

- one
  - two
- [x] done
`
const LONG = `# The whole story\n\n${SECTION.repeat(60)}`

test('a long text is saved as Markdown, web page, picture and Word document, and copied in three forms', async ({
  page,
  context,
  admin,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await admin.call(pasteRoutes.create, { body: { content: LONG, slug: 'the-whole-story' } })
  await page.goto('/paste/the-whole-story')
  await expect(page.getByRole('heading', { name: 'The whole story' })).toBeVisible()
  const choose = async (name: string) => {
    await page.getByRole('button', { name: words.title, exact: true }).click()
    await page.getByRole('menuitem', { name }).click()
  }
  const save = async (name: string, ending: string): Promise<Buffer> => {
    const [download] = await Promise.all([page.waitForEvent('download'), choose(name)])
    expect(download.suggestedFilename()).toBe(`The whole story.${ending}`)
    return readFile(await download.path())
  }
  expect((await save(words.asMarkdown, 'md')).toString()).toBe(LONG)

  const html = (await save(words.asHtml, 'html')).toString()
  expect(html.match(/<h2/g)).toHaveLength(60)
  expect(html.match(/<table/g)).toHaveLength(60)
  expect(html.match(/<math/g)).toHaveLength(60)
  expect(html).not.toMatch(/<script|(?:src|href)="(?!#|data:)/)

  const word = await save(words.asWord, 'docx')
  expect(word.subarray(0, 2).toString()).toBe('PK')
  const picture = await save(words.asImage, 'png')
  expect(picture.subarray(1, 4).toString()).toBe('PNG')
  // Width and height stand after the signature and the name of the first part.
  expect(picture.readUInt32BE(20)).toBeGreaterThan(picture.readUInt32BE(16) * 4)

  const copied = async (name: string) => {
    await page.evaluate(() => navigator.clipboard.writeText(''))
    await choose(name)
    await expect
      .poll(() => page.evaluate(() => navigator.clipboard.readText()), { message: name })
      .not.toBe('')
    return page.evaluate(async () => {
      const [item] = await navigator.clipboard.read()
      const type = item?.types.includes('text/html') ? 'text/html' : 'text/plain'
      return (await item?.getType(type))?.text()
    })
  }
  expect(await copied(words.copyMarkdown)).toBe(LONG)
  expect(await copied(words.copyHtml)).toMatch(/<strong>weight<\/strong>/)
  expect(await copied(words.copyPlain)).toMatch(/^The whole story\n[^*]*Words with weight/)
})
