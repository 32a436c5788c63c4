import type { Mount } from '@dropleaf/contract'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useT } from '../../../i18n/use-translation.ts'
import { notify } from '../../../lib/notices.ts'
import { ConfirmDialog } from '../../../ui/dialogs/confirm-dialog.tsx'
import formStyles from '../../../ui/forms/form.module.css'
import { Failure } from '../../../domains/session/components/failure.tsx'
import { afterMountChange } from '../api/after-mount-change.ts'
import { deleteMount } from '../api/mounts.queries.ts'

interface DeleteMountDialogProps {
  mount: Mount
  storageName: string
  onClose: () => void
}

/** Confirms the removal of a mount. The stored files stay. */
export function DeleteMountDialog({ mount, storageName, onClose }: DeleteMountDialogProps) {
  const { t } = useT()
  const queryClient = useQueryClient()
  const deleting = useMutation({
    mutationFn: () => deleteMount(mount.id),
    onSuccess: async () => {
      await afterMountChange(queryClient)
      onClose()
      notify('success', t('mounts.deleted', { name: mount.name }))
    },
  })
  return (
    <ConfirmDialog
      title={t('mounts.deleteTitle', { name: mount.name })}
      cancelLabel={t('common.cancel')}
      confirmLabel={t('mounts.delete')}
      isDangerous
      isBusy={deleting.isPending}
      onCancel={onClose}
      onConfirm={() => deleting.mutate()}
    >
      <p className={formStyles.text}>
        {t('mounts.deleteText', { path: mount.mount_path, storage: storageName })}
      </p>
      {deleting.isError && <Failure error={deleting.error} />}
    </ConfirmDialog>
  )
}
