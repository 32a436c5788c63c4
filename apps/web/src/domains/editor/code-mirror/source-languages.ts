import { HighlightStyle, LanguageDescription, syntaxHighlighting } from '@codemirror/language'
import { languages } from '@codemirror/language-data'
import type { Extension } from '@codemirror/state'
import { tags } from '@lezer/highlight'

/** Colours with sufficient contrast in both colour schemes. */
const style = HighlightStyle.define([
  {
    tag: [tags.keyword, tags.modifier, tags.operatorKeyword, tags.controlKeyword],
    color: 'light-dark(#b3204d, #ff8fa8)',
  },
  { tag: [tags.string, tags.regexp, tags.special(tags.string)], color: 'light-dark(#0b5a8a, #9fd3f5)' },
  { tag: [tags.comment, tags.meta], color: 'var(--dl-muted)', fontStyle: 'italic' },
  { tag: [tags.number, tags.bool, tags.null, tags.atom], color: 'light-dark(#0550ae, #86bdff)' },
  {
    tag: [tags.function(tags.variableName), tags.labelName, tags.heading],
    color: 'light-dark(#6f3cc3, #d0b0ff)',
  },
  {
    tag: [tags.typeName, tags.className, tags.tagName, tags.attributeName, tags.propertyName],
    color: 'light-dark(#8a4600, #f5b36b)',
  },
])

export const languageNames: readonly string[] = languages
  .map(({ name }) => name)
  .filter((name) => name !== 'Markdown')
  .toSorted((one, other) => one.localeCompare(other))

/** Returns the language for a file name, or `null`. */
export const languageOfFile = (filename: string): string | null =>
  LanguageDescription.matchFilename(languages, filename)?.name ?? null

export async function loadLanguage(name: string): Promise<Extension> {
  const description = languages.find((candidate) => candidate.name === name)
  return description ? [await description.load(), syntaxHighlighting(style)] : []
}
