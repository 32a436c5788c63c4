import { type ComponentProps, type FocusEvent, type MouseEvent, useState } from 'react'

interface FocusKeepingButtonProps extends ComponentProps<'button'> {
  /** Of the library: at what it was pressed for. */
  'data-loading'?: boolean
}

const refuse = (event: MouseEvent) => {
  event.preventDefault()
  event.stopPropagation()
}

/**
 * What each button of the library is on the page. A button that cannot be pressed for now, since it is busy or has nothing
 * to do, still keeps the focus that it has: the browser would take it away, and the keyboard would be nowhere.
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
    // Another window has the keyboard, and gives it back to this button.
    if (document.activeElement !== event.currentTarget) setFocus(false)
    onBlur?.(event)
  }
  const click = (event: MouseEvent<HTMLButtonElement>) => {
    // A dialog that closes may have given it back unheard.
    setFocus(document.activeElement === event.currentTarget)
    onClick?.(event)
  }
  return (
    <button
      {...rest}
      // oxlint-disable-next-line react/button-has-type -- it is one of the three
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
