import { useT } from '../../../i18n/use-translation.ts'
import { focusOnMount } from '../../../ui/focus/focus.ts'
import { PasswordField } from '../../../ui/forms/password-field.tsx'

export function KeyField({ value, onChange }: { value: string; onChange: (value: string) => void }) {
  const { t } = useT()
  return (
    <PasswordField
      label={t('auth.apiKey')}
      description={t('auth.keyHint')}
      name="api-key"
      autoComplete="off"
      spellCheck={false}
      ref={focusOnMount}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  )
}
