import { type Language, loadGroup } from '../../../../i18n/languages.ts'
import type { reading } from '../../../../locales/zh-CN/reading.ts'

export type ReadingWords = typeof reading

/** Separate from the app's texts: a text may be shown before those are loaded. */
export async function loadReadingWords(language: Language): Promise<ReadingWords> {
  return (await loadGroup(language, 'reading')).reading
}

/** Fills in placeholders: `fill(words.showAll, { number: 3 })`. */
export const fill = (word: string, values: Readonly<Record<string, string | number>>): string =>
  word.replaceAll(/\{\{(\w+)\}\}/g, (_, name: string) => String(values[name] ?? ''))
