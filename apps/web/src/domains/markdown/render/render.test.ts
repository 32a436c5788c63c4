// @vitest-environment jsdom
import { describe, expect, test } from 'vitest'
import { BOMBS } from '../testing/bombs.ts'
import { HOSTILE } from '../testing/hostile-corpus.ts'
import { parser } from '../syntax/parser.ts'
import { cutHead, cutMarkdown } from './pieces.ts'
import { renderMarkdown } from './render.ts'
import { sanitise } from './sanitise.ts'

const bodyOf = (html: string) => new DOMParser().parseFromString(`<body>${html}`, 'text/html').body

describe('Markdown', () => {
  test('has tables, strikethrough, bare links and task lists', () => {
    const { html } = renderMarkdown(
      '| a | b |\n|:--|--:|\n| 1 | 2 |\n\n~~old~~ https://example.com\n\n- [x] done\n- [ ] open',
    )
    const body = bodyOf(html)
    expect(body.querySelector('td[align="right"]')?.textContent).toBe('2')
    expect(body.querySelector('s')?.textContent).toBe('old')
    expect(body.querySelector('a')?.getAttribute('href')).toBe('https://example.com')
    const boxes = [...body.querySelectorAll('input')]
    expect(boxes.map((box) => [box.type, box.checked, box.disabled])).toEqual([
      ['checkbox', true, true],
      ['checkbox', false, true],
    ])
  })
  test('labels each checkbox of a task list with the text of its item', () => {
    const { html } = renderMarkdown('- [x] buy **green** `tea`\n  - [ ] a "pot"\n\n- [ ] \n- [ ] last')
    const names = [...bodyOf(html).querySelectorAll('input')].map((box) => box.getAttribute('aria-label'))
    expect(names).toEqual(['buy green tea', 'a "pot"', 'last'])
  })
  test('does not label a column by an empty head cell', () => {
    const body = bodyOf(renderMarkdown('|  | price |\n|--|--|\n| tea | 2 |').html)
    expect(body.querySelector('thead tr')?.innerHTML).toMatch(/^\s*<td><\/td>\s*<th>price<\/th>\s*$/)
  })
  test('opens external links in a new tab without a referrer, and own links in the same tab', () => {
    const body = bodyOf(
      renderMarkdown('[out](https://example.com) [in](/paste/a) [down](#part)\n\n# Part').html,
    )
    const [out, inside, down] = body.querySelectorAll('a')
    expect([out?.target, out?.rel]).toEqual(['_blank', 'noopener noreferrer nofollow'])
    expect(inside?.target).toBe('')
    expect(down?.getAttribute('href')).toBe('#user-content-part')
    expect(body.querySelector('h1')?.id).toBe('user-content-part')
  })
  test('loads pictures lazily and without a referrer', () => {
    const image = bodyOf(renderMarkdown('![p](https://example.com/p.png)').html).querySelector('img')
    expect(image?.getAttribute('loading')).toBe('lazy')
    expect(image?.getAttribute('referrerpolicy')).toBe('no-referrer')
  })
  test('numbers repeated headings and returns the first one', () => {
    const { html, title } = renderMarkdown('# 部署 *now*\n\n## A\n\n## A')
    expect(title).toBe('部署 now')
    expect([...bodyOf(html).querySelectorAll('h2')].map((heading) => heading.id)).toEqual([
      'user-content-a',
      'user-content-a-1',
    ])
    expect(renderMarkdown('no heading').title).toBeNull()
  })
  test('returns all headings with their ids in the page', () => {
    const { html, outline } = renderMarkdown(
      '# A `b`\n\n### A b\n\nTwo\nlines\n---\n\n# A b\n\n# A b-1\n\n# !',
    )
    expect(outline).toEqual([
      { level: 1, id: 'user-content-a-b', text: 'A b' },
      { level: 3, id: 'user-content-a-b-1', text: 'A b' },
      { level: 2, id: 'user-content-two-lines', text: 'Two lines' },
      { level: 1, id: 'user-content-a-b-2', text: 'A b' },
      { level: 1, id: 'user-content-a-b-1-1', text: 'A b-1' },
      { level: 1, id: 'user-content-section', text: '!' },
    ])
    const ids = [...bodyOf(html).querySelectorAll('h1, h2, h3')].map((heading) => heading.id)
    expect(ids).toEqual(outline.map(({ id }) => id))
  })
  test('has footnotes, with links to them and back', () => {
    const body = bodyOf(
      renderMarkdown(
        'a[^1] b[^n] c[^1] d[^none]\n\n[^n]: See [^deep]\n\n[^deep]: Deep\n\n[^1]: One\n\n    more',
      ).html,
    )
    const refs = [...body.querySelectorAll('.footnote-ref')].map((link) => link.textContent)
    expect(refs).toEqual(['1', '2', '1', '3'])
    expect(body.textContent).toContain('d[^none]')
    const notes = [...body.querySelectorAll('.footnotes > li')]
    expect(notes.map((note) => note.textContent.replaceAll(/\s+/g, ' ').trim())).toEqual([
      'One more ↩ ↩2',
      'See 3 ↩',
      'Deep ↩',
    ])
    for (const link of body.querySelectorAll('a')) {
      expect(body.querySelector(`[id="${link.getAttribute('href')?.slice(1)}"]`)).not.toBeNull()
    }
  })
  test('highlights text between double equals signs, but no comparison', () => {
    const body = bodyOf(renderMarkdown('==a *b*== 中文==高亮==中文 a==b && c==d == no ==').html)
    expect([...body.querySelectorAll('mark')].map((mark) => mark.textContent)).toEqual(['a b', '高亮'])
  })
  test('shows front matter as facts as they are written, and as code where it is broken', () => {
    const { html, title } = renderMarkdown(
      '---\ntitle: A\ndate: 2026-11-22\nv: 1.10\ntags: [x, y]\n---\ntext',
    )
    const cells = [...bodyOf(html).querySelectorAll('.front-matter td')].map((cell) => cell.textContent)
    expect(cells).toEqual(['A', '2026-11-22', '1.10', 'x, y'])
    expect(title).toBe('A')
    const broken = bodyOf(renderMarkdown('---\ntitle: [A\n---\n# text').html)
    expect(broken.querySelector('code.language-yaml')?.textContent).toBe('title: [A')
    expect(broken.querySelector('h1')?.textContent).toBe('text')
    expect(bodyOf(renderMarkdown('---\n\ntext').html).querySelector('hr')).not.toBeNull()
  })
  test.each(['[TOC]', '[toc]', '[[toc]]'])('puts all headings in the place of %s', (mark) => {
    const { html, outline } = renderMarkdown(`${mark}\n\n# A\n\n### B\n\n## C\n\n${mark}`)
    const body = bodyOf(html)
    const links = [...body.querySelectorAll('nav.contents a')]
    expect(links.map((link) => link.getAttribute('href'))).toEqual(outline.map(({ id }) => `#${id}`))
    expect(body.querySelectorAll('nav.contents > ul > li > ul > li')).toHaveLength(2)
    // The second placeholder for a table of contents remains as text.
    expect(body.textContent).toContain(mark)
  })
  test('distinguishes formulas from amounts of money', () => {
    const formulas = (text: string) =>
      [...bodyOf(renderMarkdown(text).html).querySelectorAll('[class^="language-math"]')].map((code) => [
        code.textContent.trim(),
        code.parentElement?.tagName === 'PRE' || code.className.endsWith('display'),
      ])
    expect(formulas('$x^2$, 设$y$为正 and $$z$$, **$k$**')).toEqual([
      ['x^2', false],
      ['y', false],
      ['z', true],
      ['k', false],
    ])
    expect(formulas('$$\na\n\nb\n$$\n\n$$ c $$\n\n```math\nd\n```')).toEqual([
      ['a\n\nb', true],
      ['c', true],
      ['d', true],
    ])
    expect(formulas('$5 and $6 and $ x $, \\$a\\$, `$b$`, a$b$c\n\n$$\nopen')).toEqual([])
  })
  test('draws formulas in brackets, those of chemistry too, and leaves brackets of words alone', () => {
    const formulas = (text: string) =>
      [...bodyOf(renderMarkdown(text).html).querySelectorAll('[class^="language-math"]')].map((code) => [
        code.textContent.trim(),
        code.parentElement?.tagName === 'PRE' || code.className.endsWith('display'),
      ])
    expect(formulas('行内 \\( a+b \\) 结束 \\(x\\) **\\(\\ce{H2O}\\)** see \\[a = b\\].')).toEqual([
      ['a+b', false],
      ['x', false],
      ['\\ce{H2O}', false],
      ['a = b', true],
    ])
    expect(formulas('text\n\\[ E = mc^2 \\]\nmore\n\n\\[\nx\n\\]\n\n> \\[\n> y^2\n> z\\]')).toEqual([
      ['E = mc^2', true],
      ['x', true],
      ['y^2\nz', true],
    ])
    const texts = [
      '\\[1\\] \\[Note\\] \\[ \\] \\[a=b\\](/c) `\\(x\\)` \\\\(x\\\\) \\(open',
      '\\[never\n\nclosed\\]',
      '\\(\\)',
      '    \\[ a = b \\]',
    ]
    for (const text of texts) expect({ text, found: formulas(text) }).toEqual({ text, found: [] })
  })
  test('has Chinese words bold and italic beside punctuation', () => {
    const body = bodyOf(
      renderMarkdown(
        '**注意：**正文继续。他说**“你好”**就走了。这是**重要（必读）**的内容。*强调。*后文 ~~旧的。~~新的 ==高亮。==后文',
      ).html,
    )
    const found = [...body.querySelectorAll('strong, em, s, mark')]
    expect(found.map(({ localName, textContent }) => `${localName} ${textContent}`)).toEqual([
      'strong 注意：',
      'strong “你好”',
      'strong 重要（必读）',
      'em 强调。',
      's 旧的。',
      'mark 高亮。',
    ])
  })
  test('shows no blank where a line ends between Chinese characters', () => {
    const words = (text: string) => bodyOf(renderMarkdown(text).html).textContent.trim()
    expect(words('第一行，\n第二行')).toBe('第一行，第二行')
    expect(words('**粗体**\n*后文*')).toBe('粗体后文')
    expect(words('他说“好”\n就走了')).toBe('他说“好”就走了')
    expect(words('𠮷野家\nです')).toBe('𠮷野家です')
    expect(words('中文\nEnglish')).toBe('中文\nEnglish')
    expect(words('중국\n한국')).toBe('중국\n한국')
    expect(words('“one”\n“two”')).toBe('“one”\n“two”')
    expect(words('中文\n`代码`')).toBe('中文\n代码')
    expect(renderMarkdown('中文的\n标题\n===').outline[0]?.text).toBe('中文的标题')
  })
  test('plays recordings, and loads nothing of them before', () => {
    const body = bodyOf(
      renderMarkdown('![Clip](/a.mp4?x=1)\n\nhttps://a.example/b.mp3\n\nsee https://a.example/c.mp3').html,
    )
    const [video, audio] = body.querySelectorAll<HTMLMediaElement>('video, audio')
    expect([video?.localName, video?.title, video?.preload, video?.autoplay]).toEqual([
      'video',
      'Clip',
      'none',
      false,
    ])
    expect([audio?.localName, audio?.getAttribute('src')]).toEqual(['audio', 'https://a.example/b.mp3'])
    expect(body.querySelectorAll('video, audio')).toHaveLength(2)
  })
  test('gives blocks the direction of their first letter', () => {
    const body = bodyOf(renderMarkdown('שלום\n\n- a\n\n> b').html)
    expect([...body.children].map((block) => block.getAttribute('dir'))).toEqual(['auto', 'auto', 'auto'])
  })
  test('is rendered in pieces that equal the whole, with continued list numbers', () => {
    const text = Array.from({ length: 2000 }, (_, at) => `${at + 5}. item ${at}\n`).join('') + '\n# End\n'
    const pieces = [...cutMarkdown(text).pieces]
    expect(pieces.length).toBeGreaterThan(2)
    const body = bodyOf(pieces.join(''))
    const lists = [...body.querySelectorAll('ol')]
    let next = 5
    for (const list of lists) {
      expect(list.start).toBe(next)
      next += list.children.length
    }
    expect(next).toBe(2005)
  })
  test('changes few pieces for a small change', () => {
    const text = Array.from({ length: 3000 }, (_, at) => `Paragraph ${at} of a text.\n\n`).join('')
    const before = new Set(cutMarkdown(text).pieces)
    const after = [...cutMarkdown(`A word more. ${text}`).pieces]
    expect(after.length).toBeGreaterThan(8)
    expect(after.filter((piece) => !before.has(piece)).length).toBeLessThan(4)
  })
  test('shows HTML of the source as text', () => {
    expect(bodyOf(renderMarkdown('<b>bold</b>').html).textContent).toContain('<b>bold</b>')
  })
  test('supports line breaks, keys, superscript and subscript', () => {
    const { html, outline } = renderMarkdown(
      '# Press <kbd>Ctrl</kbd>\n\n| a |\n|---|\n| one<br>two<BR />three |\n\nH<sub>2</sub>O, x<sup>*2*</sup>, <KBD>A</KBD>',
    )
    const body = bodyOf(html)
    expect(outline[0]?.text).toBe('Press Ctrl')
    expect(body.querySelector('td')?.innerHTML).toMatch(/^one<br>\s*two<br>\s*three$/)
    expect(body.querySelector('p')?.innerHTML).toBe('H<sub>2</sub>O, x<sup><em>2</em></sup>, <kbd>A</kbd>')
  })
  test.each(['a <kbd>b', 'a</sub>', '<sup>a</sub></sup', '<kbd class="x">a</kbd>', '</br>', '`<br>`'])(
    '%j is shown unchanged',
    (text) => {
      expect(bodyOf(renderMarkdown(text).html).querySelector('kbd, sub, sup, br')).toBeNull()
      expect(bodyOf(renderMarkdown(text).html).textContent.trim()).toBe(text.replaceAll('`', ''))
    },
  )
  test('does not show comments', () => {
    const text =
      'a <!-- b --> c\n\n<!-- one\n\ntwo\n-->\n\n> <!-- quoted -->\n> d\n\n<!-- no end\n\n`<!-- code -->`'
    const words = bodyOf(renderMarkdown(text).html).textContent.replaceAll(/\s+/g, ' ')
    expect(words.trim()).toBe('a c d <!-- no end <!-- code -->')
    expect(renderMarkdown('<!-- only -->').html).toBe('')
  })
  test('renders details as folded, with Markdown inside', () => {
    const text =
      '<details>\n<summary>More **here**</summary>\n\n## Inside\n\n- a\n\n<details open><summary>Inner</summary>\nb\n</details>\n\n```\n</details>\n```\n</details>\n\nafter'
    const body = bodyOf(renderMarkdown(text).html)
    const [outer, inner] = body.querySelectorAll('details')
    expect([outer?.open, inner?.open, inner?.parentElement]).toEqual([false, true, outer])
    expect(outer?.querySelector('summary')?.innerHTML).toBe('More <strong>here</strong>')
    expect([...(outer?.children ?? [])].map(({ tagName }) => tagName)).toEqual([
      'SUMMARY',
      'H2',
      'UL',
      'DETAILS',
      'PRE',
    ])
    expect(outer?.nextElementSibling?.textContent).toBe('after')
    expect(renderMarkdown(text).outline.map(({ text: words }) => words)).toEqual(['Inside'])
  })
  test.each([
    '<details>\na',
    '<details onclick=x>\na\n</details>',
    'a <details> b </details>',
    '<summary>a</summary>',
  ])('%j folds nothing', (text) => {
    expect(bodyOf(renderMarkdown(text).html).querySelector('details, summary')).toBeNull()
  })
  test('makes links of names that begin with www, as of addresses', () => {
    const body = bodyOf(
      renderMarkdown('See www.example.com/a_b. (www.a.example) awww.b.example www.x `www.c.example`').html,
    )
    expect(
      [...body.querySelectorAll('a')].map((link) => [link.textContent, link.getAttribute('href')]),
    ).toEqual([
      ['www.example.com/a_b', 'http://www.example.com/a_b'],
      ['www.a.example', 'http://www.a.example'],
    ])
  })
})

const ATTRIBUTES = new Set(
  (
    'href title src alt id class start align type checked disabled rel target loading decoding referrerpolicy dir ' +
    'controls preload open aria-label'
  ).split(' '),
)
const ELEMENTS = new Set(
  (
    'h1 h2 h3 h4 h5 h6 p br hr blockquote pre code ul ol li input table thead tbody tr th td a img strong em s del sup ' +
    'sub mark kbd details summary nav video audio'
  ).split(' '),
)

const OWN = 'https://own.example'

/** Whether a link has an allowed target: an absolute web URL, mail, telephone, or this server. */
function leadsWell(value: string): boolean {
  const { protocol, origin } = new URL(value, `${OWN}/paste/a`)
  if (protocol === 'mailto:' || protocol === 'tel:' || origin === OWN) return true
  return /^https?:$/.test(protocol) && /^https?:/i.test(value)
}

const VALUES: Readonly<Record<string, (value: string) => boolean>> = {
  href: leadsWell,
  src: (value) => leadsWell(value) || /^data:image\/(?:png|gif|jpeg|webp);/.test(value),
  id: (value) => value.startsWith('user-content-'),
  class: (value) =>
    /^(?:language-[\w+#.-]+|footnotes|footnote-ref|footnote-back|contents|front-matter|goes-on|cut(?: went-on)? columns(?:-\d{1,2})+)$/.test(
      value,
    ),
  dir: (value) => value === 'auto',
  type: (value) => value === 'checkbox',
  preload: (value) => value === 'none',
}

const isHarmless = ({ name, value }: Attr) => ATTRIBUTES.has(name) && (VALUES[name]?.(value) ?? true)

/** Returns everything that the sanitiser should have removed. */
function findHarm(html: string): string[] {
  return [...bodyOf(html).querySelectorAll('*')].flatMap((element) => {
    const attributes = [...element.attributes].filter((attribute) => !isHarmless(attribute))
    const found = attributes.map(({ name, value }) => `${element.localName} ${name}=${value}`)
    return ELEMENTS.has(element.localName) ? found : [element.localName, ...found]
  })
}

test('the check finds known harmful output', () => {
  const html = '<script></script><a href="javascript:x" onclick="y">x</a><p class="z" style="a:b">x</p>'
  expect(findHarm(html)).toHaveLength(5)
})

describe('hostile input', () => {
  test('is of many kinds', () => {
    expect(new Set(HOSTILE).size).toBe(HOSTILE.length)
    expect(HOSTILE.length + BOMBS.length).toBeGreaterThanOrEqual(300)
  })
  test('does nothing as Markdown', () => {
    const harm = HOSTILE.map((text) => ({ text, harm: findHarm(renderMarkdown(text).html) }))
    expect(harm.filter((one) => one.harm.length > 0)).toEqual([])
  })
  test('does nothing as HTML', () => {
    const harm = HOSTILE.map((text) => ({ text, harm: findHarm(sanitise(text)) }))
    expect(harm.filter((one) => one.harm.length > 0)).toEqual([])
  })
  test('is safe after the parser, so that the sanitiser removes nothing', () => {
    const scripts =
      /<(?!\/?(?:h[1-6]|p|br|hr|blockquote|pre|code|ul|ol|li|input|table|thead|tbody|tr|th|td|a|img|strong|em|s|sub|sup|mark|kbd|details|summary|nav|video|audio)\b)/
    const harm = HOSTILE.filter((text) => scripts.test([...cutMarkdown(text).pieces].join('')))
    expect(harm).toEqual([])
  })
})

/** Number of parser rule executions. */
let steps = 0
const counted = new WeakSet<object>()

function countSteps(): void {
  const rulers = [parser.block.ruler, parser.inline.ruler, parser.inline.ruler2, parser.core.ruler]
  for (const ruler of rulers) {
    ruler.__cache__ = null
    for (const rule of ruler.__rules__) {
      if (counted.has(rule)) continue
      counted.add(rule)
      const run = rule.fn as (...args: unknown[]) => never
      rule.fn = (...args: unknown[]) => {
        steps += 1
        return run(...args)
      }
    }
  }
}

/** For long and deep inputs, steps and output size must grow linearly. */
describe.each(BOMBS)('$name', ({ make }) => {
  test('takes time and creates output proportional to its size', () => {
    countSteps()
    const [small, large] = [make(500), make(5000)].map((text) => {
      steps = 0
      const html = [...cutMarkdown(text).pieces].join('')
      return { size: text.length, html: html.length, steps }
    })
    const growth = (3 * large!.size) / small!.size
    expect(large!.steps / Math.max(1, small!.steps)).toBeLessThan(growth)
    expect(large!.html / Math.max(1, small!.html)).toBeLessThan(growth)
    expect(large!.html).toBeLessThan(large!.size * 60 + 5000)
    expect(findHarm(renderMarkdown(make(500)).html)).toEqual([])
  })
})

describe('the beginning of a long text', () => {
  const text = `# Title\n\n${'Words with **marks**.\n\n```ts\nconst a = 1\n```\n\n'.repeat(2000)}`
  test('equals the start of the whole rendered text', () => {
    const head = cutHead(text)
    expect(head.length).toBeGreaterThan(0)
    expect([...cutMarkdown(text).pieces].slice(0, head.length)).toEqual(head)
  })
  test('gives headings no ids while not all are known', () => {
    expect(cutHead(`[TOC]\n\n${text}`)).toEqual([])
  })
})

test('pictures and recordings of other hosts are omitted on request', () => {
  const text =
    '![a](https://one.example/a.png) ![b](/own.png) ![c](data:image/gif;base64,R0lGOD) ![](//two.example:8080/v.mp4)\n\n' +
    '[link](https://three.example)'
  const hosts = new Set<string>()
  const body = bodyOf(renderMarkdown(text, { hosts }).html)
  const addresses = [...body.querySelectorAll('img, video')].map((element) => element.getAttribute('src'))
  expect(addresses).not.toContain('https://one.example/a.png')
  expect(addresses).toContain('/own.png')
  expect([...hosts]).toContain('one.example')
  expect(hosts.has('three.example')).toBe(false)
  expect(bodyOf(renderMarkdown(text).html).querySelector('img')?.getAttribute('src')).toBe(
    'https://one.example/a.png',
  )
})
