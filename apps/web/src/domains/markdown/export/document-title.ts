import { findFrontMatter } from '../syntax/front-matter.ts'

/** Returns the title in the front matter as one line, or an empty string. */
export function ownTitle(text: string): string {
  const facts = findFrontMatter(text)?.facts ?? []
  const title = facts.find(([name]) => name.trim().toLowerCase() === 'title')?.[1] ?? ''
  return title.replaceAll(/\s+/g, ' ').trim()
}
