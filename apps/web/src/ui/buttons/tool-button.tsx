import { ActionIcon, Loader } from '@mantine/core'
import type { ReactNode, Ref } from 'react'

interface ToolButtonProps {
  label: string
  icon: ReactNode
  isDangerous?: boolean
  /** Whether the action is in progress; the button keeps the focus. */
  isBusy?: boolean
  /** Whether the menu or panel of the button is open; absent if the button opens nothing. */
  isExpanded?: boolean
  /** Whether the button is disabled; the button keeps the focus. */
  isOff?: boolean
  sizePx?: number
  ref?: Ref<HTMLButtonElement> | undefined
  onClick: () => void
}

/** An icon button; its label is the accessible name and the tooltip. */
export function ToolButton({ ref, ...props }: ToolButtonProps) {
  const { label, icon, isDangerous = false, isBusy = false, isExpanded, isOff = false, onClick } = props
  const { sizePx = 34 } = props
  const isIdle = isOff || isBusy
  return (
    <ActionIcon
      ref={ref}
      variant="subtle"
      color={isDangerous ? 'red' : 'gray'}
      size={sizePx}
      aria-label={label}
      title={label}
      aria-expanded={isExpanded}
      aria-busy={isBusy || undefined}
      aria-disabled={isIdle || undefined}
      {...(isIdle ? { 'data-disabled': true, style: { background: 'none' } } : { onClick })}
    >
      {isBusy ? <Loader size={18} color="gray" aria-hidden /> : icon}
    </ActionIcon>
  )
}
