import { Button } from '@mantine/core'
import styles from '../../../features/welcome/components/guide.module.css'
import { GuideStepPage } from '../../../features/welcome/components/guide-step.tsx'
import { switchLanguage } from '../../../i18n/i18n.ts'
import { useT } from '../../../i18n/use-translation.ts'
import { LANGUAGES } from '../../../locales/languages.ts'
import { RadioField } from '../../../ui/forms/radio-field.tsx'
import type { StepProps } from './welcome.page.tsx'

export function LanguageStep({ hasFocus, onNext }: StepProps) {
  const { t, language } = useT()
  return (
    <GuideStepPage
      title={t('welcome.language.title')}
      text={t('welcome.language.text')}
      hasFocus={hasFocus}
      actions={<Button onClick={onNext}>{t('welcome.next')}</Button>}
    >
      <div className={styles.choice}>
        <RadioField
          label={t('welcome.language.label')}
          value={language}
          options={LANGUAGES.map(({ code, name }) => ({ value: code, label: name }))}
          onChange={(code) => void switchLanguage(code)}
        />
      </div>
    </GuideStepPage>
  )
}
