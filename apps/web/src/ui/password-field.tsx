import { PasswordInput } from '@mantine/core'
import type { ComponentProps } from 'react'
import { useT } from '../lib/i18n/use-translation.ts'

/** A secret that can be looked at. The button is reached by keyboard and says what it does. */
export function PasswordField(
  props: Omit<ComponentProps<typeof PasswordInput>, 'visibilityToggleButtonProps'>,
) {
  const { t } = useT()
  return (
    <PasswordInput
      maxLength={256}
      // The library shows that a password is wrong, and says it of every other field.
      {...(Boolean(props.error) && { 'aria-invalid': true })}
      {...props}
      visibilityToggleButtonProps={{
        tabIndex: 0,
        'aria-label': `${t('common.showPassword')} / ${t('common.hidePassword')}`,
      }}
    />
  )
}
