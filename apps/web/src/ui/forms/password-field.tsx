import { PasswordInput } from '@mantine/core'
import { type ComponentProps, useState } from 'react'
import { useT } from '../../i18n/use-translation.ts'

/** A field for a secret, with a button that shows the secret. */
export function PasswordField(
  props: Omit<ComponentProps<typeof PasswordInput>, 'visibilityToggleButtonProps'>,
) {
  const { t } = useT()
  const [isShown, setShown] = useState(false)
  return (
    <PasswordInput
      maxLength={256}
      // The library only displays the error of a password field, without setting `aria-invalid`.
      {...(Boolean(props.error) && { 'aria-invalid': true })}
      {...props}
      visible={isShown}
      onVisibilityChange={setShown}
      visibilityToggleButtonProps={{
        tabIndex: 0,
        // The label describes the action. With the library's `aria-pressed`, the button would be announced as pressed.
        'aria-pressed': undefined,
        'aria-label': isShown ? t('common.hidePassword') : t('common.showPassword'),
      }}
    />
  )
}
