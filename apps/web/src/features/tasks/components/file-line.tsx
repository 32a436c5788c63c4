import { IconPlayerPause, IconPlayerPlay, IconReload, IconX } from '@tabler/icons-react'
import { formatBytes, formatPercent } from '../../../lib/format.ts'
import { useT } from '../../../i18n/use-translation.ts'
import { FileProblem } from '../../../domains/transfers/rows/file-problem.tsx'
import { NeedsFile } from '../../../domains/transfers/rows/needs-file.tsx'
import type { UploadEntry } from '../../../domains/transfers/uploads/upload-store.ts'
import { uploads } from '../../../domains/transfers/uploads/uploads.ts'
import { focusItem } from '../../../ui/focus/focus-restore.ts'
import { DisplayName } from '../../../ui/layout/display-name.tsx'
import { ToolButton } from '../../../ui/buttons/tool-button.tsx'
import { statusOf } from '../../../domains/transfers/uploads/upload-status.ts'
import styles from './tray.module.css'

/** A line for one of several files. */
export function FileLine({ entry }: { entry: UploadEntry }) {
  const { t, language } = useT()
  const status = statusOf(entry)
  const percent = formatPercent(entry.sizeBytes === 0 ? 0 : entry.sentBytes / entry.sizeBytes, language)
  const texts = [
    ...(status === 'retrying' ? [] : [t(`tasks.state.${status}`)]),
    ...(entry.state === 'uploading' || entry.state === 'paused' ? [percent] : []),
    formatBytes(entry.sizeBytes, language),
  ]
  return (
    <li className={styles.file} {...focusItem(entry.key)}>
      <div className={styles.cardText}>
        <div className={styles.fileName}>
          <DisplayName name={entry.folder + entry.name} />
        </div>
        <div className={styles.facts}>{texts.join(' · ')}</div>
        <FileProblem entry={entry} />
        <NeedsFile entry={entry} />
      </div>
      <FileTools entry={entry} />
    </li>
  )
}

function FileTools({ entry }: { entry: UploadEntry }) {
  const { t } = useT()
  const { key, name } = entry
  const status = statusOf(entry)
  if (status === 'completed' || status === 'cancelled') return null
  const isMoving = status !== 'paused' && status !== 'needsFile' && status !== 'failed'
  return (
    <div className={styles.tools}>
      {isMoving && (
        <ToolButton
          label={t('tasks.pause', { name })}
          icon={<IconPlayerPause size={18} aria-hidden />}
          onClick={() => uploads.pause([key])}
        />
      )}
      {status === 'paused' && (
        <ToolButton
          label={t('tasks.resume', { name })}
          icon={<IconPlayerPlay size={18} aria-hidden />}
          onClick={() => uploads.retry([key])}
        />
      )}
      {status === 'failed' && (
        <ToolButton
          label={t('tasks.retry', { name })}
          icon={<IconReload size={18} aria-hidden />}
          onClick={() => uploads.retry([key])}
        />
      )}
      <ToolButton
        label={t('tasks.cancel', { name })}
        icon={<IconX size={18} aria-hidden />}
        onClick={() => uploads.cancel([key])}
      />
    </div>
  )
}
