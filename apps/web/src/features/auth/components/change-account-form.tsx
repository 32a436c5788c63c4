import { ADMIN_PASSWORD_MIN_LENGTH, ADMIN_USERNAME_MAX_LENGTH } from '@dropleaf/contract'
import { Button, TextInput } from '@mantine/core'
import type { FormEvent } from 'react'
import { useState } from 'react'
import { hasCode } from '../../../lib/api-error.ts'
import { errorText } from '../../../lib/i18n/error-text.ts'
import { useT } from '../../../lib/i18n/use-translation.ts'
import { PRODUCT } from '../../../lib/page-title.ts'
import { endSession } from '../../../lib/session.ts'
import formStyles from '../../../ui/form.module.css'
import { Banner } from '../../../ui/message.tsx'
import { PasswordField } from '../../../ui/password-field.tsx'
import { PasswordStrength } from '../../../ui/password-strength.tsx'
import { changeAccount } from '../api/auth.api.ts'

const EMPTY = { currentPassword: '', newUsername: '', newPassword: '' }

function useChangeAccount() {
  const [input, setInput] = useState(EMPTY)
  const [error, setError] = useState<unknown>(null)
  const [isBusy, setBusy] = useState(false)
  const isTooShort = input.newPassword !== '' && input.newPassword.length < ADMIN_PASSWORD_MIN_LENGTH
  const hasChange = input.newPassword !== '' || input.newUsername.trim() !== ''
  const [isCurrentMissed, setCurrentMissed] = useState(false)
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    setCurrentMissed(input.currentPassword === '')
    if (input.currentPassword === '') return
    setBusy(true)
    setError(null)
    try {
      await changeAccount({ ...input, newUsername: input.newUsername.trim() })
      endSession('account-changed')
    } catch (failure) {
      setError(failure)
    } finally {
      setBusy(false)
    }
  }
  const isReady = hasChange && !isTooShort
  return {
    input,
    setInput,
    error,
    isBusy,
    isTooShort,
    isReady,
    isCurrentMissing: isCurrentMissed && input.currentPassword === '',
    submit,
  }
}

export function ChangeAccountForm() {
  const { t } = useT()
  const { input, setInput, error, ...form } = useChangeAccount()
  const textOf = (code: string) => (hasCode(error, code) ? errorText(error) : undefined)
  const currentError = form.isCurrentMissing ? t('auth.needCurrent') : textOf('auth.wrong_current_password')
  const usernameError = textOf('auth.username_taken')
  const passwordError = form.isTooShort
    ? t('auth.tooShort', { count: ADMIN_PASSWORD_MIN_LENGTH })
    : textOf('auth.password_unchanged')
  const isOfField = [currentError, usernameError, passwordError].some((text) => text !== undefined)
  return (
    <form className={formStyles.panel} onSubmit={(event) => void form.submit(event)} noValidate>
      <h2 className={formStyles.subtitle}>{t('auth.changePassword')}</h2>
      <PasswordField
        label={t('auth.currentPassword')}
        autoComplete="current-password"
        value={input.currentPassword}
        error={currentError}
        onChange={(event) => setInput({ ...input, currentPassword: event.currentTarget.value })}
      />
      <TextInput
        label={t('auth.newUsername')}
        description={t('auth.keepHint')}
        autoComplete="username"
        maxLength={ADMIN_USERNAME_MAX_LENGTH}
        value={input.newUsername}
        error={usernameError}
        onChange={(event) => setInput({ ...input, newUsername: event.currentTarget.value })}
      />
      <PasswordField
        label={t('auth.newPassword')}
        description={t('auth.passwordHint', { count: ADMIN_PASSWORD_MIN_LENGTH })}
        autoComplete="new-password"
        value={input.newPassword}
        error={passwordError}
        onChange={(event) => setInput({ ...input, newPassword: event.currentTarget.value })}
      />
      <PasswordStrength
        password={input.newPassword}
        known={[PRODUCT, window.location.hostname, input.newUsername, input.currentPassword]}
      />
      {error !== null && !isOfField && <Banner tone="error">{errorText(error)}</Banner>}
      <p className={formStyles.text}>{t('auth.endsSessions')}</p>
      <div className={formStyles.row}>
        <Button type="submit" loading={form.isBusy} disabled={!form.isReady}>
          {t('auth.change')}
        </Button>
      </div>
    </form>
  )
}
