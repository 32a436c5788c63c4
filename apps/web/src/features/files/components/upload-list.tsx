import { Button } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { dropBundle, useBundles } from '../../../domains/bundles/bundle-drafts.ts'
import type { BundleSnapshot } from '../../../domains/bundles/bundle-snapshot.ts'
import { BundleRow } from '../../../domains/bundles/rows/bundle-row.tsx'
import { SealedRowLink } from '../../../domains/sealed/link/sealed-links.tsx'
import { formatPercent } from '../../../lib/format.ts'
import { useT } from '../../../i18n/use-translation.ts'
import rows from '../../../domains/transfers/rows/rows.module.css'
import { rowStatusOf } from '../../../domains/transfers/rows/row-status.ts'
import { ShareRow } from '../../../domains/transfers/rows/share-row.tsx'
import { removePicks, type SharePick } from '../../../domains/transfers/uploads/share-picks.ts'
import type { SizeProblem } from '../../../domains/transfers/size-limits/size-limit.ts'
import type { UploadEntry } from '../../../domains/transfers/uploads/upload-store.ts'
import { uploads, useUploads } from '../../../domains/transfers/uploads/uploads.ts'
import { useKeptFocus } from '../../../ui/focus/focus-restore.ts'
import { afterFileShareChange } from '../api/files.queries.ts'
import { type Announcement, announceProgress } from '../upload/progress-announcements.ts'
import type { ItemPaths } from '../upload/item-paths.ts'
import { PickRow } from './pick-row.tsx'

/** Returns the share uploads in this tab, from all pages. */
export const useShares = (): readonly UploadEntry[] =>
  useUploads().filter(({ batch }) => batch.kind === 'share')

export function SaidProgress() {
  const { t, language } = useT()
  const [said, setSaid] = useState<Announcement | null>(null)
  useEffect(() => {
    const tell = announceProgress(() => performance.now())
    const look = () => setSaid(tell(uploads.getAll().filter(({ batch }) => batch.kind !== 'mount')))
    look()
    const unsubscribe = uploads.subscribe(look)
    return () => {
      unsubscribe()
    }
  }, [])
  const textOf = (now: Announcement) =>
    now.kind === 'part'
      ? t('files.upload.status.uploading', { percent: formatPercent(now.share, language) })
      : t(`files.upload.said.${now.kind}`, { count: now.count })
  return <output className="dl-sr">{said && textOf(said)}</output>
}

/** Refreshes the lists of files and bundles when a share is created. */
function useFreshLists(): void {
  const queryClient = useQueryClient()
  const linkCount = useBundles().filter(({ state }) => state === 'published').length
  useEffect(() => {
    if (linkCount > 0) afterFileShareChange(queryClient)
  }, [queryClient, linkCount])
  useEffect(() => {
    const stop = uploads.onState(({ state, batch }) => {
      if (state === 'completed' && batch.kind === 'share') afterFileShareChange(queryClient)
    })
    return () => {
      stop()
    }
  }, [queryClient])
}

/** Maximum number of chosen files that are listed. */
const LINES_MAX = 200

interface UploadListProps {
  bundles?: readonly BundleSnapshot[]
  entries: readonly UploadEntry[]
  picks: readonly SharePick[]
  /** Paths of the files in their bundle, and their problems; `null` if each file gets a separate link. */
  paths?: ItemPaths | null
  /** Returns why a file of this size cannot be uploaded, or `null`. */
  problemOf: (sizeBytes: number) => SizeProblem | null
  onRetry: (entry: UploadEntry) => void
  onRetryBundle?: (bundle: BundleSnapshot) => void
  onFiles: (files: readonly File[]) => void
}

/** Lists bundles and uploads, followed by chosen files whose upload has not started. */
export function UploadList(props: UploadListProps) {
  const { t } = useT()
  const { bundles = [], entries, picks, paths = null, problemOf, onRetry, onRetryBundle, onFiles } = props
  const section = useRef<HTMLElement>(null)
  useKeptFocus(section)
  useFreshLists()
  const inBundles = bundles.reduce((sum, { items }) => sum + items.length, 0)
  const count = inBundles + entries.length + picks.length
  if (count + bundles.length === 0) return null
  // Lists files with problems first, because only some files are listed.
  const hasProblem = ({ id, file }: SharePick) =>
    paths?.problems.has(id) === true || problemOf(file.size) !== null
  const shown =
    picks.length > LINES_MAX ? picks.toSorted((a, b) => Number(hasProblem(b)) - Number(hasProblem(a))) : picks
  const ended = entries.filter((entry) => ['success', 'error'].includes(rowStatusOf(entry)))
  const isCleared = picks.length + ended.length > 0 || bundles.some(({ state }) => state === 'published')
  const clear = () => {
    removePicks(picks.map(({ id }) => id))
    uploads.forget(ended.map(({ key }) => key))
    for (const { key, state } of bundles) if (state === 'published') dropBundle(key)
  }
  return (
    <section ref={section} aria-label={t('files.upload.list')} tabIndex={-1}>
      <div className={rows.listHead}>
        <span>{t('files.upload.count', { count })}</span>
        {isCleared && (
          <Button size="compact-sm" variant="subtle" color="gray" onClick={clear}>
            {t('files.upload.clear')}
          </Button>
        )}
      </div>
      <ul className={rows.list}>
        {bundles.map((bundle) => (
          <BundleRow
            key={bundle.key}
            bundle={bundle}
            onRetry={() => onRetryBundle?.(bundle)}
            SealedLink={SealedRowLink}
          />
        ))}
        {entries.map((entry) => (
          <ShareRow key={entry.key} entry={entry} onRetry={() => onRetry(entry)} />
        ))}
        {shown.slice(0, LINES_MAX).map((pick) => (
          <PickRow
            key={pick.id}
            pick={pick}
            path={paths?.pathOf.get(pick.id) ?? null}
            problem={paths?.problems.get(pick.id)}
            sizeProblem={problemOf(pick.file.size)}
            onFiles={onFiles}
          />
        ))}
        {shown.length > LINES_MAX && (
          <li className={rows.row}>{t('tasks.moreFiles', { count: shown.length - LINES_MAX })}</li>
        )}
      </ul>
    </section>
  )
}
