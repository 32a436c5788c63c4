import { findFrontMatter } from '../syntax/front-matter.ts'

/** The title in the front matter, in one line; empty without one. */
export function ownTitle(text: string): string {
  const facts = findFrontMatter(text)?.facts ?? []
  const title = facts.find(([name]) => name.trim().toLowerCase() === 'title')?.[1] ?? ''
  return title.replaceAll(/\s+/g, ' ').trim()
}
