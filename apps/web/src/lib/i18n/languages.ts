import { readStored } from '../storage.ts'

export const LANGUAGES = ['zh-CN', 'en-US'] as const
export type Language = (typeof LANGUAGES)[number]

export const LANGUAGE_KEY = 'language'

const isLanguage = (value: unknown): value is Language => LANGUAGES.includes(value as Language)

/** The stored choice, otherwise the browser's language: `zh…` is `zh-CN`, everything else `en-US`. */
export function detectLanguage(): Language {
  const stored = readStored(LANGUAGE_KEY)
  if (isLanguage(stored)) return stored
  return /^zh/i.test(navigator.language) ? 'zh-CN' : 'en-US'
}

/** Loads the words of one language that every page may need; each is a chunk of its own. */
export async function loadLocale(language: Language) {
  const module = await (language === 'zh-CN'
    ? import('../../locales/zh-CN/index.ts')
    : import('../../locales/en-US/index.ts'))
  return module.locale
}

/** Words that are not part of a first visit: `later` of every screen for people who are logged in, `admin` of the panel. */
export type WordGroup = 'later' | 'admin'

export async function loadGroup(language: Language, group: WordGroup): Promise<object> {
  if (group === 'admin') {
    const module = await (language === 'zh-CN'
      ? import('../../locales/zh-CN/admin/index.ts')
      : import('../../locales/en-US/admin/index.ts'))
    return module.adminWords
  }
  const module = await (language === 'zh-CN'
    ? import('../../locales/zh-CN/later.ts')
    : import('../../locales/en-US/later.ts'))
  return module.later
}
