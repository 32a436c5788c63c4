import { TextInput } from '@mantine/core'
import { ADMIN_USERNAME_MAX_LENGTH } from '@dropleaf/contract'
import { useT } from '../../../i18n/use-translation.ts'
import { focusOnMount } from '../../../ui/focus/focus.ts'
import { PasswordField } from '../../../ui/forms/password-field.tsx'
import formStyles from '../../../ui/forms/form.module.css'
import type { AccountInput } from './use-login.ts'

const RESET_COMMANDS = ['npm run reset-password', 'dropleaf reset-password']

interface AdminFieldsProps {
  value: AccountInput
  onChange: (value: AccountInput) => void
}

export function AdminFields({ value, onChange }: AdminFieldsProps) {
  const { t } = useT()
  return (
    <>
      <TextInput
        label={t('auth.username')}
        name="username"
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
        ref={focusOnMount}
        maxLength={ADMIN_USERNAME_MAX_LENGTH}
        value={value.username}
        onChange={(event) => onChange({ ...value, username: event.currentTarget.value })}
      />
      <PasswordField
        label={t('auth.password')}
        name="password"
        autoComplete="current-password"
        value={value.password}
        onChange={(event) => onChange({ ...value, password: event.currentTarget.value })}
      />
      <details>
        <summary>{t('auth.forgotten.title')}</summary>
        <p className={formStyles.text}>{t('auth.forgotten.text')}</p>
        {RESET_COMMANDS.map((command) => (
          <div key={command}>
            <code>{command}</code>
          </div>
        ))}
      </details>
    </>
  )
}
