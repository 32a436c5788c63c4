import { type Attrs, type DOMOutputSpec, Schema } from 'prosemirror-model'
import { tableNodes } from 'prosemirror-tables'

const flag = (value: unknown) => (value === true ? 'true' : value === false ? 'false' : null)
const alignOf = (element: HTMLElement) => element.getAttribute('align') ?? (element.style.textAlign || null)

const tables = tableNodes({
  tableGroup: 'block',
  cellContent: 'inline*',
  cellAttributes: {
    align: {
      default: null,
      getFromDOM: alignOf,
      setDOMAttr: (value, attributes) => {
        if (typeof value === 'string') attributes['align'] = value
      },
    },
  },
})

function listItemFrom(element: HTMLElement): Attrs {
  const box = element.querySelector<HTMLInputElement>(
    ':scope > input[type=checkbox], :scope > p > input[type=checkbox], :scope > label > input[type=checkbox]',
  )
  return { checked: box ? box.checked : null }
}

/** Whether a URL of pasted HTML or of a displayed image is harmless. */
const isSafe = (address: string) => /^(?:https?:|mailto:|tel:|[/#])/i.test(address)

/** Schema of everything that the rich view can edit. Other Markdown stays as source in `raw_block` and `raw_inline`. */
export const schema = new Schema({
  nodes: {
    doc: { content: 'block+' },
    paragraph: { group: 'block', content: 'inline*', parseDOM: [{ tag: 'p' }], toDOM: () => ['p', 0] },
    heading: {
      group: 'block',
      content: 'inline*',
      defining: true,
      attrs: { level: { default: 1 } },
      parseDOM: [1, 2, 3, 4, 5, 6].map((level) => ({ tag: `h${level}`, attrs: { level } })),
      toDOM: (node) => [`h${String(node.attrs['level'])}`, 0],
    },
    blockquote: {
      group: 'block',
      content: 'block+',
      defining: true,
      parseDOM: [{ tag: 'blockquote' }],
      toDOM: () => ['blockquote', 0],
    },
    /** Details are always open in the editor. */
    details: {
      group: 'block',
      content: 'summary? block+',
      defining: true,
      attrs: { isOpen: { default: false } },
      parseDOM: [
        {
          tag: 'details, .dl-details',
          getAttrs: (element) => ({ isOpen: element.matches('[open], [data-open]') }),
        },
      ],
      toDOM: (node) => ['div', { class: 'dl-details', 'data-open': node.attrs['isOpen'] ? '' : null }, 0],
    },
    summary: {
      content: 'inline*',
      defining: true,
      parseDOM: [{ tag: 'summary, .dl-summary', priority: 60 }],
      toDOM: () => ['p', { class: 'dl-summary' }, 0],
    },
    code_block: {
      group: 'block',
      content: 'text*',
      marks: '',
      code: true,
      defining: true,
      attrs: { info: { default: '' } },
      parseDOM: [
        {
          tag: 'pre',
          preserveWhitespace: 'full',
          getAttrs: (element) => ({
            info: /\blanguage-([\w+#.-]+)/.exec(element.querySelector('code')?.className ?? '')?.[1] ?? '',
          }),
        },
      ],
      toDOM: (node) => ['pre', { 'data-info': String(node.attrs['info']) }, ['code', 0]],
    },
    raw_block: {
      group: 'block',
      content: 'text*',
      marks: '',
      code: true,
      defining: true,
      toDOM: () => ['pre', { class: 'dl-raw' }, ['code', 0]],
    },
    bullet_list: {
      group: 'block',
      content: 'list_item+',
      attrs: { mark: { default: '-' }, isTight: { default: true } },
      parseDOM: [{ tag: 'ul' }],
      toDOM: () => ['ul', 0],
    },
    ordered_list: {
      group: 'block',
      content: 'list_item+',
      attrs: { order: { default: 1 }, mark: { default: '.' }, isTight: { default: true } },
      parseDOM: [
        { tag: 'ol', getAttrs: (element) => ({ order: Number(element.getAttribute('start') ?? 1) || 1 }) },
      ],
      toDOM: (node): DOMOutputSpec => ['ol', { start: String(node.attrs['order']) }, 0],
    },
    list_item: {
      content: 'paragraph block*',
      defining: true,
      attrs: { checked: { default: null } },
      parseDOM: [{ tag: 'li', getAttrs: listItemFrom }],
      toDOM: (node) => ['li', { 'data-checked': flag(node.attrs['checked']) }, 0],
    },
    horizontal_rule: { group: 'block', parseDOM: [{ tag: 'hr' }], toDOM: () => ['hr'] },
    ...tables,
    text: { group: 'inline' },
    hard_break: {
      group: 'inline',
      inline: true,
      selectable: false,
      /** Original `<br>` tag; empty if the line break was not written as a tag. */
      attrs: { source: { default: '' } },
      parseDOM: [{ tag: 'br' }],
      toDOM: () => ['br'],
    },
    /** A line end in the source, rendered as a space. */
    soft_break: { group: 'inline', inline: true, selectable: false, toDOM: () => ['span', ' '] },
    image: {
      group: 'inline',
      inline: true,
      draggable: true,
      attrs: { src: {}, alt: { default: '' }, title: { default: null } },
      parseDOM: [
        {
          tag: 'img[src]',
          getAttrs: (element) => {
            const src = element.getAttribute('src') ?? ''
            const alt = element.getAttribute('alt') ?? ''
            return isSafe(src) ? { src, alt, title: element.getAttribute('title') } : false
          },
        },
      ],
      toDOM: (node) => [
        'img',
        {
          src: isSafe(String(node.attrs['src'])) ? String(node.attrs['src']) : '',
          alt: String(node.attrs['alt']),
          referrerpolicy: 'no-referrer',
          loading: 'lazy',
        },
      ],
    },
    raw_inline: {
      group: 'inline',
      inline: true,
      atom: true,
      attrs: { source: {} },
      toDOM: (node) => ['code', { class: 'dl-raw' }, String(node.attrs['source'])],
    },
  },
  marks: {
    link: {
      attrs: { href: {}, title: { default: null } },
      inclusive: false,
      parseDOM: [
        {
          tag: 'a[href]',
          getAttrs: (element) => {
            const href = element.getAttribute('href') ?? ''
            return isSafe(href) ? { href, title: element.getAttribute('title') } : false
          },
        },
      ],
      // Renders no `href`, so that links do not open in the editor.
      toDOM: (mark) => ['a', { title: String(mark.attrs['href']), 'data-link': '' }, 0],
    },
    strong: {
      parseDOM: [
        { tag: 'strong' },
        // Some word processors wrap clipboard content in a `b` element with normal weight.
        { tag: 'b', getAttrs: (element) => element.style.fontWeight !== 'normal' && null },
        { style: 'font-weight', getAttrs: (value) => /^(?:bold|[6-9]\d\d)$/.test(value) && null },
      ],
      toDOM: () => ['strong', 0],
    },
    em: {
      parseDOM: [
        { tag: 'em' },
        { tag: 'i', getAttrs: (element) => element.style.fontStyle !== 'normal' && null },
        { style: 'font-style=italic' },
      ],
      toDOM: () => ['em', 0],
    },
    strike: {
      parseDOM: [{ tag: 's' }, { tag: 'del' }, { tag: 'strike' }, { style: 'text-decoration=line-through' }],
      toDOM: () => ['s', 0],
    },
    key: { parseDOM: [{ tag: 'kbd' }], toDOM: () => ['kbd', 0] },
    sub: { excludes: 'sub sup', parseDOM: [{ tag: 'sub' }], toDOM: () => ['sub', 0] },
    sup: { excludes: 'sub sup', parseDOM: [{ tag: 'sup' }], toDOM: () => ['sup', 0] },
    highlight: { parseDOM: [{ tag: 'mark' }], toDOM: () => ['mark', 0] },
    code: { code: true, parseDOM: [{ tag: 'code' }], toDOM: () => ['code', 0] },
  },
})
