import { Button } from '@mantine/core'
import type { FormEvent } from 'react'
import { useState } from 'react'
import { useT } from '../../../i18n/use-translation.ts'
import { AdminFields } from './admin-fields.tsx'
import { Banner } from '../../../ui/feedback/message.tsx'
import { SegmentedControl } from '../../../ui/buttons/segmented-control.tsx'
import formStyles from '../../../ui/forms/form.module.css'
import { KeyField } from './key-field.tsx'
import type { LoginMode } from './use-login.ts'
import { useLogin } from './use-login.ts'

interface LoginFormProps {
  onDone: (isFirstStart: boolean) => void
  /** Whether the form is in a dialog, which has its own title. */
  isEmbedded?: boolean
  /** The login method that is shown first. */
  firstMode?: LoginMode
}

/** Focuses the first empty field. If no field is empty, focuses the secret, which is most likely mistyped. */
function focusFault(form: HTMLFormElement): void {
  const fields = [...form.querySelectorAll('input')].filter(({ type }) => type !== 'radio')
  const fault = fields.find(({ value }) => value.trim() === '') ?? fields.at(-1)
  fault?.focus()
}

/** Logs in with a password or an API key. Keeps the input when the method changes or a login fails. */
export function LoginForm({ onDone, isEmbedded = false, firstMode = 'admin' }: LoginFormProps) {
  const { t } = useT()
  const [mode, setMode] = useState<LoginMode>(firstMode)
  const login = useLogin(mode, onDone)
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = event.currentTarget
    if (!(await login.submit())) focusFault(form)
  }
  return (
    <form
      className={isEmbedded ? formStyles.fields : formStyles.card}
      onSubmit={(event) => void submit(event)}
      noValidate
    >
      {!isEmbedded && <h1 className={formStyles.title}>{t('auth.title')}</h1>}
      <SegmentedControl
        isWide
        label={t('auth.mode')}
        value={mode}
        options={[
          { value: 'admin', label: t('auth.adminMode') },
          { value: 'key', label: t('auth.keyMode') },
        ]}
        onChange={(value) => {
          setMode(value)
          login.clearError()
        }}
      />
      {mode === 'admin' ? (
        <AdminFields value={login.account} onChange={login.setAccount} />
      ) : (
        <KeyField value={login.key} onChange={login.setKey} />
      )}
      {login.error && <Banner tone="error">{login.error}</Banner>}
      <Button type="submit" loading={login.isBusy} fullWidth>
        {t('auth.submit')}
      </Button>
    </form>
  )
}
