import { toDataUrl } from '../foreign-document.ts'
import { elementOf, elementsOf, openPackage, type PackageFiles } from '../reading/package-files.ts'
import { PreviewError } from '../preview-error.ts'
import type { PreviewSource } from '../preview-source.ts'

const PAGE_STYLES =
  '<style>body { max-width: 42em; margin: 0 auto; padding: 32px 24px; font: 16px/1.5 serif; overflow-wrap: anywhere } ' +
  'table { border-collapse: collapse; margin: 8px 0 } td { border: 1px solid #bbb; padding: 4px 8px; vertical-align: top } ' +
  'td p { margin: 0 } img { max-width: 100% } p { min-height: 1em; margin: 0 0 .5em }</style>'

const attribute = (element: Element, name: string) =>
  [...element.attributes].find(({ localName }) => localName === name)?.value ?? ''

interface Look {
  readonly isBold: boolean
  readonly isItalic: boolean
  readonly isUnderlined: boolean
  readonly align: string
  readonly colour: string
}

function readLooks(content: Document): ReadonlyMap<string, Look> {
  return new Map(
    elementsOf(content, 'style').map((style) => {
      const text = elementOf(style, 'text-properties')
      const paragraph = elementOf(style, 'paragraph-properties')
      const colour = text ? attribute(text, 'color') : ''
      const align = paragraph ? attribute(paragraph, 'text-align') : ''
      const look = {
        isBold: text !== undefined && attribute(text, 'font-weight') === 'bold',
        isItalic: text !== undefined && attribute(text, 'font-style') === 'italic',
        isUnderlined: text !== undefined && attribute(text, 'text-underline-style') === 'solid',
        align: ['center', 'end', 'right', 'justify'].includes(align) ? align : '',
        colour: /^#[0-9a-f]{6}$/i.test(colour) ? colour : '',
      }
      return [attribute(style, 'name'), look] as const
    }),
  )
}

class Writer {
  readonly #page = document.implementation.createHTMLDocument('')
  readonly #looks: ReadonlyMap<string, Look>
  readonly #files: PackageFiles

  constructor(content: Document, files: PackageFiles) {
    this.#looks = readLooks(content)
    this.#files = files
  }

  async write(body: Element): Promise<string> {
    await this.#children(body, this.#page.body)
    return PAGE_STYLES + this.#page.body.innerHTML
  }

  async #children(from: Element, into: Element): Promise<void> {
    for (const child of from.childNodes) {
      if (child instanceof Element) await this.#element(child, into)
      else if (child.nodeType === Node.TEXT_NODE && from.namespaceURI?.endsWith('text:1.0'))
        into.append(child.textContent ?? '')
    }
  }

  async #into(name: string, element: Element, into: Element): Promise<void> {
    const made = this.#page.createElement(name)
    const look = this.#looks.get(attribute(element, 'style-name'))
    if (look?.isBold) made.style.fontWeight = 'bold'
    if (look?.isItalic) made.style.fontStyle = 'italic'
    if (look?.isUnderlined) made.style.textDecoration = 'underline'
    if (look?.align) made.style.textAlign = look.align
    if (look?.colour) made.style.color = look.colour
    if (name === 'td') {
      for (const [wire, html] of [
        ['number-columns-spanned', 'colspan'],
        ['number-rows-spanned', 'rowspan'],
      ] as const)
        if (Number(attribute(element, wire)) > 1) made.setAttribute(html, attribute(element, wire))
    }
    if (name === 'p' || name.startsWith('h')) made.dir = 'auto'
    into.append(made)
    await this.#children(element, made)
  }

  async #picture(element: Element, into: Element): Promise<void> {
    const name = attribute(element, 'href')
    const picture = this.#page.createElement('img')
    // An image from another site is loaded only on request.
    if (/^https?:\/\//i.test(name)) {
      picture.src = name
      picture.alt = URL.parse(name)?.host ?? ''
      into.append(picture)
      return
    }
    if (!this.#files.names.includes(name)) return
    const type = name.endsWith('.svg') ? 'image/svg+xml' : 'image/png'
    picture.src = await toDataUrl(await this.#files.read(name), type)
    into.append(picture)
  }

  async #element(element: Element, into: Element): Promise<void> {
    switch (element.localName) {
      case 'h':
        return this.#into(
          `h${Math.min(6, Math.max(1, Number(attribute(element, 'outline-level')) || 1))}`,
          element,
          into,
        )
      case 'p':
        return this.#into('p', element, into)
      case 'span':
      case 'a':
        return this.#into('span', element, into)
      case 'list':
        return this.#into('ul', element, into)
      case 'list-item':
        return this.#into('li', element, into)
      case 'table':
        return this.#into('table', element, into)
      case 'table-row':
        return this.#into('tr', element, into)
      case 'table-cell':
        return this.#into('td', element, into)
      case 'image':
        return this.#picture(element, into)
      case 's':
        into.append('\u00a0'.repeat(Math.min(100, Number(attribute(element, 'c')) || 1)))
        return undefined
      case 'tab':
        into.append('\u2003')
        return undefined
      case 'line-break':
        into.append(this.#page.createElement('br'))
        return undefined
      case 'annotation':
      case 'tracked-changes':
      case 'sequence-decls':
        return undefined
      default:
        return this.#children(element, into)
    }
  }
}

/**
 * Converts an OpenDocument text to a page with headings, lists, tables, images and basic formatting.
 * @throws {PreviewError} `encrypted`, `damaged`
 * @throws the errors of {@link openPackage}
 */
export async function odtToHtml(source: PreviewSource, signal: AbortSignal): Promise<string> {
  const files = await openPackage(source, signal)
  const manifest = files.names.includes('META-INF/manifest.xml')
    ? await files.readXml('META-INF/manifest.xml')
    : null
  if (manifest && elementOf(manifest, 'encryption-data')) throw new PreviewError('encrypted')
  const content = await files.readXml('content.xml')
  const body = elementOf(content, 'text')
  if (!body) throw new PreviewError('damaged')
  return new Writer(content, files).write(body)
}
