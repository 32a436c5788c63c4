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

/** Words that are not part of every first visit. */
const GROUPS = {
  /** Of every screen for people who are logged in. */
  later: {
    'zh-CN': async () => (await import('../../locales/zh-CN/later.ts')).later,
    'en-US': async () => (await import('../../locales/en-US/later.ts')).later,
  },
  /** Of the pages that share and show files. */
  files: {
    'zh-CN': async () => (await import('../../locales/zh-CN/file-words.ts')).fileWords,
    'en-US': async () => (await import('../../locales/en-US/file-words.ts')).fileWords,
  },
  /** Of what comes to an editor after one can type in it. */
  editor: {
    'zh-CN': async () => (await import('../../locales/zh-CN/editor-words.ts')).editorWords,
    'en-US': async () => (await import('../../locales/en-US/editor-words.ts')).editorWords,
  },
  /** Of what readers and owners of a text can do beside reading it. */
  textView: {
    'zh-CN': async () => (await import('../../locales/zh-CN/text-view-words.ts')).textViewWords,
    'en-US': async () => (await import('../../locales/en-US/text-view-words.ts')).textViewWords,
  },
  /** Of files that are shown. */
  viewer: {
    'zh-CN': () => import('../../locales/zh-CN/viewer.ts'),
    'en-US': () => import('../../locales/en-US/viewer.ts'),
  },
  /** Of the app without a line, and as an installed app. */
  offline: {
    'zh-CN': () => import('../../locales/zh-CN/offline.ts'),
    'en-US': () => import('../../locales/en-US/offline.ts'),
  },
  /** Of changes that wait for the line. */
  queue: {
    'zh-CN': () => import('../../locales/zh-CN/queue.ts'),
    'en-US': () => import('../../locales/en-US/queue.ts'),
  },
  /** Of the admin panel. */
  admin: {
    'zh-CN': async () => (await import('../../locales/zh-CN/admin/index.ts')).adminWords,
    'en-US': async () => (await import('../../locales/en-US/admin/index.ts')).adminWords,
  },
} satisfies Record<string, Record<Language, () => Promise<object>>>

export type WordGroup = keyof typeof GROUPS

export const loadGroup = (language: Language, group: WordGroup): Promise<object> => GROUPS[group][language]()
