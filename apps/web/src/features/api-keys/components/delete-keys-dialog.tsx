import { useMutation, useQueryClient } from '@tanstack/react-query'
import { errorText } from '../../../i18n/error-text.ts'
import { useT } from '../../../i18n/use-translation.ts'
import { notify } from '../../../lib/notices.ts'
import { ConfirmDialog } from '../../../ui/dialogs/confirm-dialog.tsx'
import formStyles from '../../../ui/forms/form.module.css'
import { NamesList } from '../../../ui/layout/names-list.tsx'
import { apiKeyQueries } from '../../../domains/api/api-key-queries.ts'
import { type ApiKey, deleteKeys } from '../api/api-keys.api.ts'

interface DeleteKeysDialogProps {
  keys: readonly ApiKey[]
  onDeleted: () => void
  onClose: () => void
}

/** Confirms the deletion of keys, which is permanent. */
export function DeleteKeysDialog({ keys, onDeleted, onClose }: DeleteKeysDialogProps) {
  const { t } = useT()
  const queryClient = useQueryClient()
  const deleting = useMutation({
    mutationFn: () => deleteKeys(keys),
    onSuccess: async (failed) => {
      await queryClient.invalidateQueries(apiKeyQueries.all())
      const deleted = keys.length - failed.length
      if (deleted > 0) notify('success', t('keys.deleted', { count: deleted }))
      const [first] = failed
      if (first) {
        notify(
          'error',
          t('keys.notDeleted', {
            count: failed.length,
            name: first.key.name,
            reason: errorText(first.error),
          }),
        )
      }
      onDeleted()
    },
  })
  return (
    <ConfirmDialog
      title={keys.length === 1 ? t('keys.deleteOne') : t('keys.deleteTitle', { count: keys.length })}
      cancelLabel={t('common.cancel')}
      confirmLabel={t('keys.delete')}
      isDangerous
      isBusy={deleting.isPending}
      onCancel={onClose}
      onConfirm={() => deleting.mutate()}
    >
      <NamesList names={keys.map(({ name }) => name)} />
      <p className={formStyles.text}>{t('keys.deleteText', { count: keys.length })}</p>
    </ConfirmDialog>
  )
}
