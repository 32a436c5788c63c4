import type { Token } from 'markdown-it'
import { joinLines } from './chinese.ts'

/** Anchor of a heading: its words in lower case, joined by hyphens. Any script is kept. */
export const anchorOf = (text: string): string =>
  text
    .trim()
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(/\s+/g, '-')

/** What a heading says, without its marks. */
export function headingText(children: readonly Token[]): string {
  joinLines(children)
  const isBlank = ({ type, hidden }: Token) => type === 'hardbreak' || (type === 'softbreak' && !hidden)
  return children
    .map((token) => (isBlank(token) ? ' ' : token.content))
    .join('')
    .trim()
}

/** Gives out names that nothing else in the text has yet: `a`, `a-1`, `a-2`… */
export function nameGiver(): (wished: string) => string {
  const taken = new Map<string, number>()
  return (wished) => {
    let count = taken.get(wished) ?? 0
    let name = wished
    while (taken.has(name)) {
      count += 1
      name = `${wished}-${count}`
    }
    taken.set(wished, count)
    if (!taken.has(name)) taken.set(name, 0)
    return name
  }
}
