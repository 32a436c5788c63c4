import { readFile } from 'node:fs/promises'
import { pasteRoutes } from '@dropleaf/contract'
import { expect, test } from './support/test.ts'
import { exportWords as words } from '../apps/web/src/locales/en-US/exports.ts'
import { locale as english } from '../apps/web/src/locales/en-US/index.ts'
import { textViewWords } from '../apps/web/src/locales/en-US/text-view-words.ts'

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
  // A single picture would be too large, so the archive contains several pictures, uncompressed.
  const archive = await save(words.asImage, 'zip')
  const widths = [...archive.toString('latin1').matchAll(/\u0089PNG/g)].map(({ index }) =>
    archive.readUInt32BE(index + 16),
  )
  expect(widths.length).toBeGreaterThan(1)
  expect(new Set(widths)).toEqual(new Set([1600]))
  expect(archive.toString('latin1')).toContain('The whole story 2.png')

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

test('a text is printed in light colours, including parts not rendered before', async ({ page, admin }) => {
  const content = `# Far\n\n${'Words.\n\n'.repeat(300)}$$\n\\sum_i x_i\n$$\n`
  await admin.call(pasteRoutes.create, { body: { content, slug: 'far-below' } })
  const printed: unknown[] = []
  await page.exposeBinding('__printed', ({ frame }, formulas: number) =>
    printed.push({ isPage: frame === page.mainFrame(), formulas }),
  )
  await page.addInitScript(() => {
    localStorage.setItem('themeMode', 'dark')
    const { __printed: tell } = window as unknown as { __printed: (formulas: number) => void }
    window.print = () => tell(document.querySelectorAll('math').length)
  })
  await page.goto('/paste/far-below')
  await page.getByRole('button', { name: words.title, exact: true }).waitFor()
  await page.keyboard.press('Control+p')
  await expect.poll(() => printed).toEqual([{ isPage: false, formulas: 1 }])
  await page.getByRole('button', { name: textViewWords.textView.more, exact: true }).click()
  await page.emulateMedia({ media: 'print' })
  await expect(page.getByRole('menuitem').first()).toBeHidden()
  await expect(page.locator('body')).toHaveCSS('background-color', 'rgb(255, 255, 255)')
  await expect(page.locator('body')).toHaveCSS('color', 'rgb(27, 31, 28)')
  await page.emulateMedia({ media: 'screen' })
  await page.getByRole('menuitem', { name: english.paste.print, exact: true }).click()
  await expect.poll(() => printed).toHaveLength(2)
})
