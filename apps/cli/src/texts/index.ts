import { en } from './en.ts'
import { zh } from './zh.ts'

export type TextKey = keyof typeof en
export type Texts = Readonly<Record<TextKey, string>>
export type TextParams = Readonly<Record<string, string | number>>

/**
 * Texts of all languages, keyed by the first letters of the locale. `docs/languages.md` describes how to add a
 * language.
 */
const TEXTS = { en, zh } as const satisfies Readonly<Record<string, Texts>>

export type Language = keyof typeof TEXTS
const FALLBACK: Language = 'en'
const LANGUAGES = Object.keys(TEXTS) as Language[]

/**
 * Reads the usual locale variables in order of precedence. The first variable that is set determines the language.
 */
export function languageOf(variables: Readonly<Record<string, string | undefined>>): Language {
  const locale = variables['LC_ALL'] || variables['LC_MESSAGES'] || variables['LANG'] || ''
  return LANGUAGES.find((language) => locale.toLowerCase().startsWith(language)) ?? FALLBACK
}

export const translate = (language: Language, key: TextKey, params: TextParams = {}): string =>
  TEXTS[language][key].replaceAll(/\{(\w+)\}/g, (whole, name: string) => String(params[name] ?? whole))
