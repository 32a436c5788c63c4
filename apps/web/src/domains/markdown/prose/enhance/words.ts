import { type Language, loadGroup } from '../../../../i18n/languages.ts'
import type { reading } from '../../../../locales/zh-CN/reading.ts'

export type ReadingWords = typeof reading

/** Beside the words of the app: a text can be read before those are needed. */
export async function loadReadingWords(language: Language): Promise<ReadingWords> {
  return (await loadGroup(language, 'reading')).reading
}

/** Puts values in: `fill(words.showAll, { number: 3 })`. */
export const fill = (word: string, values: Readonly<Record<string, string | number>>): string =>
  word.replaceAll(/\{\{(\w+)\}\}/g, (_, name: string) => String(values[name] ?? ''))
