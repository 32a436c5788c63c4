import {
  BUNDLE_REVISIONS_MAX,
  BUNDLE_REVISIONS_MAX_BYTES,
  type ListedBundleRevision,
} from '@dropleaf/contract'
import { Button } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useT } from '../../../i18n/use-translation.ts'
import { formatBytes, formatDateTime, formatNumber } from '../../../lib/format.ts'
import { notify } from '../../../lib/notices.ts'
import { Failure } from '../../../domains/session/components/failure.tsx'
import { ConfirmDialog } from '../../../ui/dialogs/confirm-dialog.tsx'
import { Dialog } from '../../../ui/dialogs/dialog.tsx'
import { FailedBanner } from '../../../ui/feedback/failed-banner.tsx'
import { SkeletonLines } from '../../../ui/feedback/skeleton.tsx'
import { ownBundleQueries } from '../api/own-bundles.queries.ts'
import type { BundleAccess } from '../models/bundle-access.ts'
import styles from './changes.module.css'
import { ManifestChangesView } from './manifest-changes-view.tsx'

interface BundleVersionsDialogProps {
  access: BundleAccess
  /** Whether the editor has changes that a restoration would discard. */
  hasChanges: boolean
  onRestored: () => Promise<void>
  onClose: () => void
}

/** Lists the stored revisions of a bundle with their changes, and restores a revision. */
export function BundleVersionsDialog(props: BundleVersionsDialogProps) {
  const { t, language } = useT()
  const revisions = useQuery(ownBundleQueries.revisions(props.access.id))
  return (
    <Dialog title={t('bundleEditing.history.title')} isWide onClose={props.onClose}>
      {revisions.isPending ? (
        <SkeletonLines label={t('common.loading')} />
      ) : revisions.isError ? (
        <FailedBanner error={revisions.error} onRetry={() => void revisions.refetch()} />
      ) : revisions.data.length === 0 ? (
        <p className={styles.note}>{t('bundleEditing.history.none')}</p>
      ) : (
        <Versions {...props} revisions={revisions.data} />
      )}
      <p className={styles.foot}>
        {t('bundleEditing.history.kept', {
          count: BUNDLE_REVISIONS_MAX,
          size: formatBytes(BUNDLE_REVISIONS_MAX_BYTES, language),
        })}
      </p>
    </Dialog>
  )
}

interface VersionsProps extends BundleVersionsDialogProps {
  /** Newest first. */
  revisions: readonly ListedBundleRevision[]
}

function Versions({ revisions, ...props }: VersionsProps) {
  const { t, language } = useT()
  const [chosenNumber, setChosen] = useState(revisions[0]?.revision)
  const place = Math.max(
    0,
    revisions.findIndex(({ revision }) => revision === chosenNumber),
  )
  const chosen = revisions[place]
  return (
    <div className={styles.panes}>
      <ol className={styles.list} aria-label={t('bundleEditing.history.list')}>
        {revisions.map((one) => (
          <li key={one.revision}>
            <button
              type="button"
              className={styles.version}
              aria-pressed={one === chosen}
              onClick={() => setChosen(one.revision)}
            >
              <span>
                {t('bundleEditing.history.number', { number: formatNumber(one.revision, language) })}
                {one.is_current && ` · ${t('bundleEditing.history.current')}`}
              </span>
              <span className={styles.size}>{formatDateTime(one.created_at, language)}</span>
              <span className={styles.size}>
                {/* The server counts the objects of an encrypted bundle, not its items. */}
                {props.access.isSealed
                  ? formatBytes(one.size, language)
                  : t('bundleEditing.history.facts', {
                      items: t('bundleEditing.items.count', { count: one.item_count }),
                      size: formatBytes(one.size, language),
                    })}
              </span>
            </button>
          </li>
        ))}
      </ol>
      {chosen && (
        <Version
          key={chosen.revision}
          {...props}
          chosen={chosen}
          earlier={revisions[place + 1] ?? null}
          current={revisions.find(({ is_current: isCurrent }) => isCurrent)?.revision ?? chosen.revision}
        />
      )}
    </div>
  )
}

interface VersionProps extends BundleVersionsDialogProps {
  chosen: ListedBundleRevision
  /** The previous revision; `null` if it is not stored. */
  earlier: ListedBundleRevision | null
  /** Number of the current revision. */
  current: number
}

function Version({ access, hasChanges, onRestored, onClose, chosen, earlier, current }: VersionProps) {
  const { t, language } = useT()
  const [isAsking, setAsking] = useState(false)
  const number = formatNumber(chosen.revision, language)
  const title = t('bundleEditing.history.number', { number })
  const restoring = useMutation({
    mutationFn: () => access.restore(chosen.revision, current),
    onSuccess: async () => {
      notify('success', t('bundleEditing.history.restored', { number }))
      onClose()
      await onRestored()
    },
  })
  return (
    <section className={styles.shown} aria-label={title}>
      <div className={styles.bar}>
        <h3>{t('bundleEditing.history.whatChanged')}</h3>
        {!chosen.is_current && (
          <Button size="compact-sm" onClick={() => setAsking(true)}>
            {t('bundleEditing.history.restore')}
          </Button>
        )}
      </div>
      {earlier === null ? (
        <p className={styles.note}>{t('bundleEditing.history.oldest')}</p>
      ) : (
        <>
          <p className={styles.note}>
            {t('bundleEditing.history.comparedWith', { number: formatNumber(earlier.revision, language) })}
          </p>
          <Changes access={access} before={earlier.revision} after={chosen.revision} />
        </>
      )}
      {isAsking && (
        <ConfirmDialog
          title={t('bundleEditing.history.restoreTitle', { number })}
          cancelLabel={t('common.cancel')}
          confirmLabel={t('bundleEditing.history.restore')}
          isBusy={restoring.isPending}
          onCancel={() => setAsking(false)}
          onConfirm={() => restoring.mutate()}
        >
          <p>{t('bundleEditing.history.restoreText')}</p>
          {hasChanges && <p>{t('bundleEditing.history.restoreUnsaved')}</p>}
          {restoring.isError && <Failure error={restoring.error} />}
        </ConfirmDialog>
      )}
    </section>
  )
}

function Changes({ access, before, after }: { access: BundleAccess; before: number; after: number }) {
  const { t } = useT()
  const old = useQuery(ownBundleQueries.revision(access, before))
  const fresh = useQuery(ownBundleQueries.revision(access, after))
  const failed = old.error ?? fresh.error
  if (failed) {
    const retry = () => {
      void old.refetch()
      void fresh.refetch()
    }
    return <FailedBanner error={failed} onRetry={retry} />
  }
  if (!old.data || !fresh.data) return <SkeletonLines label={t('common.loading')} />
  return <ManifestChangesView before={old.data} after={fresh.data} />
}
