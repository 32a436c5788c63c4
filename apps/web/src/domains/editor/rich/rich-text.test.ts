// @vitest-environment jsdom
import type { Node } from 'prosemirror-model'
import { EditorState } from 'prosemirror-state'
import { describe, expect, test } from 'vitest'
import { docOf, parseText, withLastBlanks } from './from-markdown.ts'
import { htmlToMarkdown } from './html-to-markdown.ts'
import { schema } from './schema.ts'
import { makeWriter, writeDoc } from './to-markdown.ts'

const PIECES = [
  '# Heading *one*',
  'Setext\n======',
  'A paragraph with **strong**, *em*, ~~gone~~, ==marked==, `co``de` and [a link](https://a.example "t").',
  'two\nlines  \nhard break\\\nagain',
  '- one\n- two\n  - nested\n\n    with more',
  '* [ ] open\n* [x] done',
  '1) first\n2) second',
  '+ loose\n\n+ items',
  '> quoted\n> > twice\n>\n> - and a list',
  '| a | b |\n|:-:|--:|\n| 1 \\| 2 | `x` |\n| | |',
  '```ts title\nconst a = `b`\n```',
  '    indented code',
  '~~~\n```\n~~~',
  'Formula $a_b$ and $$c$$, but $5 and $6.',
  '$$\nx^2\n$$',
  'A note[^1] and [^long-one].',
  '[^1]: The note.\n\n    Second paragraph of it.',
  '[TOC]',
  '```mermaid\ngraph TD; A-->B\n```',
  '<div class="x">\n<b>html</b> looking\n</div>',
  'text with <b>tags</b> & &amp; entities &nbsp;.',
  '[ref]: https://ref.example "Title"',
  'Use [ref] and ![pic](a.png "p") and <https://auto.example>.',
  '***',
  '**中文**和*斜体*，`代码`。',
  '<!-- a comment -->',
  '<!-- one of\n\n# many lines -->',
  'said <!-- to nobody --> to all',
  'one<br>two<BR/>three  \nfour',
  '# One<br>heading',
  '| a<br>b | c |\n| - | - |\n| 1 | 2<br />3 |',
  'Press <kbd>Ctrl</kbd>+<kbd>C</kbd>, H<sub>2</sub>O, **E=mc<sup>2</sup>**, <sub>alone.',
  '<details>\n<summary>More *of* it</summary>\n\nText.\n\n- one\n\n</details>',
  '<details open>\n\n```html\n</details>\n```\n\n</details>',
  '> <details>\n> <summary>quoted</summary>\n>\n> in it\n>\n> <details>\n>\n> twice\n>\n> </details>\n>\n> </details>',
  '<details>\nnever closed',
  '\\*escaped\\* \\# signs',
  'A <img src="a.png" width="60"> with its size',
  'trailing blanks   ',
  '**注意：**正文继续。\n他说**“你好”**就走了。\n这是**重要（必读）**的内容。\n*强调。*后文，~~旧。~~新',
  'Water \\(\\ce{H2O}\\) and \\[ x \\] here, but \\[1\\] and [a=b](/c).',
  '\\[ E = mc^2 \\]',
  '\\[\na\n+ b\n\\]',
]
const FRONT = '---\ntitle: x\ntags: [a]\n---'

/** Creates a deterministic pseudo-random generator. */
function makeRandom(seed: number) {
  let state = seed
  return (limit: number): number => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0
    return Math.floor((state / 2 ** 32) * limit)
  }
}

function makeText(seed: number): string {
  const random = makeRandom(seed)
  const lineEnd = random(5) === 0 ? '\r\n' : '\n'
  const count = 1 + random(9)
  const parts = Array.from({ length: count }, () => PIECES[random(PIECES.length)] ?? '')
  const gaps = ['\n\n', '\n\n\n', '\n \n', '\n\n\t\n']
  let text = random(4) === 0 ? `${FRONT}\n` : ['', '', '\n', '  \n\n'][random(4)]!
  for (const part of parts) text += part + gaps[random(gaps.length)]!
  if (random(2) === 0) text = text.trimEnd()
  return text.replaceAll('\n', lineEnd)
}

const TEXTS = Array.from({ length: 200 }, (_, seed) => makeText(seed + 1))

function open(text: string) {
  const parsed = parseText(text)
  const doc = docOf(parsed)
  return { doc, write: makeWriter(text, parsed, doc) }
}

const typed = schema.node('paragraph', null, [schema.text('typed * here')])

const childrenOf = (doc: Node): Node[] =>
  Array.from({ length: doc.childCount }, (_, index) => doc.child(index))

describe('a text in the rich editor', () => {
  test('parses and writes marks of Chinese words beside punctuation', () => {
    const marked = (text: string) => {
      const found: string[] = []
      docOf(parseText(text)).descendants((node) => {
        for (const { type } of node.marks) found.push(`${type.name} ${node.text ?? ''}`)
      })
      return found
    }
    const text = '**注意：**正文 他说**“你好”**就走了 这是**重要（必读）**的内容 *强调。*后文 ==高亮。==后文'
    const marks = ['strong 注意：', 'strong “你好”', 'strong 重要（必读）', 'em 强调。', 'highlight 高亮。']
    expect(marked(text)).toEqual(marks)
    expect(marked(writeDoc(docOf(parseText(text))))).toEqual(marks)
    expect(writeDoc(docOf(parseText(text)))).toBe(text)
  })
  test('is unchanged byte by byte if nothing is typed', () => {
    for (const text of ['', '\n', '  ', ...PIECES, ...TEXTS]) {
      const { doc, write } = open(text)
      doc.check()
      expect(write(doc)).toBe(text)
      const { blocks, lead } = parseText(text)
      expect(lead + blocks.map(({ source, gap }) => source + gap).join('')).toBe(text)
    }
  })
  test('keeps all other blocks byte by byte when a block is inserted', () => {
    for (const text of TEXTS) {
      const { doc, write } = open(text)
      const blocks = childrenOf(doc)
      const at = Math.floor(blocks.length / 2)
      const changed = schema.node('doc', null, blocks.toSpliced(at, 0, typed))
      const written = write(changed)
      const { blocks: sources } = parseText(text)
      for (const { source } of sources) expect(written).toContain(source)
      expect(written).toContain('typed * here')
    }
  })
  test('has the same blocks when it is parsed again after a change elsewhere', () => {
    for (const text of TEXTS.filter((candidate) => !candidate.includes('\r'))) {
      const { doc, write } = open(text)
      const changed = schema.node('doc', null, [...childrenOf(doc), typed])
      const again = docOf(parseText(write(changed)))
      expect({ text, doc: again.toJSON() }).toEqual({ text, doc: changed.toJSON() })
    }
  })
  test.each(PIECES.filter((piece) => !piece.startsWith('[ref]')))(
    'writes %j so that it is parsed as the same text',
    (piece) => {
      const text = `${piece}\n\n[ref]: https://ref.example "Title"`
      const doc = docOf(parseText(text))
      const written = writeDoc(doc)
      expect({ written, doc: docOf(parseText(written)).toJSON() }).toEqual({ written, doc: doc.toJSON() })
    },
  )
  test('typed Markdown characters are escaped', () => {
    for (const words of [
      '# not a heading',
      '* a',
      '1. b',
      '> c',
      'a *b* c',
      '`x`',
      '[a](b)',
      '[a=b]',
      '\\(x\\) and \\[ y \\]',
      '---',
      '| a |\n',
      '$x$',
      '==m==',
      '~~s~~',
      '[TOC]',
      'a_b_',
      '\\*',
      '&amp;',
      'a <br> b',
      '<kbd>x</kbd>',
      '<!-- x -->',
      '<details>',
    ]) {
      const doc = schema.node('doc', null, [schema.node('paragraph', null, [schema.text(words.trim())])])
      const again = docOf(parseText(writeDoc(doc)))
      expect(again.textContent).toBe(words.trim())
      expect(again.toJSON()).toEqual(doc.toJSON())
    }
  })
})

test('formatted text is pasted as Markdown, without active content', () => {
  const html =
    '<meta charset="utf-8"><h2>Title</h2><p>A <b>bold</b> <a href="https://a.example">link</a>, <i>em</i>' +
    '<script>alert(1)</script><a href="javascript:alert(1)">no</a></p><ul><li>one</li><li><input type="checkbox" checked> two</li></ul>' +
    '<table><tr><th>a</th></tr><tr><td>1</td></tr></table><pre><code class="language-js">x = 1</code></pre>'
  expect(htmlToMarkdown(html)).toBe(
    [
      '## Title',
      'A **bold** [link](https://a.example), *em*no',
      '- one\n- [x] two',
      '| a   |\n| --- |\n| 1   |',
      '```js\nx = 1\n```',
    ].join('\n\n'),
  )
})

test.each(['a *b* c ', '# x\n\nlast  ', 'words'])(
  'typing continues after the spaces at the end of %j',
  (text) => {
    const parsed = withLastBlanks(parseText(text), text)
    const doc = docOf(parsed)
    const write = makeWriter(text, parsed, doc)
    expect(write(doc)).toBe(text)
    const state = EditorState.create({ doc })
    const typed = state.tr.insertText('d', doc.content.size - 1).doc
    expect(write(typed)).toBe(`${text}d`)
    const before = state.tr.insert(0, schema.nodes.paragraph.create(null, schema.text('first'))).doc
    expect(write(before)).toBe(`first\n\n${text}`)
  },
)

test('a blank at the end of an item stays', () => {
  const text = '- one'
  const parsed = parseText(text)
  const doc = docOf(parsed)
  const typed = EditorState.create({ doc }).tr.insertText(' ', doc.content.size - 3).doc
  expect(makeWriter(text, parsed, doc)(typed)).toBe('- one ')
})

test('a line break in a cell or a heading is a tag in the source', () => {
  const { hard_break: line } = schema.nodes
  const words = [schema.text('a'), line.create({ source: '<br>' }), schema.text('b')]
  const heading = schema.node('heading', { level: 2 }, words)
  const cell = (type: string, content: Node[]) => schema.node(type, null, content)
  const table = schema.node('table', null, [
    schema.node('table_row', null, [cell('table_header', words)]),
    schema.node('table_row', null, [cell('table_cell', words)]),
  ])
  expect(writeDoc(schema.node('doc', null, [heading, table]))).toBe(
    '## a<br>b\n\n| a<br>b |\n| ------ |\n| a<br>b |',
  )
})

test('pasted keys, letters above the line and what is folded are written as they are read', () => {
  const html =
    '<details open><summary>Head</summary><p><kbd>F1</kbd> x<sup>2</sup></p></details><table><tr><td>a<br>b</td></tr></table>'
  expect(htmlToMarkdown(html)).toBe(
    '<details open>\n<summary>Head</summary>\n\n<kbd>F1</kbd> x<sup>2</sup>\n\n</details>\n\n| a<br>b |\n| ------ |',
  )
})

test('a text whose content was deleted has no blank lines', () => {
  const { write } = open('\n\n# Heading\n\nwords\n\n')
  expect(write(schema.node('doc', null, [schema.node('paragraph')]))).toBe('')
})
