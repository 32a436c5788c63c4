import { webdavErrors } from '@dropleaf/contract'
import { SaxesParser, type SaxesTagNS } from 'saxes'
import { AppError } from '../../../lib/app-error.ts'

export const DAV_NAMESPACE = 'DAV:'
const XML_NAMESPACE = 'http://www.w3.org/XML/1998/namespace'

/** The name of an element or property. */
export interface XmlName {
  readonly namespace: string
  readonly name: string
}

export interface XmlAttribute extends XmlName {
  readonly prefix: string
  readonly value: string
}

export interface XmlElement extends XmlName {
  readonly prefix: string
  readonly attributes: readonly XmlAttribute[]
  readonly children: ReadonlyArray<XmlElement | string>
}

/** Maximum nesting depth. Clients send five or six levels. */
const MAX_DEPTH = 64

/** Maximum number of elements and attributes. The largest request of a client has a few hundred. */
const MAX_NODES = 10_000

/** Maximum length of a namespace and of a name, in characters. A response repeats both for each element. */
const NAMESPACE_MAX_LENGTH = 1024
const NAME_MAX_LENGTH = 255
/** Maximum length of an error detail in characters. The length is limited, because parsers quote their input. */
const DETAIL_MAX_LENGTH = 200

const invalid = (detail: string, cause?: unknown) =>
  new AppError(webdavErrors.xml_invalid, { params: { detail: detail.slice(0, DETAIL_MAX_LENGTH) }, cause })

function requireShort({ namespace, name }: XmlName): void {
  if (namespace.length > NAMESPACE_MAX_LENGTH || name.length > NAME_MAX_LENGTH)
    throw invalid('it has a name or a namespace that is too long')
}

function attributesOf(tag: SaxesTagNS): XmlAttribute[] {
  return Object.values(tag.attributes)
    .filter(({ prefix, local }) => prefix !== 'xmlns' && !(prefix === '' && local === 'xmlns'))
    .map(({ uri, local, prefix, value }) => ({ namespace: uri, name: local, prefix, value }))
}

type Open = XmlElement & { readonly children: Array<XmlElement | string> }

/**
 * Parses a document. Refuses document type declarations, so there are no custom entities.
 * @throws {AppError} `webdav.xml_invalid` if the document is empty or not well-formed, has a document type declaration,
 * uses an undeclared namespace prefix, is nested too deeply, or has too many elements, attributes or long names
 */
export function parseXml(text: string): XmlElement {
  const parser = new SaxesParser({ xmlns: true })
  const open: Open[] = []
  let root: XmlElement | undefined
  let nodes = 0
  parser.on('error', (error) => {
    throw invalid(error.message.replace(/\.$/, ''), error)
  })
  parser.on('doctype', () => {
    throw invalid('a document type is not allowed')
  })
  parser.on('opentag', (tag) => {
    if (open.length >= MAX_DEPTH) throw invalid('it is nested too deep')
    if (nodes > MAX_NODES) throw invalid('it has too many elements or attributes')
    const element = {
      namespace: tag.uri,
      name: tag.local,
      prefix: tag.prefix,
      attributes: attributesOf(tag),
      children: [],
    }
    for (const named of [element, ...element.attributes]) requireShort(named)
    open.at(-1)?.children.push(element)
    root ??= element
    open.push(element)
  })
  parser.on('attribute', () => void (nodes += 1))
  parser.on('opentagstart', () => void (nodes += 1))
  parser.on('closetag', () => void open.pop())
  const onText = (value: string) => void open.at(-1)?.children.push(value)
  parser.on('text', onText)
  parser.on('cdata', onText)
  parser.write(text).close()
  if (root === undefined) throw invalid('it is empty')
  return root
}

export const isDav = (element: XmlName, name: string): boolean =>
  element.namespace === DAV_NAMESPACE && element.name === name

export const elementsIn = (element: XmlElement): XmlElement[] =>
  element.children.filter((child) => typeof child !== 'string')

export const findIn = (element: XmlElement, name: string): XmlElement | undefined =>
  elementsIn(element).find((child) => isDav(child, name))

export const textOf = (element: XmlElement): string =>
  element.children.map((child) => (typeof child === 'string' ? child : textOf(child))).join('')

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\r': '&#13;',
  '\n': '&#10;',
  '\t': '&#9;',
}

/** Characters that XML cannot contain, even if escaped. */
// eslint-disable-next-line no-control-regex -- the expression must match control characters
const IMPOSSIBLE = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g

/** Escapes text between elements. Unpaired surrogates and forbidden characters become U+FFFD. */
export function escapeText(text: string): string {
  if (/^[\w .:/%+-]*$/.test(text)) return text
  return text
    .toWellFormed()
    .replace(IMPOSSIBLE, '\ufffd')
    .replace(/[&<>\r]/g, (sign) => ESCAPES[sign] ?? sign)
}

const escapeAttribute = (text: string): string =>
  text
    .toWellFormed()
    .replace(IMPOSSIBLE, '\ufffd')
    .replace(/[&<>"\r\n\t]/g, (sign) => ESCAPES[sign] ?? sign)

/** Namespaces, keyed by declared prefix. */
type Scope = Map<string, string | undefined>

const newScope = (): Scope =>
  new Map([
    ['', ''],
    ['xml', XML_NAMESPACE],
  ])

const qualified = (prefix: string, name: string) => (prefix === '' ? name : `${prefix}:${name}`)

/** Adds the prefixes of an element and its attributes to `scope`. @returns the previous values in `scope` */
function declare(element: XmlElement, scope: Scope): Scope {
  const before: Scope = new Map()
  // An attribute without a prefix has no namespace, even if its element has one.
  const named = [element, ...element.attributes.filter(({ prefix }) => prefix !== '')]
  for (const { prefix, namespace } of named) {
    if (scope.get(prefix) === namespace) continue
    before.set(prefix, scope.get(prefix))
    scope.set(prefix, namespace)
  }
  return before
}

/** A text that is being written, with a maximum length. */
interface Sink {
  readonly scope: Scope
  readonly maxLength: number
  text: string
}

/** @returns whether the text is within the maximum length */
function add(sink: Sink, text: string): boolean {
  sink.text += text
  return sink.text.length <= sink.maxLength
}

// Uses one shared scope, because copying the scope per element would take time proportional to elements times prefixes.
function writeIn(sink: Sink, element: XmlElement): boolean {
  const { scope } = sink
  const before = declare(element, scope)
  const declarations = [...before.keys()]
    .map((prefix) => {
      const name = prefix === '' ? 'xmlns' : `xmlns:${prefix}`
      return ` ${name}="${escapeAttribute(scope.get(prefix) ?? '')}"`
    })
    .join('')
  const attributes = element.attributes
    .map(({ prefix, name, value }) => ` ${qualified(prefix, name)}="${escapeAttribute(value)}"`)
    .join('')
  const tag = qualified(element.prefix, element.name)
  const isEmpty = element.children.every((child) => child === '')
  const start = `<${tag}${declarations}${attributes}${isEmpty ? '/>' : '>'}`
  const isWhole =
    add(sink, start) &&
    element.children.every((child) =>
      typeof child === 'string' ? add(sink, escapeText(child)) : writeIn(sink, child),
    ) &&
    (isEmpty || add(sink, `</${tag}>`))
  for (const [prefix, namespace] of before) scope.set(prefix, namespace)
  return isWhole
}

/**
 * Writes an element with its namespaces, so that it has the same meaning in any document.
 * @param maxLength in characters.
 * @returns `null` if the result would be longer
 */
export function writeElement(element: XmlElement, maxLength: number): string | null {
  const sink: Sink = { scope: newScope(), maxLength, text: '' }
  return writeIn(sink, element) ? sink.text : null
}

/** Writes an empty element with this name. */
export function writeName({ namespace, name }: XmlName): string {
  if (namespace === DAV_NAMESPACE) return `<D:${name}/>`
  // XML reserves the prefix `xml` for this namespace.
  if (namespace === XML_NAMESPACE) return `<xml:${name}/>`
  return `<${name} xmlns="${escapeAttribute(namespace)}"/>`
}

/** Returns the element with its inherited language, unless the element itself declares a language. */
export function withLanguageOf(element: XmlElement, around: readonly XmlElement[]): XmlElement {
  const languageOf = ({ attributes }: XmlElement) =>
    attributes.find(({ namespace, name }) => namespace === XML_NAMESPACE && name === 'lang')
  if (languageOf(element)) return element
  const language = around.map(languageOf).findLast((found) => found !== undefined)
  return language ? { ...element, attributes: [...element.attributes, language] } : element
}
