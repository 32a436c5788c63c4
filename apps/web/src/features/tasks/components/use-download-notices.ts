import { MIB } from '@dropleaf/contract'
import { useEffect, useRef } from 'react'
import { useT } from '../../../i18n/use-translation.ts'
import { notify } from '../../../lib/notices.ts'
import type { LocalJob } from '../../../domains/transfers/tasks/local-jobs.ts'

/** Smaller downloads end before anybody has read a notice. */
const NOTICED_BYTES = 16 * MIB

/**
 * Shows a notice when a large download starts. The browser's own download list shows nothing until the page has
 * decrypted or packed the whole file.
 */
export function useDownloadNotices({
  jobs,
  isOpen,
  setOpen,
}: {
  readonly jobs: readonly LocalJob[]
  /** Whether the tray is open. An open tray already shows the download. */
  readonly isOpen: boolean
  readonly setOpen: (isOpen: boolean) => void
}): void {
  const { t } = useT()
  const seen = useRef(new Set<string>())
  useEffect(() => {
    for (const { id, name, state, totalBytes } of jobs) {
      if (seen.current.has(id)) continue
      seen.current.add(id)
      if (isOpen || state !== 'running' || (totalBytes !== null && totalBytes < NOTICED_BYTES)) continue
      const action = { label: t('tasks.notice.show'), run: () => setOpen(true) }
      notify('info', t('tasks.notice.downloading', { name }), { action })
    }
  }, [jobs, isOpen, setOpen, t])
}
