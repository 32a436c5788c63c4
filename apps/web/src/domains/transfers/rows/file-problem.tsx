import { useEffect, useState } from 'react'
import { formatSpan } from '../../../lib/format.ts'
import { useT } from '../../../i18n/use-translation.ts'
import { uploadErrorText } from '../uploads/upload-error-text.ts'
import { statusOf } from '../uploads/upload-status.ts'
import type { UploadEntry } from '../uploads/upload-store.ts'
import styles from './rows.module.css'

/** Shows why a file is not being uploaded, or what a paused upload sends again. */
export function FileProblem({ entry }: { entry: UploadEntry }) {
  const { t } = useT()
  if (entry.isCut) return null
  if (statusOf(entry) === 'paused' && entry.parts.length > 0)
    return (
      <div className={styles.facts}>{t(entry.canContinue ? 'tasks.pausedParts' : 'tasks.pausedWhole')}</div>
    )
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
