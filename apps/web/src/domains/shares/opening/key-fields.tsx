import { SHOWN_PASSWORD_MAX_LENGTH } from '@dropleaf/contract'
import { TextInput } from '@mantine/core'
import type { KeyboardEvent } from 'react'
import { useT } from '../../../i18n/use-translation.ts'
import { PasswordField } from '../../../ui/forms/password-field.tsx'
import type { useFieldError } from '../../../ui/forms/use-field-error.tsx'

interface KeyProps {
  value: string
  onChange: (value: string) => void
  error: ReturnType<typeof useFieldError>
  /** Called when Enter is pressed. The fields are not in a form, because automated programs submit forms. */
  onEnter: () => void
}

const PIN_MAX_LENGTH = 8

const enterCalls = (action: () => void) => (event: KeyboardEvent) => {
  if (event.key !== 'Enter') return
  event.preventDefault()
  action()
}

export function PasswordKey({ value, onChange, error: { field, said }, onEnter }: KeyProps) {
  const { t } = useT()
  return (
    <PasswordField
      ref={field}
      label={t('paste.locked.password')}
      maxLength={SHOWN_PASSWORD_MAX_LENGTH}
      autoComplete="off"
      value={value}
      {...said}
      onKeyDown={enterCalls(onEnter)}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  )
}

export function PinKey({ value, onChange, error: { field, said }, onEnter }: KeyProps) {
  const { t } = useT()
  return (
    <TextInput
      ref={field}
      label={t('opening.pin')}
      inputMode="numeric"
      autoComplete="off"
      maxLength={PIN_MAX_LENGTH}
      value={value}
      {...said}
      onKeyDown={enterCalls(onEnter)}
      onChange={(event) => onChange(event.currentTarget.value.replaceAll(/\D/g, ''))}
    />
  )
}
