import { useState } from 'react'
import { useT } from '../../i18n/use-translation.ts'
import { switchLanguage } from '../../i18n/i18n.ts'
import { type Language, LANGUAGES } from '../../locales/languages.ts'

export function LanguageControl() {
  const { t, language } = useT()
  // The language that the user has chosen, while its texts load; otherwise `null`.
  const [coming, setComing] = useState<Language | null>(null)
  const change = async (chosen: Language) => {
    setComing(chosen)
    await switchLanguage(chosen)
    setComing((latest) => (latest === chosen ? null : latest))
  }
  return (
    <select
      className="dl-language"
      aria-label={t('shell.language')}
      value={coming ?? language}
      onChange={(event) => void change(event.currentTarget.value as Language)}
    >
      {LANGUAGES.map(({ code, name }) => (
        <option key={code} value={code} lang={code}>
          {name}
        </option>
      ))}
    </select>
  )
}
