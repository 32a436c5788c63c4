import type { MarkdownIt, Token } from 'markdown-it'
import { ADDRESS, ATTRIBUTES, TAGS, isOwnClass, isSize } from './allowed.ts'

const tags = new Set(TAGS)
const attributes = new Set([...ATTRIBUTES, 'style'])

const isAllowed = (tag: string, name: string, value: string): boolean => {
  if (!attributes.has(name)) return false
  if (name === 'style') return /^text-align:(?:left|right|center)$/.test(value)
  if (name === 'class') return isOwnClass(tag, value)
  if (name === 'href') return ADDRESS.test(value)
  if (name === 'width' || name === 'height') return isSize(tag, value)
  return true
}

function hold(token: Token): void {
  if (token.tag !== '' && !tags.has(token.tag)) throw new Error(`The parser made a ${token.tag}.`)
  token.attrs &&= token.attrs.filter(([name, value]) => isAllowed(token.tag, name, String(value)))
  token.children?.forEach(hold)
}

/**
 * Removes forbidden attributes and the forbidden URLs of links, and throws if an element is forbidden. This is the
 * first of two barriers; the sanitiser is the second.
 */
export function holdStrictly(markdown: MarkdownIt): void {
  markdown.core.ruler.push('hold_strictly', (state) => state.tokens.forEach(hold))
}
