import { type ComponentProps, type FocusEvent, type MouseEvent, useState } from 'react'

interface FocusKeepingButtonProps extends ComponentProps<'button'> {
  /** Set by the component library while the button is busy. */
  'data-loading'?: boolean
}

const refuse = (event: MouseEvent) => {
  event.preventDefault()
  event.stopPropagation()
}

/**
 * The element of every library button. A focused button that becomes disabled or busy keeps the focus, which the
 * `disabled` attribute would remove.
 */
export function FocusKeepingButton(props: FocusKeepingButtonProps) {
  const { type = 'button', disabled = false, onClick, onFocus, onBlur, ...rest } = props
  const [hasFocus, setFocus] = useState(false)
  const isHeld = disabled && hasFocus
  const focus = (event: FocusEvent<HTMLButtonElement>) => {
    setFocus(true)
    onFocus?.(event)
  }
  const blur = (event: FocusEvent<HTMLButtonElement>) => {
    // If the active element is still this button, only the window has lost the focus, and will restore it.
    if (document.activeElement !== event.currentTarget) setFocus(false)
    onBlur?.(event)
  }
  const click = (event: MouseEvent<HTMLButtonElement>) => {
    // A closing dialog might have restored the focus without an event.
    setFocus(document.activeElement === event.currentTarget)
    onClick?.(event)
  }
  return (
    <button
      {...rest}
      // oxlint-disable-next-line react/button-has-type -- the type is one of the three
      type={type}
      disabled={disabled && !isHeld}
      aria-disabled={isHeld || undefined}
      aria-busy={rest['data-loading'] || undefined}
      onClick={isHeld ? refuse : click}
      onFocus={focus}
      onBlur={blur}
    />
  )
}
