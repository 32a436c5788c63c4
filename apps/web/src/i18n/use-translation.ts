import { useTranslation } from 'react-i18next'
import type { Language } from './languages.ts'

/** Returns the translation function, and the language for dates and numbers. */
export function useT() {
  const { t, i18n } = useTranslation()
  return { t, language: i18n.language as Language }
}
