import { Button } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { formatPercent } from '../../../lib/format.ts'
import { useT } from '../../../i18n/use-translation.ts'
import rows from '../../../domains/transfers/rows/rows.module.css'
import { rowStatusOf } from '../../../domains/transfers/rows/row-status.ts'
import { ShareRow } from '../../../domains/transfers/rows/share-row.tsx'
import { removePicks, type SharePick } from '../../../domains/transfers/uploads/share-picks.ts'
import type { SizeProblem } from '../../../domains/transfers/uploads/size-limit.ts'
import type { UploadEntry } from '../../../domains/transfers/uploads/upload-store.ts'
import { uploads, useUploads } from '../../../domains/transfers/uploads/uploads.ts'
import { useKeptFocus } from '../../../ui/focus/focus-restore.ts'
import { afterFileShareChange } from '../api/files.queries.ts'
import { type Announcement, announceProgress } from '../upload/progress-announcements.ts'
import { PickRow } from './pick-row.tsx'

/** Returns the share uploads in this tab, from all pages. */
export const useShares = (): readonly UploadEntry[] =>
  useUploads().filter(({ batch }) => batch.kind === 'share')

export function SaidProgress() {
  const { t, language } = useT()
  const [said, setSaid] = useState<Announcement | null>(null)
  useEffect(() => {
    const tell = announceProgress(() => performance.now())
    const look = () => setSaid(tell(uploads.getAll().filter(({ batch }) => batch.kind === 'share')))
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

/** Refreshes the lists of files when a share is created. */
function useFreshLists(): void {
  const queryClient = useQueryClient()
  useEffect(() => {
    const stop = uploads.onState(({ state, batch }) => {
      if (state === 'completed' && batch.kind === 'share') afterFileShareChange(queryClient)
    })
    return () => {
      stop()
    }
  }, [queryClient])
}

interface UploadListProps {
  entries: readonly UploadEntry[]
  picks: readonly SharePick[]
  /** Returns why a file of this size cannot be uploaded, or `null`. */
  problemOf: (sizeBytes: number) => SizeProblem | null
  onRetry: (entry: UploadEntry) => void
  onFiles: (files: readonly File[]) => void
}

/** Lists uploads, followed by chosen files whose upload has not started. */
export function UploadList({ entries, picks, problemOf, onRetry, onFiles }: UploadListProps) {
  const { t } = useT()
  const section = useRef<HTMLElement>(null)
  useKeptFocus(section)
  useFreshLists()
  const count = entries.length + picks.length
  if (count === 0) return null
  const clear = () => {
    removePicks(picks.map(({ id }) => id))
    const ended = entries.filter((entry) => ['success', 'error'].includes(rowStatusOf(entry)))
    uploads.forget(ended.map(({ key }) => key))
  }
  return (
    <section ref={section} aria-label={t('files.upload.list')} tabIndex={-1}>
      <div className={rows.listHead}>
        <span>{t('files.upload.count', { count })}</span>
        <Button size="compact-sm" variant="subtle" color="gray" onClick={clear}>
          {t('files.upload.clear')}
        </Button>
      </div>
      <ul className={rows.list}>
        {entries.map((entry) => (
          <ShareRow key={entry.key} entry={entry} onRetry={() => onRetry(entry)} />
        ))}
        {picks.map((pick) => (
          <PickRow key={pick.id} pick={pick} problem={problemOf(pick.file.size)} onFiles={onFiles} />
        ))}
      </ul>
    </section>
  )
}
