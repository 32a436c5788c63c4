import { en } from './en.ts'
import { zh } from './zh.ts'

export type TextKey = keyof typeof en
export type Texts = Readonly<Record<TextKey, string>>
export type TextParams = Readonly<Record<string, string | number>>
export type Language = 'en' | 'zh'

const LANGUAGES: Readonly<Record<Language, Texts>> = { en, zh }

/** As programs in a terminal choose it: the first of these that is set. */
export function languageOf(variables: Readonly<Record<string, string | undefined>>): Language {
  const locale = variables['LC_ALL'] || variables['LC_MESSAGES'] || variables['LANG'] || ''
  return /^zh/i.test(locale) ? 'zh' : 'en'
}

export const translate = (language: Language, key: TextKey, params: TextParams = {}): string =>
  LANGUAGES[language][key].replaceAll(/\{(\w+)\}/g, (whole, name: string) => String(params[name] ?? whole))
