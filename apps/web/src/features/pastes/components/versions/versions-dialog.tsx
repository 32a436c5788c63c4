import { type ListedRevision, PASTE_REVISIONS_MAX, PASTE_REVISIONS_MAX_BYTES } from '@dropleaf/contract'
import { Button } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { formatBytes, formatDateTime } from '../../../../lib/format.ts'
import { errorText } from '../../../../i18n/error-text.ts'
import { useT } from '../../../../i18n/use-translation.ts'
import { notify } from '../../../../lib/notices.ts'
import { ConfirmDialog } from '../../../../ui/dialogs/confirm-dialog.tsx'
import { useCopy } from '../../../../ui/buttons/copy-button.tsx'
import { Dialog } from '../../../../ui/dialogs/dialog.tsx'
import { FailedBanner } from '../../../../ui/feedback/failed-banner.tsx'
import { PlainText } from '../../../../domains/markdown/prose/prose.tsx'
import { TextDiff } from '../../../../domains/text-diff/text-diff.tsx'
import { SegmentedControl } from '../../../../ui/buttons/segmented-control.tsx'
import { SkeletonLines } from '../../../../ui/feedback/skeleton.tsx'
import { forgetVersions, restoreVersion, versionQueries } from '../../api/paste-versions.queries.ts'
import styles from './versions-dialog.module.css'

interface VersionsDialogProps {
  /** Id or slug of the text. */
  id: string
  /** Content of the current version. */
  content: string
  /** Called after a version was restored. */
  onRestored: () => void
  onClose: () => void
}

/** Shows earlier versions of a text to its owner. */
export function VersionsDialog({ id, content, onRestored, onClose }: VersionsDialogProps) {
  const { t } = useT()
  const versions = useQuery(versionQueries.list(id))
  return (
    <Dialog title={t('textView.versions.title')} isWide onClose={onClose}>
      {versions.isPending ? (
        <SkeletonLines label={t('common.loading')} />
      ) : versions.isError ? (
        <FailedBanner error={versions.error} onRetry={() => void versions.refetch()} />
      ) : versions.data.length === 0 ? (
        <p className={styles.none}>{t('textView.versions.none')}</p>
      ) : (
        <Versions id={id} content={content} versions={versions.data} onRestored={onRestored} />
      )}
    </Dialog>
  )
}

interface VersionsProps extends Pick<VersionsDialogProps, 'id' | 'content' | 'onRestored'> {
  versions: readonly ListedRevision[]
}

function Versions({ id, content, versions, onRestored }: VersionsProps) {
  const { t, language } = useT()
  const [chosenId, setChosenId] = useState(versions[0]?.id)
  const place = Math.max(
    0,
    versions.findIndex((version) => version.id === chosenId),
  )
  const chosen = versions[place]
  const newer = versions[place - 1] ?? null
  return (
    <>
      <div className={styles.panes}>
        <ol className={styles.list} aria-label={t('textView.versions.list')}>
          {versions.map((version) => (
            <li key={version.id}>
              <button
                type="button"
                className={styles.version}
                aria-pressed={version === chosen}
                onClick={() => setChosenId(version.id)}
              >
                <span>{formatDateTime(version.created_at, language)}</span>
                <span className={styles.size}>{formatBytes(version.size, language)}</span>
              </button>
            </li>
          ))}
        </ol>
        {chosen && (
          <Version
            key={chosen.id}
            id={id}
            content={content}
            version={chosen}
            newer={newer}
            onRestored={onRestored}
          />
        )}
      </div>
      <Forget id={id} count={versions.length} />
    </>
  )
}

interface VersionProps extends Pick<VersionsDialogProps, 'id' | 'content' | 'onRestored'> {
  version: ListedRevision
  /** The next newer version; `null` if the next newer version is the current one. */
  newer: ListedRevision | null
}

type View = 'changes' | 'whole'

function Version({ id, content, version, newer, onRestored }: VersionProps) {
  const { t, language } = useT()
  const [view, setView] = useState<View>('changes')
  const { copy } = useCopy()
  const text = useQuery(versionQueries.one(id, version.id))
  const next = useQuery({ ...versionQueries.one(id, newer?.id ?? ''), enabled: newer !== null })
  const after = newer === null ? content : next.data?.content
  const failed = text.error ?? next.error
  const restoring = useMutation({
    mutationFn: () => restoreVersion(id, version.id),
    onSuccess: () => {
      notify('success', t('textView.versions.restored'))
      onRestored()
    },
  })
  return (
    <section className={styles.shown} aria-label={formatDateTime(version.created_at, language)}>
      <div className={styles.bar}>
        <SegmentedControl
          isSmall
          label={t('textView.versions.view')}
          value={view}
          options={[
            { value: 'changes', label: t('textView.versions.changes') },
            { value: 'whole', label: t('textView.versions.whole') },
          ]}
          onChange={setView}
        />
        <Button
          size="compact-sm"
          variant="default"
          disabled={!text.data}
          onClick={() => text.data && void copy(text.data.content, t('paste.textCopied'))}
        >
          {t('textView.versions.copy')}
        </Button>
        <Button size="compact-sm" loading={restoring.isPending} onClick={() => restoring.mutate()}>
          {t('textView.versions.restore')}
        </Button>
      </div>
      {restoring.isError && <FailedBanner error={restoring.error} onRetry={() => restoring.mutate()} />}
      {failed ? (
        <FailedBanner
          error={failed}
          onRetry={() => {
            void text.refetch()
            if (newer !== null) void next.refetch()
          }}
        />
      ) : !text.data || after === undefined ? (
        <SkeletonLines label={t('common.loading')} />
      ) : view === 'whole' ? (
        // The element is focusable, so that the keyboard can scroll it.
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
        <div className={styles.text} tabIndex={0}>
          <PlainText text={text.data.content} />
        </div>
      ) : (
        <>
          <p className={styles.note}>
            {newer === null
              ? t('textView.versions.comparedWithPresent')
              : t('textView.versions.comparedWith', { time: formatDateTime(newer.created_at, language) })}
          </p>
          <TextDiff before={text.data.content} after={after} />
        </>
      )}
    </section>
  )
}

function Forget({ id, count }: { id: string; count: number }) {
  const { t, language } = useT()
  const queryClient = useQueryClient()
  const [isAsking, setAsking] = useState(false)
  const forgetting = useMutation({
    mutationFn: () => forgetVersions(id),
    onSuccess: () => {
      setAsking(false)
      notify('success', t('textView.versions.forgotten'))
      queryClient.setQueryData(versionQueries.list(id).queryKey, [])
    },
    onError: (error) => {
      setAsking(false)
      notify('error', errorText(error))
    },
  })
  return (
    <div className={styles.foot}>
      <p className={styles.note}>
        {t('textView.versions.kept', {
          count: PASTE_REVISIONS_MAX,
          size: formatBytes(PASTE_REVISIONS_MAX_BYTES, language),
        })}
      </p>
      <Button
        className={styles.forget ?? ''}
        size="compact-sm"
        variant="subtle"
        color="red"
        onClick={() => setAsking(true)}
      >
        {t('textView.versions.forget')}
      </Button>
      {isAsking && (
        <ConfirmDialog
          title={t('textView.versions.forgetTitle')}
          cancelLabel={t('common.cancel')}
          confirmLabel={t('textView.versions.forget')}
          isDangerous
          isBusy={forgetting.isPending}
          onCancel={() => setAsking(false)}
          onConfirm={() => forgetting.mutate()}
        >
          {t('textView.versions.forgetText', { count })}
        </ConfirmDialog>
      )}
    </div>
  )
}
