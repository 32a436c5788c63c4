import { ActionIcon } from '@mantine/core'
import type { ReactNode } from 'react'

interface ToolButtonProps {
  label: string
  icon: ReactNode
  isDangerous?: boolean
  isBusy?: boolean
  /** Of a button that opens something. */
  isExpanded?: boolean
  /** Nothing to do now; it keeps the focus. */
  isOff?: boolean
  onClick: () => void
}

/** An icon that acts; its label is spoken and shown on hover. */
export function ToolButton(props: ToolButtonProps) {
  const { label, icon, isDangerous = false, isBusy = false, isExpanded, isOff = false, onClick } = props
  return (
    <ActionIcon
      variant="subtle"
      color={isDangerous ? 'red' : 'gray'}
      size="lg"
      aria-label={label}
      title={label}
      aria-expanded={isExpanded}
      loading={isBusy}
      aria-disabled={isOff || undefined}
      {...(isOff ? { 'data-disabled': true, style: { background: 'none' } } : { onClick })}
    >
      {icon}
    </ActionIcon>
  )
}
