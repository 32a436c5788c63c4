import { useT } from '../lib/i18n/use-translation.ts'
import { ConfirmDialog } from './confirm-dialog.tsx'

interface UnsavedDialogProps {
  onStay: () => void
  onLeave: () => void
}

/** Asks before what was typed and not saved is lost. */
export function UnsavedDialog({ onStay, onLeave }: UnsavedDialogProps) {
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
      {t('common.unsaved.text')}
    </ConfirmDialog>
  )
}
