import type { StorageConfig } from '@dropleaf/contract'
import { Button } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useT } from '../../../i18n/use-translation.ts'
import { notify } from '../../../lib/notices.ts'
import { storageQueries } from '../../../domains/storages/storage-queries.ts'
import { ConfirmDialog } from '../../../ui/dialogs/confirm-dialog.tsx'
import { Dialog } from '../../../ui/dialogs/dialog.tsx'
import { FailedBanner } from '../../../ui/feedback/failed-banner.tsx'
import formStyles from '../../../ui/forms/form.module.css'
import { Failure } from '../../../domains/session/components/failure.tsx'
import { NamesList } from '../../../ui/layout/names-list.tsx'
import { deleteStorage, type StorageUse, storageUseQuery } from '../api/storage-configs.api.ts'
import styles from './storages.module.css'

interface DeleteStorageDialogProps {
  config: StorageConfig
  onClose: () => void
}

/** Confirms the deletion of a storage, or shows what still uses it. */
export function DeleteStorageDialog({ config, onClose }: DeleteStorageDialogProps) {
  const { t } = useT()
  const queryClient = useQueryClient()
  const use = useQuery(storageUseQuery(config.id))
  const deleting = useMutation({
    mutationFn: () => deleteStorage(config.id),
    onSuccess: async () => {
      await queryClient.invalidateQueries({ queryKey: storageQueries.all().queryKey })
      onClose()
      notify('success', t('storages.deleted', { name: config.name }))
    },
    // Loads the mounts and files of the storage again, because others might have started to use the storage.
    onError: () => use.refetch(),
  })
  const isUsed = use.data !== undefined && use.data.mountCount + use.data.fileCount > 0
  if (isUsed) return <UsedDialog config={config} use={use.data} onClose={onClose} />
  return (
    <ConfirmDialog
      title={t('storages.deleteTitle', { name: config.name })}
      cancelLabel={t('common.cancel')}
      confirmLabel={t('storages.delete')}
      isDangerous
      isBusy={deleting.isPending || use.isPending}
      onCancel={onClose}
      onConfirm={() => deleting.mutate()}
    >
      <div className={formStyles.fields}>
        <p className={formStyles.text}>{t('storages.deleteText', { bucket: config.bucket_name })}</p>
        {config.is_default === 1 && <p className={formStyles.text}>{t('storages.deleteDefault')}</p>}
        {use.isPending && <output className={formStyles.text}>{t('storages.searchingUse')}</output>}
        {use.isError && <FailedBanner error={use.error} onRetry={() => void use.refetch()} />}
        {deleting.isError && <Failure error={deleting.error} />}
      </div>
    </ConfirmDialog>
  )
}

function UsedDialog({ config, use, onClose }: DeleteStorageDialogProps & { use: StorageUse }) {
  const { t } = useT()
  return (
    <Dialog
      title={t('storages.usedTitle', { name: config.name })}
      onClose={onClose}
      actions={
        <Button variant="default" onClick={onClose}>
          {t('common.close')}
        </Button>
      }
    >
      <p className={formStyles.text}>{t('storages.usedText')}</p>
      <div className={styles.use}>
        {use.mountCount > 0 && (
          <section>
            <h3>{t('storages.usedMounts', { count: use.mountCount })}</h3>
            <NamesList names={use.mounts} count={use.mountCount} />
            <Link to="/admin/$module" params={{ module: 'mount-management' }} search={{ q: config.name }}>
              {t('storages.toMounts')}
            </Link>
          </section>
        )}
        {use.fileCount > 0 && (
          <section>
            <h3>{t('storages.usedFiles', { count: use.fileCount })}</h3>
            <NamesList names={use.files} count={use.fileCount} />
            <Link to="/admin/$module" params={{ module: 'file-management' }} search={{ storage: config.id }}>
              {t('storages.toFiles')}
            </Link>
          </section>
        )}
      </div>
    </Dialog>
  )
}
