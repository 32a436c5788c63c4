import { ADMIN_PASSWORD_MIN_LENGTH, ADMIN_USERNAME_MAX_LENGTH } from '@dropleaf/contract'
import { Button, TextInput } from '@mantine/core'
import { type FormEvent, useId } from 'react'
import { useT } from '../../../i18n/use-translation.ts'
import { PRODUCT } from '../../../lib/browser/page-title.ts'
import { endSession } from '../../../domains/session/session.ts'
import formStyles from '../../../ui/forms/form.module.css'
import { Failure } from '../../../domains/session/components/failure.tsx'
import { PasswordField } from '../../../ui/forms/password-field.tsx'
import { PasswordStrength } from '../../../ui/forms/password-strength.tsx'
import { useSaving } from '../../../domains/session/components/use-saving.ts'
import { useWrongFields, WrongFieldsBanner } from '../../../ui/forms/wrong-fields.tsx'
import { changeAccount } from '../api/auth.api.ts'
import { hasChange } from '../models/account-form.ts'
import { useAccountForm } from './use-account-form.ts'

const FIELD_OF_CODE = {
  'auth.wrong_current_password': 'currentPassword',
  'auth.username_taken': 'newUsername',
  'auth.password_unchanged': 'newPassword',
} as const

function useAccountChange() {
  const form = useAccountForm()
  const saving = useSaving({
    form,
    save: ({ currentPassword, newUsername, newPassword }) =>
      changeAccount({ currentPassword, newUsername: newUsername.trim(), newPassword }),
    onSaved: () => endSession('account-changed'),
    fieldOfCode: FIELD_OF_CODE,
  })
  return { form, saving }
}

export function ChangeAccountForm() {
  const { t } = useT()
  const { form, saving } = useAccountChange()
  const { currentPassword, newUsername, newPassword } = form.values
  const formId = useId()
  const wrong = useWrongFields(formId, saving.isWrong)
  const submit = (event: FormEvent<HTMLFormElement>) => {
    if (saving.isWrong) wrong.refuse()
    saving.onSubmit(event)
  }
  return (
    <form id={formId} className={formStyles.panel} onSubmit={submit} noValidate>
      <h2 className={formStyles.subtitle}>{t('account.title')}</h2>
      <PasswordField
        label={t('account.currentPassword')}
        autoComplete="current-password"
        {...form.text('currentPassword')}
      />
      <TextInput
        label={t('account.newUsername')}
        description={t('account.keepHint')}
        autoComplete="username"
        maxLength={ADMIN_USERNAME_MAX_LENGTH}
        {...form.text('newUsername')}
      />
      <PasswordField
        label={t('account.newPassword')}
        // The error message replaces the description.
        description={
          form.text('newPassword').error
            ? undefined
            : t('account.passwordHint', { count: ADMIN_PASSWORD_MIN_LENGTH })
        }
        autoComplete="new-password"
        {...form.text('newPassword')}
        // A change of the new password also validates the repeated password again.
        onChange={(event) => form.setAll({ newPassword: event.currentTarget.value })}
      />
      <PasswordStrength
        password={newPassword}
        known={[PRODUCT, window.location.hostname, newUsername, currentPassword]}
      />
      <PasswordField
        label={t('account.repeatPassword')}
        autoComplete="new-password"
        {...form.text('again')}
      />
      <WrongFieldsBanner refusals={wrong.refusals} />
      {saving.failure !== null && <Failure error={saving.failure} />}
      <p className={formStyles.text}>{t('account.endsSessions')}</p>
      <div className={formStyles.row}>
        <Button type="submit" loading={saving.isBusy} disabled={!hasChange(form.values)}>
          {t('account.change')}
        </Button>
      </div>
    </form>
  )
}
