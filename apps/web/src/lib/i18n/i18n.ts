import { createInstance } from 'i18next'
import { initReactI18next } from 'react-i18next'
import { readStored, writeStored } from '../storage.ts'
import type { Language } from './languages.ts'
import { LANGUAGE_KEY, detectLanguage, loadLocale } from './languages.ts'

export const i18n = createInstance()

async function ensureLocale(language: Language) {
  if (!i18n.hasResourceBundle(language, 'translation')) {
    i18n.addResourceBundle(language, 'translation', await loadLocale(language))
  }
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
