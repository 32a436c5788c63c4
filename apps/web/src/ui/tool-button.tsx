import { ActionIcon } from '@mantine/core'
import type { ReactNode } from 'react'

interface ToolButtonProps {
  label: string
  icon: ReactNode
  isDangerous?: boolean
  isBusy?: boolean
  onClick: () => void
}

/** An icon that acts; its label is spoken and shown on hover. */
export function ToolButton({ label, icon, isDangerous = false, isBusy = false, onClick }: ToolButtonProps) {
  return (
    <ActionIcon
      variant="subtle"
      color={isDangerous ? 'red' : 'gray'}
      size="lg"
      aria-label={label}
      title={label}
      loading={isBusy}
      onClick={onClick}
    >
      {icon}
    </ActionIcon>
  )
}
