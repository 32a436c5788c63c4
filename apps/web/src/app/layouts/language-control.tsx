import { useT } from '../../lib/i18n/use-translation.ts'
import { switchLanguage } from '../../lib/i18n/i18n.ts'
import type { Language } from '../../lib/i18n/languages.ts'

/** Each language is called by its own name, so that it is found from the other one. */
const NAMES: Record<Language, string> = { 'zh-CN': '中文', 'en-US': 'English' }

export function LanguageControl() {
  const { t, language } = useT()
  return (
    <select
      className="dl-language"
      aria-label={t('shell.language')}
      value={language}
      onChange={(event) => void switchLanguage(event.currentTarget.value as Language)}
    >
      {Object.entries(NAMES).map(([code, name]) => (
        <option key={code} value={code} lang={code}>
          {name}
        </option>
      ))}
    </select>
  )
}
