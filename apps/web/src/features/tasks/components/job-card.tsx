import { IconReload, IconX } from '@tabler/icons-react'
import { formatBytes } from '../../../lib/format.ts'
import { useT } from '../../../i18n/use-translation.ts'
import { forgetJobs, type LocalJob } from '../../../domains/transfers/tasks/local-jobs.ts'
import { ToolButton } from '../../../ui/buttons/tool-button.tsx'
import { Card } from './card.tsx'
import styles from './tray.module.css'

/** A download or archive of this tab. */
export function JobCard({ job }: { job: LocalJob }) {
  const { t, language } = useT()
  const title = t(`tasks.job.${job.kind}`, { name: job.name })
  const isRunning = job.state === 'running'
  const { totalBytes, doneBytes, failures, stage, cancel, retry } = job
  const share = totalBytes ? Math.min(1, doneBytes / totalBytes) : null
  const done = formatBytes(doneBytes, language)
  const texts = [
    isRunning && stage !== null ? stage : t(`tasks.state.${job.state}`),
    ...(doneBytes > 0
      ? [totalBytes ? t('tasks.bytesDone', { done, total: formatBytes(totalBytes, language) }) : done]
      : []),
  ]
  return (
    <Card
      id={job.id}
      title={title}
      {...(isRunning && { share })}
      tools={
        <>
          {isRunning && cancel && (
            <ToolButton
              label={t('tasks.cancel', { name: title })}
              icon={<IconX size={20} aria-hidden />}
              onClick={cancel}
            />
          )}
          {!isRunning && job.state !== 'completed' && retry && (
            <ToolButton
              label={t('tasks.retry', { name: title })}
              icon={<IconReload size={20} aria-hidden />}
              onClick={retry}
            />
          )}
          {!isRunning && (
            <ToolButton
              label={t('tasks.forget', { name: title })}
              icon={<IconX size={20} aria-hidden />}
              onClick={() => forgetJobs([job.id])}
            />
          )}
        </>
      }
      {...(failures.length > 0 && {
        details: (
          <ul className={styles.files}>
            {failures.map((text) => (
              <li key={text} className={styles.file}>
                {text}
              </li>
            ))}
          </ul>
        ),
      })}
    >
      <div className={styles.facts}>{texts.join(' · ')}</div>
    </Card>
  )
}
