import type { WordParts } from '../locales/language-pack.ts'
import { type Language, LANGUAGES, languageOf } from '../locales/languages.ts'
import { readStored } from '../lib/browser/storage.ts'

export type { Language } from '../locales/languages.ts'

export const LANGUAGE_KEY = 'language'

const isLanguage = (value: unknown): value is Language => LANGUAGES.some(({ code }) => code === value)

/** Returns the stored language, or else the browser's language. The first script of a page uses the same rule. */
export function detectLanguage(): Language {
  const stored = readStored(LANGUAGE_KEY)
  return isLanguage(stored) ? stored : languageOf(navigator.language).code
}

type WordsOf<Part extends keyof WordParts> = Awaited<ReturnType<WordParts[Part]>>

const load = (language: Language, part: keyof WordParts) => languageOf(language).words[part]()

/** Loads the texts of a language that every page might need. */
export const loadLocale = (language: Language) => load(language, 'first') as Promise<WordsOf<'first'>>

/** A group of texts that is not part of every first visit. */
export type WordGroup = Exclude<keyof WordParts, 'first'>

export const loadGroup = <Group extends WordGroup>(language: Language, group: Group) =>
  load(language, group) as Promise<WordsOf<Group>>
