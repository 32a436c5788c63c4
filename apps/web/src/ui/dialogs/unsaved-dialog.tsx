import { useT } from '../../i18n/use-translation.ts'
import { ConfirmDialog } from './confirm-dialog.tsx'

interface UnsavedDialogProps {
  /** What is lost and what is not, where that is more than nothing. */
  text?: string
  onStay: () => void
  onLeave: () => void
}

/** Asks before what was typed and not saved is lost. */
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
