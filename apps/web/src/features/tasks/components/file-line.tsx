import { IconPlayerPause, IconPlayerPlay, IconReload, IconX } from '@tabler/icons-react'
import { useEffect, useState } from 'react'
import { formatBytes, formatPercent, formatSpan } from '../../../lib/format.ts'
import { useT } from '../../../i18n/use-translation.ts'
import { uploadErrorText } from '../../../domains/transfers/uploads/upload-error-text.ts'
import type { UploadEntry } from '../../../domains/transfers/uploads/upload-store.ts'
import { uploads } from '../../../domains/transfers/uploads/uploads.ts'
import { focusItem } from '../../../ui/focus/focus-restore.ts'
import { DisplayName } from '../../../ui/layout/display-name.tsx'
import { ToolButton } from '../../../ui/buttons/tool-button.tsx'
import { statusOf } from '../tray-model.ts'
import { NeedsFile } from './needs-file.tsx'
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

/** Shows why a file is not being uploaded. */
export function FileProblem({ entry }: { entry: UploadEntry }) {
  if (entry.isCut) return null
  if (entry.retryAtMs !== null) return <Countdown untilMs={entry.retryAtMs} />
  if (entry.error === null || entry.state !== 'failed') return null
  return (
    <div className={styles.facts} data-tone="danger">
      {uploadErrorText(entry.error)}
    </div>
  )
}

function Countdown({ untilMs }: { untilMs: number }) {
  const { t, language } = useT()
  const [nowMs, setNowMs] = useState(() => Date.now())
  useEffect(() => {
    const timer = setInterval(() => setNowMs(Date.now()), 1000)
    return () => clearInterval(timer)
  }, [])
  const seconds = Math.max(1, Math.ceil((untilMs - nowMs) / 1000))
  return (
    <div className={styles.facts} data-tone="warn">
      {t('tasks.state.retrying', { span: formatSpan(seconds, language) })}
    </div>
  )
}
