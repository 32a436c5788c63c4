// @vitest-environment jsdom
import { describe, expect, test } from 'vitest'
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
  test('opens foreign links apart and without a trace, and keeps own ones here', () => {
    const body = bodyOf(
      renderMarkdown('[out](https://example.com) [in](/paste/a) [down](#part)\n\n# Part').html,
    )
    const [out, inside, down] = body.querySelectorAll('a')
    expect([out?.target, out?.rel]).toEqual(['_blank', 'noopener noreferrer nofollow'])
    expect(inside?.target).toBe('')
    expect(down?.getAttribute('href')).toBe('#user-content-part')
    expect(body.querySelector('h1')?.id).toBe('user-content-part')
  })
  test('loads pictures late and without a referrer', () => {
    const image = bodyOf(renderMarkdown('![p](https://example.com/p.png)').html).querySelector('img')
    expect(image?.getAttribute('loading')).toBe('lazy')
    expect(image?.getAttribute('referrerpolicy')).toBe('no-referrer')
  })
  test('numbers repeated headings and tells the first one', () => {
    const { html, title } = renderMarkdown('# 部署 *now*\n\n## A\n\n## A')
    expect(title).toBe('部署 now')
    expect([...bodyOf(html).querySelectorAll('h2')].map((heading) => heading.id)).toEqual([
      'user-content-a',
      'user-content-a-1',
    ])
    expect(renderMarkdown('no heading').title).toBeNull()
  })
  test('tells all headings, by the ids they have in the page', () => {
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
  test('shows HTML of the source as text', () => {
    expect(bodyOf(renderMarkdown('<b>bold</b>').html).textContent).toContain('<b>bold</b>')
  })
})

/** Tried as Markdown and, past the parser, as HTML that the sanitiser alone has to stop. */
const HOSTILE = [
  '<script>alert(1)</script>',
  '<ScRiPt src=//evil.example/x.js></ScRiPt>',
  '<scr<script>ipt>alert(1)</scr</script>ipt>',
  '<img src=x onerror=alert(1)>',
  '<img src="x` `<script>alert(1)</script>"` `>',
  '<img/src="x"/onerror=alert(1)>',
  '<svg onload=alert(1)>',
  '<svg><script>alert(1)</script></svg>',
  '<svg><animate onbegin=alert(1) attributeName=x dur=1s></svg>',
  '<svg><a xlink:href="javascript:alert(1)"><text>x</text></a></svg>',
  '<svg><use href="data:image/svg+xml;base64,PHN2Zz4="></use></svg>',
  '<svg><style><img src=x onerror=alert(1)></style></svg>',
  '<math><mi//xlink:href="data:x,<script>alert(1)</script>">',
  '<math><mtext><table><mglyph><style><img src=x onerror=alert(1)></style></mglyph></table></mtext></math>',
  '<iframe src="javascript:alert(1)"></iframe>',
  '<iframe srcdoc="<script>alert(1)</script>"></iframe>',
  '<object data="javascript:alert(1)"></object>',
  '<embed src="javascript:alert(1)">',
  '<form action="javascript:alert(1)"><button>x</button></form>',
  '<button formaction="javascript:alert(1)">x</button>',
  '<input type=image src=x onerror=alert(1)>',
  '<input type="text" autofocus onfocus=alert(1)>',
  '<a href="javascript:alert(1)">x</a>',
  '<a href="JaVaScRiPt:alert(1)">x</a>',
  '<a href=" &#14; javascript:alert(1)">x</a>',
  '<a href="java&#x09;script:alert(1)">x</a>',
  '<a href="java\nscript:alert(1)">x</a>',
  '<a href="vbscript:msgbox(1)">x</a>',
  '<a href="data:text/html,<script>alert(1)</script>">x</a>',
  '<a href="https://a.example" onmouseover=alert(1) style="position:fixed;inset:0">x</a>',
  '<a href="//evil.example">x</a>',
  '<a href="\\\\evil.example">x</a>',
  '<a href="file:///etc/passwd">x</a>',
  '<base href="https://evil.example/">',
  '<meta http-equiv="refresh" content="0;url=javascript:alert(1)">',
  '<link rel=stylesheet href="https://evil.example/x.css">',
  '<style>body{display:none}</style>',
  '<p style="background:url(javascript:alert(1))">x</p>',
  '<div style="position:fixed;inset:0">cover</div>',
  '<p class="dl-header" id="root" name="body">x</p>',
  '<img name="getElementById" id="cookie" src=x>',
  '<details open ontoggle=alert(1)>x</details>',
  '<video><source onerror=alert(1)></video>',
  '<audio src=x onerror=alert(1)></audio>',
  '<marquee onstart=alert(1)>x</marquee>',
  '<body onload=alert(1)>',
  '<template><script>alert(1)</script></template>',
  '<noscript><p title="</noscript><img src=x onerror=alert(1)>"></noscript>',
  '<!--><img src=x onerror=alert(1)>-->',
  '<p data-x="1" aria-label="x" onclick=alert(1)>x</p>',
  '<code class="language-js dl-nav" onclick=alert(1)>x</code>',
  '[x](javascript:alert(1))',
  '[x](JAVASCRIPT:alert(1))',
  '[x](java&#115;cript:alert(1))',
  '[x](&#106;avascript&colon;alert(1))',
  '[x](vbscript:msgbox(1))',
  '[x](data:text/html;base64,PHNjcmlwdD4=)',
  '[x]: javascript:alert(1)\n\n[x]',
  '<javascript:alert(1)>',
  '![x](javascript:alert(1))',
  '![x"onerror="alert(1)](https://a.example/p.png)',
  '![x](https://a.example/p.png "a"onerror="alert(1)")',
  '[x](https://a.example "t\\" onclick=\\"alert(1)")',
  '```js" onclick="alert(1)\nx\n```',
  '```"><script>alert(1)</script>\nx\n```',
  '# <img src=x onerror=alert(1)>',
  '# root\n\n# body',
  '- [x] <img src=x onerror=alert(1)>',
  '| <script>alert(1)</script> |\n|:-:|\n| <img src=x onerror=alert(1)> |',
]

const ATTRIBUTES = new Set(
  'href title src alt id class start align type checked disabled rel target loading decoding referrerpolicy'.split(
    ' ',
  ),
)
const ELEMENTS = new Set(
  'h1 h2 h3 h4 h5 h6 p br hr blockquote pre code ul ol li input table thead tbody tr th td a img strong em s del sup sub'.split(
    ' ',
  ),
)

const VALUES: Record<string, RegExp> = {
  href: /^(?:https?:\/\/|mailto:|tel:|#|\/(?!\/)|[\w.%-]+$)/i,
  src: /^(?:https?:\/\/|data:image\/(?:png|gif|jpeg|webp)|x|%)/i,
  id: /^user-content-/,
  class: /^language-[\w+#.-]+$/,
  type: /^checkbox$/,
}

const isHarmless = ({ name, value }: Attr) => ATTRIBUTES.has(name) && (VALUES[name]?.test(value) ?? true)

/** Everything that should not have come through. */
function findHarm(html: string): string[] {
  return [...bodyOf(html).querySelectorAll('*')].flatMap((element) => {
    const attributes = [...element.attributes].filter((attribute) => !isHarmless(attribute))
    const found = attributes.map(({ name, value }) => `${element.localName} ${name}=${value}`)
    return ELEMENTS.has(element.localName) ? found : [element.localName, ...found]
  })
}

test('harm is found where there is some', () => {
  const html = '<script></script><a href="javascript:x" onclick="y">x</a><p class="z" style="a:b">x</p>'
  expect(findHarm(html)).toHaveLength(5)
})

describe('hostile input', () => {
  test.each(HOSTILE)('does nothing as Markdown: %s', (text) => {
    expect(findHarm(renderMarkdown(text).html)).toEqual([])
  })
  test.each(HOSTILE)('does nothing as HTML: %s', (text) => {
    expect(findHarm(sanitise(text))).toEqual([])
  })
})
