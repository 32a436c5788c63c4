import { useT } from '../../lib/i18n/use-translation.ts'
import { switchLanguage } from '../../lib/i18n/i18n.ts'
import { type Language, LANGUAGES } from '../../locales/languages.ts'

export function LanguageControl() {
  const { t, language } = useT()
  return (
    <select
      className="dl-language"
      aria-label={t('shell.language')}
      value={language}
      onChange={(event) => void switchLanguage(event.currentTarget.value as Language)}
    >
      {LANGUAGES.map(({ code, name }) => (
        <option key={code} value={code} lang={code}>
          {name}
        </option>
      ))}
    </select>
  )
}
