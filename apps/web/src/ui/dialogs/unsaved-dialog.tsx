import { useT } from '../../i18n/use-translation.ts'
import { ConfirmDialog } from './confirm-dialog.tsx'

interface UnsavedDialogProps {
  /** Describes what is lost, if the loss needs an explanation. */
  text?: string
  onStay: () => void
  onLeave: () => void
}

/** Asks the user for confirmation before unsaved changes are lost. */
export function UnsavedDialog({ text, onStay, onLeave }: UnsavedDialogProps) {
  const { t } = useT()
  return (
    <ConfirmDialog
      title={t('common.unsaved.title')}
      cancelLabel={t('common.unsaved.stay')}
      confirmLabel={t('common.unsaved.leave')}
      isDangerous
      onCancel={onStay}
      onConfirm={onLeave}
    >
      {text ?? t('common.unsaved.text')}
    </ConfirmDialog>
  )
}
