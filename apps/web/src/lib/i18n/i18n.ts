import { createInstance } from 'i18next'
import { initReactI18next } from 'react-i18next'
import { readStored, writeStored } from '../storage.ts'
import type { Language } from './languages.ts'
import { LANGUAGE_KEY, detectLanguage, loadLaterLocale, loadLocale } from './languages.ts'

export const i18n = createInstance()

/** Languages whose later words are there. */
const isLaterThere = new Set<Language>()
let isLaterWanted = false
/** Pages are fetched while the first words are. */
const started = Promise.withResolvers<void>()

async function ensureLaterWords(language: Language) {
  if (isLaterThere.has(language)) return
  i18n.addResourceBundle(language, 'translation', await loadLaterLocale(language), true)
  isLaterThere.add(language)
}

async function ensureLocale(language: Language) {
  if (!i18n.hasResourceBundle(language, 'translation')) {
    i18n.addResourceBundle(language, 'translation', await loadLocale(language))
  }
  if (isLaterWanted) await ensureLaterWords(language)
}

/** For screens that are not part of a first visit: their words come with them, also after a change of language. */
export async function loadLaterWords(): Promise<void> {
  isLaterWanted = true
  await started.promise
  await ensureLaterWords(i18n.language as Language)
}

/** Prepares the language of the interface. Must be done before the first render. */
export async function startI18n(): Promise<void> {
  const language = detectLanguage()
  const locale = await loadLocale(language)
  await i18n.use(initReactI18next).init({
    lng: language,
    fallbackLng: false,
    contextSeparator: '|',
    resources: { [language]: { translation: locale } },
    interpolation: { escapeValue: false },
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

/** Switches the interface without a reload and remembers the choice. */
export async function switchLanguage(language: Language): Promise<void> {
  await showLanguage(language)
  writeStored(LANGUAGE_KEY, language)
}
