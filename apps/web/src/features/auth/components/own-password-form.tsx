import type { FormEvent } from 'react'
import { useT } from '../../../i18n/use-translation.ts'
import { PRODUCT } from '../../../lib/browser/page-title.ts'
import formStyles from '../../../ui/forms/form.module.css'
import { Failure } from '../../../domains/session/components/failure.tsx'
import { PasswordField } from '../../../ui/forms/password-field.tsx'
import { PasswordStrength } from '../../../ui/forms/password-strength.tsx'
import { useSaving } from '../../../domains/session/components/use-saving.ts'
import { useWrongFields, WrongFieldsBanner } from '../../../ui/forms/wrong-fields.tsx'
import { changeOwnPassword } from '../api/auth.api.ts'
import { hasChange } from '../models/account-form.ts'
import { useAccountForm } from './use-account-form.ts'

const FIELD_OF_CODE = {
  'auth.wrong_current_password': 'currentPassword',
  'auth.password_unchanged': 'newPassword',
} as const

/** State of the form in which the administrator sets a new password and stays logged in. */
export function useOwnPassword({ username, onSaved }: { username: string; onSaved: () => void }) {
  const form = useAccountForm()
  const saving = useSaving({
    form,
    save: ({ currentPassword, newPassword }) => changeOwnPassword({ username, currentPassword, newPassword }),
    onSaved,
    fieldOfCode: FIELD_OF_CODE,
  })
  return { form, saving, hasInput: hasChange(form.values) }
}

interface OwnPasswordFieldsProps {
  /** Id of the form, for its submit button. */
  id: string
  username: string
  own: ReturnType<typeof useOwnPassword>
  currentHint: string
  newHint: string
}

export function OwnPasswordForm({ id, username, own, currentHint, newHint }: OwnPasswordFieldsProps) {
  const { t } = useT()
  const { form, saving } = own
  const { currentPassword, newPassword } = form.values
  const wrong = useWrongFields(id, saving.isWrong)
  const submit = (event: FormEvent<HTMLFormElement>) => {
    if (saving.isWrong) wrong.refuse()
    saving.onSubmit(event)
  }
  return (
    <form id={id} className={formStyles.fields} onSubmit={submit} noValidate>
      {/* Password managers read from this field to which account the password belongs. */}
      <input
        className="dl-sr"
        type="text"
        autoComplete="username"
        value={username}
        readOnly
        tabIndex={-1}
        aria-hidden
      />
      <PasswordField
        label={t('account.currentPassword')}
        description={currentHint}
        autoComplete="current-password"
        {...form.text('currentPassword')}
      />
      <PasswordField
        label={t('account.newPassword')}
        description={newHint}
        autoComplete="new-password"
        {...form.text('newPassword')}
        // A change of the new password also validates the repeated password again.
        onChange={(event) => form.setAll({ newPassword: event.currentTarget.value })}
      />
      <PasswordStrength
        password={newPassword}
        known={[PRODUCT, window.location.hostname, username, currentPassword]}
      />
      <PasswordField
        label={t('account.repeatPassword')}
        autoComplete="new-password"
        {...form.text('again')}
      />
      <WrongFieldsBanner refusals={wrong.refusals} />
      {saving.failure !== null && <Failure error={saving.failure} />}
    </form>
  )
}
