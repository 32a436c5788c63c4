import { PasswordInput } from '@mantine/core'
import { type ComponentProps, useState } from 'react'
import { useT } from '../../i18n/use-translation.ts'

/** A secret that can be looked at. The button is reached by keyboard and says what it does. */
export function PasswordField(
  props: Omit<ComponentProps<typeof PasswordInput>, 'visibilityToggleButtonProps'>,
) {
  const { t } = useT()
  const [isShown, setShown] = useState(false)
  return (
    <PasswordInput
      maxLength={256}
      // The library shows that a password is wrong, and says it of every other field.
      {...(Boolean(props.error) && { 'aria-invalid': true })}
      {...props}
      visible={isShown}
      onVisibilityChange={setShown}
      visibilityToggleButtonProps={{
        tabIndex: 0,
        // Its name says what it does: with a state of the library's as well, it would be said to be hidden.
        'aria-pressed': undefined,
        'aria-label': isShown ? t('common.hidePassword') : t('common.showPassword'),
      }}
    />
  )
}
