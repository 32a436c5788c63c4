import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import { Dialog } from './dialog.tsx'

interface ConfirmDialogProps {
  title: string
  children: ReactNode
  cancelLabel: string
  confirmLabel: string
  isDangerous?: boolean
  isBusy?: boolean
  onCancel: () => void
  onConfirm: () => void
}

/** Asks for confirmation. Esc and the first button cancel. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  return (
    <Dialog
      title={props.title}
      onClose={props.onCancel}
      actions={
        <>
          <Button variant="default" onClick={props.onCancel}>
            {props.cancelLabel}
          </Button>
          <Button
            {...(props.isDangerous && { color: 'red' })}
            loading={props.isBusy ?? false}
            onClick={props.onConfirm}
          >
            {props.confirmLabel}
          </Button>
        </>
      }
    >
      {props.children}
    </Dialog>
  )
}
