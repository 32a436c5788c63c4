import { readFile } from 'node:fs/promises'
import { pasteRoutes } from '@dropleaf/contract'
import type { Page } from '@playwright/test'
import { exportWords as words } from '../apps/web/src/locales/en-US/exports.ts'
import {
  hasLibreOffice,
  maySkipDocuments,
  missingPrograms,
  printedByLibreOffice,
  readByPandoc,
  requirePrograms,
  textOfPdf,
} from './support/documents.ts'
import { PICTURE } from './support/media.ts'
import { expect, test } from './support/test.ts'

/**
 * A long document with headings, notes, tables, formulas, code, lists and a picture, and the contents that its exports
 * must have.
 */
const TITLE = 'Report of the year 年度报告'
const PARTS = Array.from({ length: 24 }, (_, at) => at + 1)
const LEDGER_ROWS = Array.from({ length: 300 }, (_, at) => [
  `entry${at + 1}`,
  `payee of ${at + 1}`,
  `${at + 1}.50`,
])

const part = (number: number) => `## Part ${number}

Words with **weight**, \`code${number}\`, 中文 and the inline formula $x_{${number}}^2$, with a note[^${number}].

[^${number}]: The note of part ${number}.

### Figures of part ${number}

| Name | Count | Share |
| :--- | ----: | :---: |
| north${number} | ${number * 7} | one |
| south${number} | ${number * 11} | **two** |

$$
\\frac{a_{${number}}}{b} + \\sqrt{c}
$$

\`\`\`js
const answer${number} = ${number}
if (answer${number} < 3) { go() }
\`\`\`

1. first of ${number}

   goes on in a second paragraph

2. second of ${number}
3. third of ${number}

> Quoted in part ${number}

- [x] done
- [ ] open
`

const SOURCE = [
  `# ${TITLE}`,
  '![A red square](data:image/png;base64,' + PICTURE.toString('base64') + ')',
  ...PARTS.map(part),
  '## Ledger',
  `| Entry | Payee | Sum |\n| --- | --- | ---: |\n${LEDGER_ROWS.map((row) => `| ${row.join(' | ')} |`).join('\n')}`,
  '## End',
  'שלום עולם, a text that runs the other way.',
].join('\n\n')

const HEADINGS = [
  [1, TITLE],
  ...PARTS.flatMap((number) => [
    [2, `Part ${number}`],
    [3, `Figures of part ${number}`],
  ]),
  [2, 'Ledger'],
  [2, 'End'],
]
const TABLES = [
  ...PARTS.map((number) => [
    ['Name', 'Count', 'Share'],
    [`north${number}`, String(number * 7), 'one'],
    [`south${number}`, String(number * 11), 'two'],
  ]),
  [['Entry', 'Payee', 'Sum'], ...LEDGER_ROWS],
]
const CODE = PARTS.map((number) => `const answer${number} = ${number}\nif (answer${number} < 3) { go() }`)
const NUMBERED = PARTS.flatMap((number) =>
  ['1. first', '2. second', '3. third'].map((item) => `${item} of ${number}`),
)
/** Removes braces and spaces. Programs write the same formula with different braces and spaces. */
const bare = (formula: string) => formula.replaceAll(/[\s{}]/g, '')
const FORMULAS = PARTS.flatMap((number) => [`x_${number}^2`, `\\fraca_${number}b+\\sqrtc`])

test.beforeEach(async ({ admin, page }) => {
  test.skip(
    missingPrograms().length > 0 && maySkipDocuments(),
    'programs that read documents are missing, as ALLOW_SKIP=documents allows',
  )
  requirePrograms()
  const slug = `report-${Math.random().toString(36).slice(2, 8)}`
  await admin.call(pasteRoutes.create, { body: { content: SOURCE, slug } })
  await page.goto(`/paste/${slug}`)
  await expect(page.getByRole('heading', { name: TITLE })).toBeVisible()
})

async function choose(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name: words.title, exact: true }).click()
  await page.getByRole('menuitem', { name }).click()
}

async function save(page: Page, name: string): Promise<Buffer> {
  const [download] = await Promise.all([page.waitForEvent('download'), choose(page, name)])
  return readFile(await download.path())
}

/** Returns the document that the page sends to the browser's print dialog, as a PDF. */
async function print(page: Page): Promise<Buffer> {
  const printed = Promise.withResolvers<string>()
  await page.exposeBinding('__printed', (_, html: string) => printed.resolve(html))
  await page.evaluate(() => {
    const told = window as unknown as { __printed: (html: string) => void }
    // Replaces `print` from outside, because the frame of the printed page runs no scripts.
    new MutationObserver(() => {
      const frame = [...document.querySelectorAll('iframe')].at(-1)
      frame?.addEventListener('load', () => {
        const view = frame.contentWindow
        if (view) view.print = () => told.__printed(view.document.documentElement.outerHTML)
      })
    }).observe(document.body, { childList: true })
  })
  await choose(page, words.asPdf)
  const html = await printed.promise
  const paper = await page.context().newPage()
  await paper.setContent(`<!doctype html>${html}`)
  const pdf = await paper.pdf({ preferCSSPageSize: true, outline: true, tagged: true })
  await paper.close()
  return pdf
}

/** Finds the pictures in an archive, which stores them uncompressed. */
function picturesIn(archive: Buffer): readonly Buffer[] {
  const pictures: Buffer[] = []
  for (let at = archive.indexOf('\u0089PNG', 0, 'latin1'); at !== -1;) {
    const end = archive.indexOf('IEND', at) + 8
    pictures.push(archive.subarray(at, end))
    at = archive.indexOf('\u0089PNG', end, 'latin1')
  }
  return pictures
}

/** Returns the lines of a printed text, with single spaces between words. */
const linesOf = (text: string) => text.split('\n').map((line) => line.replaceAll(/\s+/g, ' ').trim())

function expectOnPaper(text: string): void {
  const lines = new Set(linesOf(text))
  const isThere = (line: string) => lines.has(line)
  expect(HEADINGS.map(([, heading]) => String(heading)).filter((heading) => !isThere(heading))).toEqual([])
  const rows = TABLES.flat().map((row) => row.join(' '))
  expect(rows.filter((row) => !isThere(row))).toEqual([])
  const code = CODE.flatMap((block) => block.split('\n'))
  expect(code.filter((line) => !isThere(line))).toEqual([])
}

test('another program reads a long document in Word and as a web page completely', async ({ page }) => {
  const word = await readByPandoc(await save(page, words.asWord), 'docx')
  const html = await readByPandoc(await save(page, words.asHtml), 'html')
  for (const [form, found] of Object.entries({ word, html })) {
    const isNote = ([, title]: readonly [number, string]) => title === words.footnotes
    expect(
      found.headings.filter((heading) => !isNote(heading)),
      form,
    ).toEqual(HEADINGS)
    expect(found.tables, form).toEqual(TABLES)
    expect(found.formulas.map(bare), form).toEqual(FORMULAS)
    expect(found.code, form).toEqual(CODE)
    expect(found.pictures, form).toBe(1)
    // Ignores further paragraphs of an item. Some programs number them because of their style.
    const items = found.numbered.map((item) => /^\d+\. \w+ of \d+/.exec(item)?.[0]).filter(Boolean)
    expect(items, form).toEqual(NUMBERED)
  }
  expect(word.notes).toBe(PARTS.length)
})

test('a long document on paper, as Markdown and as pictures is complete', async ({ page }) => {
  const markdown = await save(page, words.asMarkdown)
  expect(markdown.toString()).toBe(SOURCE)
  const { headings, tables, code } = await readByPandoc(markdown, 'gfm')
  expect({ headings, tables, code }).toEqual({ headings: HEADINGS, tables: TABLES, code: CODE })

  const paper = await textOfPdf(await print(page))
  expectOnPaper(paper)
  for (const sign of [/𝑥/gu, /𝑎/gu, /√/gu, /𝑐/gu]) expect(paper.match(sign)).toHaveLength(PARTS.length)
  const pictures = picturesIn(await save(page, words.asImage))
  expect(pictures.length).toBeGreaterThan(3)
  const sizes = await page.evaluate(
    async (all) =>
      Promise.all(
        all.map(async (base64) => {
          const bytes = Uint8Array.from(atob(base64), (sign) => sign.charCodeAt(0))
          const picture = await createImageBitmap(new Blob([bytes], { type: 'image/png' }))
          const canvas = new OffscreenCanvas(picture.width / 8, picture.height / 8)
          const context = canvas.getContext('2d')!
          context.drawImage(picture, 0, 0, canvas.width, canvas.height)
          const { data } = context.getImageData(0, 0, canvas.width, canvas.height)
          const dark = data.reduce((sum, value, at) => sum + (at % 4 === 0 && value < 128 ? 1 : 0), 0)
          return { width: picture.width, isBlank: dark < canvas.width }
        }),
      ),
    pictures.map((bytes) => bytes.toString('base64')),
  )
  expect(sizes).toEqual(pictures.map(() => ({ width: 1600, isBlank: false })))
})

test('LibreOffice prints the Word document of a long text completely', async ({ page }) => {
  test.skip(process.env['EVERY_WORLD'] !== '1', 'EVERY_WORLD=1 lets LibreOffice open the document')
  test.skip(!hasLibreOffice(), 'there is no LibreOffice: install libreoffice-writer-nogui to have it tried')
  const pdf = await printedByLibreOffice(await save(page, words.asWord))
  // Does not check the formulas, because they need libreoffice-math.
  expectOnPaper(await textOfPdf(pdf))
})
