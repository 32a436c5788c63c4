import { type Language, loadGroup } from '../../../../i18n/languages.ts'
import type { reading } from '../../../../locales/zh-CN/reading.ts'

export type ReadingWords = typeof reading

/**
 * Loads the labels of formatted texts. They are separate from the other labels of the app, because a text can be
 * shown before the other labels are loaded.
 */
export async function loadReadingWords(language: Language): Promise<ReadingWords> {
  return (await loadGroup(language, 'reading')).reading
}

/** Fills in placeholders, as in `fill(words.showAll, { number: 3 })`. */
export const fill = (word: string, values: Readonly<Record<string, string | number>>): string =>
  word.replaceAll(/\{\{(\w+)\}\}/g, (_, name: string) => String(values[name] ?? ''))
