import type { ManifestInput } from '@dropleaf/contract'
import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useT } from '../../../i18n/use-translation.ts'
import { Dialog } from '../../../ui/dialogs/dialog.tsx'
import { FailedBanner } from '../../../ui/feedback/failed-banner.tsx'
import { SkeletonLines } from '../../../ui/feedback/skeleton.tsx'
import formStyles from '../../../ui/forms/form.module.css'
import type { BundleAccess } from '../models/bundle-access.ts'
import styles from './bundle-form.module.css'
import { ManifestChangesView } from './manifest-changes-view.tsx'

interface BundleChangedDialogProps {
  access: BundleAccess
  /** The unpublished edit of the user. */
  mine: ManifestInput
  /** @param revision the revision that the edit replaces */
  onMine: (revision: number) => void
  onTheirs: () => void
  onClose: () => void
}

/**
 * Asks the user what to do with an edit if another revision was published meanwhile. Nothing is discarded without the
 * user's choice.
 */
export function BundleChangedDialog({ access, mine, onMine, onTheirs, onClose }: BundleChangedDialogProps) {
  const { t } = useT()
  const theirs = useQuery({
    queryKey: ['own-bundle', access.id, 'newer'],
    queryFn: ({ signal }) => access.readNewest(signal),
    gcTime: 0,
    staleTime: 0,
    meta: { isPrivate: true },
  })
  const now = theirs.isFetching ? undefined : theirs.data
  return (
    <Dialog title={t('bundleEditing.changed.title')} onClose={onClose} isWide>
      <div className={formStyles.fields}>
        <p className={formStyles.text}>{t('bundleEditing.changed.text')}</p>
        {theirs.isFetching && <SkeletonLines label={t('common.loading')} />}
        {theirs.isError && <FailedBanner error={theirs.error} onRetry={() => void theirs.refetch()} />}
        {now?.manifest && (
          <div>
            <p className={formStyles.text}>{t('bundleEditing.changed.difference')}</p>
            <ManifestChangesView before={now.manifest} after={mine} />
          </div>
        )}
        <Button className={styles.choice ?? ''} disabled={!now} onClick={() => now && onMine(now.revision)}>
          {t('bundleEditing.changed.takeMine')}
        </Button>
        <Button className={styles.choice ?? ''} variant="default" onClick={onTheirs}>
          {t('bundleEditing.changed.takeTheirs')}
        </Button>
        <Button className={styles.choice ?? ''} variant="subtle" color="gray" onClick={onClose}>
          {t('bundleEditing.changed.goOn')}
        </Button>
      </div>
    </Dialog>
  )
}
