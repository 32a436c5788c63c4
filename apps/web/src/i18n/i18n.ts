import { createInstance, type FormatterModule } from 'i18next'
import { initReactI18next } from 'react-i18next'
import { formatNumber } from '../lib/format.ts'
import { readStored, writeStored } from '../lib/browser/storage.ts'
import type { Language, WordGroup } from './languages.ts'
import { LANGUAGE_KEY, detectLanguage, loadGroup, loadLocale } from './languages.ts'

export const i18n = createInstance()

/** Requested text groups, and the languages in which they are loaded. */
const wantedGroups = new Set<WordGroup>()
const loadedGroups = new Set<`${Language} ${WordGroup}`>()
/** Text groups wait for this promise, because pages load in parallel with the first texts. */
const started = Promise.withResolvers<void>()

async function ensureGroup(language: Language, group: WordGroup) {
  if (loadedGroups.has(`${language} ${group}`)) return
  i18n.addResourceBundle(language, 'translation', await loadGroup(language, group), true)
  loadedGroups.add(`${language} ${group}`)
}

async function ensureLocale(language: Language) {
  if (!i18n.hasResourceBundle(language, 'translation')) {
    i18n.addResourceBundle(language, 'translation', await loadLocale(language))
  }
  await Promise.all([...wantedGroups].map((group) => ensureGroup(language, group)))
}

/** Loads a text group for a screen, also after a change of language. */
export async function loadWords(group: WordGroup): Promise<void> {
  wantedGroups.add(group)
  await started.promise
  await ensureGroup(i18n.language as Language, group)
}

/** Formats numbers in texts for the current language. */
export const numberFormatter: FormatterModule = {
  type: 'formatter',
  init: () => undefined,
  add: () => undefined,
  addCached: () => undefined,
  format: (value: unknown, _format, language = '') =>
    typeof value === 'number' ? formatNumber(value, language) : (value as string),
}

/** Initialises the language. Must complete before the first render. */
export async function startI18n(): Promise<void> {
  const language = detectLanguage()
  const locale = await loadLocale(language)
  await i18n
    .use(initReactI18next)
    .use(numberFormatter)
    .init({
      lng: language,
      fallbackLng: false,
      contextSeparator: '|',
      resources: { [language]: { translation: locale } },
      interpolation: { escapeValue: false, alwaysFormat: true },
      react: { useSuspense: false },
    })
  document.documentElement.lang = language
  started.resolve()
  window.addEventListener('storage', (event) => {
    if (event.key === LANGUAGE_KEY && readStored(LANGUAGE_KEY)) void showLanguage(detectLanguage())
  })
}

async function showLanguage(language: Language) {
  await ensureLocale(language)
  await i18n.changeLanguage(language)
  document.documentElement.lang = language
}

/** Switches the language without a reload and stores the choice. */
export async function switchLanguage(language: Language): Promise<void> {
  await showLanguage(language)
  writeStored(LANGUAGE_KEY, language)
}
