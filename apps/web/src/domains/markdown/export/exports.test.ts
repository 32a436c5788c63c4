// @vitest-environment jsdom
import { BlobReader, type FileEntry, TextWriter, ZipReader } from '@zip.js/zip.js/lib/zip-core-custom.js'
import { describe, expect, test, vi } from 'vitest'
import { exportWords as words } from '../../../locales/en-US/exports.ts'
import { ownTitle } from './document-title.ts'
import { drawDocument } from './drawn-document.ts'
import { exportText } from './export-text.ts'
import { fileNameOf } from '../../../lib/browser/save-blob.ts'
import { toPage } from './page.ts'
import { toWord } from './word.ts'

const TEXT = `---
author: Ann
tags: [one, two]
---
# Title 标题

Some **bold**, *soft*, ~~old~~, ==marked== and \`code\`, a [link](https://example.com/a) and a note[^1].

## Lists

3. three
4. four
   - nested
- [x] done
- [ ] open

> Quoted

| L | C | R |
|:--|:-:|--:|
| a | b | 1 |

\`\`\`ts
const answer = 42
if (answer) { }
\`\`\`

---

Inline $x^2$ and

$$
\\frac{a}{b} + \\sqrt{c} + \\sum_{i=1}^n x_i + \\begin{pmatrix} 1 & 2 \\\\ 3 & 4 \\end{pmatrix}
$$

![gone](https://elsewhere.example/p.png)

The note again[^1], another[^more] and one with a table[^table].

[^1]: The note, with *marks*, a [link](https://example.com/note) and a note of its own[^inner].
[^more]: First.

    Second.
[^table]:
    | a | b |
    |---|---|
    | 1 | 2 |
[^inner]: Of a note.
`

const draw = async () => {
  vi.stubGlobal('fetch', () => Promise.reject(new TypeError('not allowed')))
  return drawDocument(TEXT, words)
}

/** Reads an XML file from the zip archive of a Word document. */
async function documentOf(blob: Blob, name = 'word/document.xml'): Promise<Document> {
  const entries = await new ZipReader(new BlobReader(blob)).getEntries()
  const part = entries.find((entry): entry is FileEntry => entry.filename === name)
  return new DOMParser().parseFromString((await part?.getData(new TextWriter())) ?? '', 'application/xml')
}

describe('exports', () => {
  test('name files by the title, with characters that every system accepts', () => {
    expect(fileNameOf('A/B: "C"?', 'md', 'text')).toBe('A B C.md')
    expect(fileNameOf(' 标题. ', 'docx', 'text')).toBe('标题.docx')
    expect(fileNameOf('\u0000', 'html', 'text')).toBe('text.html')
  })
  test('create a standalone page that requests nothing', async () => {
    const drawn = await draw()
    expect(drawn.leftOut).toBe(1)
    const page = new DOMParser().parseFromString(toPage(drawn, 'A <b>', 'en-US'), 'text/html')
    expect(page.title).toBe('A <b>')
    expect(page.querySelectorAll('math')).toHaveLength(2)
    expect(page.querySelectorAll('script, link, iframe, [src^="http"]')).toHaveLength(0)
    expect(page.querySelector('.hljs-keyword')?.textContent).toBe('const')
    expect(page.body.textContent).toContain('Picture: gone')
    expect(page.querySelector('.footnotes-title')?.textContent).toBe('Footnotes')
  })
  test('create a Word document with headings, lists, tables, code and equations', async () => {
    const xml = await documentOf(await toWord(await draw(), 'Title'))
    const all = (name: string) => [...xml.getElementsByTagName(name)]
    const styles = all('w:pStyle').map((style) => style.getAttribute('w:val'))
    expect(styles.filter((style) => style?.startsWith('Heading'))).toEqual([
      'Heading1',
      'Heading2',
      'Heading2',
    ])
    expect(all('w:numPr').length).toBeGreaterThanOrEqual(5)
    // The tables are: front matter, the table in the text, and the table in a footnote.
    expect(all('w:tbl')).toHaveLength(3)
    expect(all('w:jc').map((one) => one.getAttribute('w:val'))).toEqual(
      expect.arrayContaining(['center', 'right']),
    )
    expect(all('m:oMath')).toHaveLength(2)
    for (const name of [
      'm:f',
      'm:rad',
      'm:m',
      'm:sSup',
      'm:limLow',
      'w:strike',
      'w:hyperlink',
      'w:highlight',
    ]) {
      expect({ name, isThere: all(name).length > 0 }).toEqual({ name, isThere: true })
    }
    const paragraphs = all('w:p').filter((one) => one.getElementsByTagName('w:numPr').length > 0)
    expect(paragraphs.filter((one) => one.textContent.trim() === '')).toEqual([])
    const words = xml.documentElement.textContent
    for (const word of ['标题', '☑', '☐', 'const answer = 42', 'Quoted', 'Of a note.', '[Picture: gone]']) {
      expect(words).toContain(word)
    }
  })
  test('contain a long table, list and paragraph in one piece', async () => {
    const rows = Array.from({ length: 400 }, (_, at) => `| row${at} | ${at} | words |`).join('\n')
    const items = Array.from({ length: 400 }, (_, at) => `${at + 1}. item ${at}`).join('\n')
    const text = `| a | b | c |\n| - | - | - |\n${rows}\n\n${items}\n\n${'words and more '.repeat(4000)}`
    const { root } = await drawDocument(text, words)
    expect([...root.children].map(({ tagName }) => tagName)).toEqual(['TABLE', 'OL', 'P'])
    expect(root.querySelectorAll('tbody tr')).toHaveLength(400)
    expect(root.querySelectorAll('[class]')).toHaveLength(0)
  })
  test('number each item of a Word list once, also where it has several paragraphs', async () => {
    const text =
      '1. one\n\n   more of one\n\n   ```\n   code\n   ```\n\n   > quoted\n\n2. two\n\n   - inner\n\n     more of inner'
    const xml = await documentOf(await toWord(await drawDocument(text, words), 'Title'))
    const paragraphs = [...xml.getElementsByTagName('w:p')].map((one) => [
      one.textContent,
      one.getElementsByTagName('w:pStyle')[0]?.getAttribute('w:val'),
      one.getElementsByTagName('w:numPr').length,
      one.getElementsByTagName('w:ind')[0]?.getAttribute('w:left') ?? null,
    ])
    expect(paragraphs).toEqual([
      ['one', 'ListParagraph', 1, null],
      ['more of one', 'ListContinue', 0, null],
      ['code', 'SourceCode', 0, '480'],
      ['quoted', 'ListContinue', 0, '840'],
      ['two', 'ListParagraph', 1, null],
      ['inner', 'ListParagraph', 1, null],
      ['more of inner', 'ListContinue2', 0, null],
    ])
  })
  test('keep right-to-left text in Word', async () => {
    const text =
      '# שלום\n\nمرحبا and Latin 12\n\nLatin with שלום עולם in it\n\n| שם | b |\n| --: | :-- |\n| א | x |'
    const xml = await documentOf(await toWord(await drawDocument(text, words), 'Title'))
    const paragraphs = [...xml.getElementsByTagName('w:p')].map((one) => [
      one.textContent,
      one.getElementsByTagName('w:bidi').length,
      [...one.getElementsByTagName('w:r')]
        .filter((run) => run.getElementsByTagName('w:rtl').length > 0)
        .map((run) => run.textContent),
      one.getElementsByTagName('w:jc')[0]?.getAttribute('w:val'),
    ])
    // In a right-to-left paragraph, `left` in Word means the right side of the page.
    expect(paragraphs.slice(0, 7)).toEqual([
      ['שלום', 1, ['שלום'], undefined],
      ['مرحبا and Latin 12', 1, ['مرحبا'], undefined],
      ['Latin with שלום עולם in it', 0, ['שלום עולם'], undefined],
      ['שם', 1, ['שם'], 'left'],
      ['b', 0, [], 'left'],
      ['א', 1, ['א'], 'left'],
      ['x', 0, [], 'left'],
    ])
    expect(xml.getElementsByTagName('w:bidiVisual')).toHaveLength(1)
  })
  test('convert the notes of a text to footnotes of a Word document, and its front matter to file properties', async () => {
    const file = await toWord(await draw(), 'Title')
    const xml = await documentOf(file)
    const references = [...xml.getElementsByTagName('w:footnoteReference')]
    expect(references.map((one) => one.getAttribute('w:id'))).toEqual(['1', '2'])
    const notes = await documentOf(file, 'word/footnotes.xml')
    const texts = [...notes.getElementsByTagName('w:footnote')]
      .slice(-2)
      .map((note) => note.textContent.trim())
    expect(texts).toEqual(['The note, with marks, a link and a note of its own4.', 'First.Second.'])
    const links = await documentOf(file, 'word/_rels/footnotes.xml.rels')
    expect(links.documentElement.innerHTML).toContain('https://example.com/note')
    // Word footnotes can hold only paragraphs. A note with other content stays at the end of the document.
    const words = xml.documentElement.textContent
    expect([words.includes('The note, with'), words.includes('Of a note.')]).toEqual([false, true])
    const numbering = await documentOf(file, 'word/numbering.xml')
    const starts = [...numbering.querySelectorAll('abstractNum > lvl:first-of-type > start')]
    expect(starts.map((start) => start.getAttribute('w:val'))).toEqual(expect.arrayContaining(['3', '4']))
    const facts = await documentOf(file, 'docProps/core.xml')
    expect(facts.documentElement.textContent).toContain('Ann')
    expect(facts.documentElement.textContent).toContain('one')
  })
})

describe('the title of a document', () => {
  test('is that of its front matter', () => {
    expect(ownTitle('---\ntitle: "My: report"\n---\n# Heading')).toBe('My: report')
    expect(ownTitle('---\nTitle: >\n  Two\n  lines\n---\n')).toBe('Two lines')
    expect(ownTitle('---\nauthor: Ann\n---\n# Heading')).toBe('')
    expect(ownTitle('# title: no')).toBe('')
  })

  test.each([
    ['---\ntitle: 年度报告 <1>\n---\n# Heading', '年度报告 &lt;1>', '年度报告 1.html'],
    ['# Heading', 'Heading', 'Heading.html'],
  ])('%j is in the page and in the name of its file', async (text, title, name) => {
    const saved: Blob[] = []
    const names: string[] = []
    vi.stubGlobal(
      'URL',
      Object.assign(URL, { createObjectURL: (blob: Blob) => saved.push(blob) && 'blob:x' }),
    )
    const click = vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function name(
      this: HTMLAnchorElement,
    ) {
      names.push(this.download)
    })
    await exportText('html', { text, title: 'Heading', words, language: 'en-US' })
    click.mockRestore()
    expect(await saved[0]?.text()).toContain(`<title>${title}</title>`)
    expect(names).toEqual([name])
  })
})
