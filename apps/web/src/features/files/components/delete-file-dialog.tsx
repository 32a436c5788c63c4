import { useMutation, useQueryClient } from '@tanstack/react-query'
import { errorText } from '../../../i18n/error-text.ts'
import { useT } from '../../../i18n/use-translation.ts'
import { ConfirmDialog } from '../../../ui/dialogs/confirm-dialog.tsx'
import { Banner } from '../../../ui/feedback/message.tsx'
import { deleteFile } from '../api/files.api.ts'
import { afterFileShareChange } from '../api/files.queries.ts'
import styles from './file-view.module.css'

interface DeleteFileDialogProps {
  file: { readonly id: string; readonly filename: string }
  onDeleted: () => void
  onClose: () => void
}

export function DeleteFileDialog({ file, onDeleted, onClose }: DeleteFileDialogProps) {
  const { t } = useT()
  const queryClient = useQueryClient()
  const removal = useMutation({
    mutationFn: () => deleteFile(file.id),
    onSuccess: () => {
      afterFileShareChange(queryClient)
      onDeleted()
    },
  })
  return (
    <ConfirmDialog
      title={t('files.remove.title')}
      cancelLabel={t('common.cancel')}
      confirmLabel={t('files.remove.confirm')}
      isDangerous
      isBusy={removal.isPending}
      onCancel={onClose}
      onConfirm={() => removal.mutate()}
    >
      <p className={styles.question}>{t('files.remove.text', { name: file.filename })}</p>
      {removal.isError && (
        <Banner tone="error">{t('files.remove.failed', { reason: errorText(removal.error) })}</Banner>
      )}
    </ConfirmDialog>
  )
}
