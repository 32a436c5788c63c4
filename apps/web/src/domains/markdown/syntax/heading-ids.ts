import type { Token } from 'markdown-it'
import { joinLines } from './chinese.ts'

/**
 * Returns the anchor of a heading. The anchor consists of the words of the heading in lower case, in any script,
 * joined by hyphens.
 */
export const anchorOf = (text: string): string =>
  text
    .trim()
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(/\s+/g, '-')

/** Returns the text of a heading without Markdown syntax. */
export function headingText(children: readonly Token[]): string {
  joinLines(children)
  const isBlank = ({ type, hidden }: Token) => type === 'hardbreak' || (type === 'softbreak' && !hidden)
  return children
    .map((token) => (isBlank(token) ? ' ' : token.content))
    .join('')
    .trim()
}

/** Creates a function that makes names unique within a text: `a`, `a-1`, `a-2`, … */
export function nameGiver(): (base: string) => string {
  const taken = new Map<string, number>()
  return (base) => {
    let count = taken.get(base) ?? 0
    let name = base
    while (taken.has(name)) {
      count += 1
      name = `${base}-${count}`
    }
    taken.set(base, count)
    if (!taken.has(name)) taken.set(name, 0)
    return name
  }
}
