import { Button } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { errorText } from '../../../lib/i18n/error-text.ts'
import { useT } from '../../../lib/i18n/use-translation.ts'
import { Dialog } from '../../../ui/dialog.tsx'
import { Banner } from '../../../ui/message.tsx'
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
    <Dialog
      title={t('files.remove.title')}
      onClose={onClose}
      actions={
        <>
          <Button variant="default" onClick={onClose}>
            {t('common.cancel')}
          </Button>
          <Button color="red.9" loading={removal.isPending} onClick={() => removal.mutate()}>
            {t('files.remove.confirm')}
          </Button>
        </>
      }
    >
      <p className={styles.question}>{t('files.remove.text', { name: file.filename })}</p>
      {removal.isError && (
        <Banner tone="error">{t('files.remove.failed', { reason: errorText(removal.error) })}</Banner>
      )}
    </Dialog>
  )
}
