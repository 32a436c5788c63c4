import { IconPlayerPause, IconPlayerPlay, IconReload, IconX } from '@tabler/icons-react'
import { formatBytes, formatSpan } from '../../../lib/format.ts'
import { useT } from '../../../i18n/use-translation.ts'
import type { UploadEntry } from '../../../domains/transfers/uploads/upload-store.ts'
import { statusOf } from '../../../domains/transfers/uploads/upload-status.ts'
import { uploads } from '../../../domains/transfers/uploads/uploads.ts'
import { FileProblem } from '../../../domains/transfers/rows/file-problem.tsx'
import { NeedsFile, NeedsFiles } from '../../../domains/transfers/rows/needs-file.tsx'
import { ToolButton } from '../../../ui/buttons/tool-button.tsx'
import { type BatchView, batchShare, isBatchActive, needingFile, standstillOf } from '../tray-model.ts'
import { Card } from './card.tsx'
import { FileLine } from './file-line.tsx'
import styles from './tray.module.css'

/** Maximum number of listed files. The totals include all files. */
const LINES_MAX = 100

const keysOf = (entries: readonly UploadEntry[]) => entries.map(({ key }) => key)

/** Sort order: files that need the user first, then running, paused, waiting and finished files. */
const RANK: Readonly<Record<ReturnType<typeof statusOf>, number>> = {
  failed: 0,
  needsFile: 0,
  retrying: 1,
  uploading: 2,
  offline: 2,
  still: 2,
  processing: 2,
  completing: 2,
  initializing: 2,
  starting: 2,
  paused: 3,
  waiting: 4,
  cancelled: 5,
  completed: 6,
}

export function BatchCard({ view }: { view: BatchView }) {
  const { t } = useT()
  const { batch, entries } = view
  const [only] = entries
  const isSingle = entries.length === 1 && only !== undefined
  const name = isSingle ? only.name : t('tasks.uploadsTo', { count: entries.length })
  const place = {
    mount: () => t('tasks.toFolder', { folder: batch.directory }),
    share: () => t('tasks.toShare'),
    bundle: () => t('tasks.toBundle'),
  }[batch.kind]()
  const sorted = entries.toSorted((a, b) => RANK[statusOf(a)] - RANK[statusOf(b)])
  const hidden = sorted.length - LINES_MAX
  return (
    <Card
      id={batch.id}
      title={name}
      {...(isBatchActive(view) && { share: batchShare(view) })}
      tools={<BatchTools view={view} name={name} />}
      {...(!isSingle && {
        details: (
          <ul className={styles.files}>
            {sorted.slice(0, LINES_MAX).map((entry) => (
              <FileLine key={entry.key} entry={entry} />
            ))}
            {hidden > 0 && <li className={styles.file}>{t('tasks.moreFiles', { count: hidden })}</li>}
          </ul>
        ),
      })}
    >
      <div className={styles.facts}>{place}</div>
      {isSingle ? <SingleFacts entry={only} /> : <BatchFacts view={view} />}
    </Card>
  )
}

function BatchTools({ view, name }: { view: BatchView; name: string }) {
  const { t } = useT()
  const { entries, running, held, failed } = view
  const ready = held.filter(({ hasSource }) => hasSource)
  if (!isBatchActive(view)) {
    return (
      <>
        {failed.length > 0 && (
          <ToolButton
            label={t('tasks.retry', { name })}
            icon={<IconReload size={20} aria-hidden />}
            onClick={() => uploads.retry(keysOf(failed))}
          />
        )}
        <ToolButton
          label={t('tasks.forget', { name })}
          icon={<IconX size={20} aria-hidden />}
          onClick={() => uploads.forget(keysOf(entries))}
        />
      </>
    )
  }
  return (
    <>
      {running.length > 0 && (
        <ToolButton
          label={t('tasks.pause', { name })}
          icon={<IconPlayerPause size={20} aria-hidden />}
          onClick={() => uploads.pause(keysOf(running))}
        />
      )}
      {running.length === 0 && ready.length > 0 && (
        <ToolButton
          label={t('tasks.resume', { name })}
          icon={<IconPlayerPlay size={20} aria-hidden />}
          onClick={() => uploads.retry(keysOf(ready))}
        />
      )}
      <ToolButton
        label={t('tasks.cancel', { name })}
        icon={<IconX size={20} aria-hidden />}
        onClick={() => uploads.cancel(keysOf([...running, ...held]))}
      />
    </>
  )
}

/** Returns texts for the speed and the remaining time, if known. */
function useRateTexts({
  bytesPerSecond,
  remainingSeconds,
}: Pick<BatchView, 'bytesPerSecond' | 'remainingSeconds'>) {
  const { t, language } = useT()
  if (bytesPerSecond === null) return []
  return [
    t('tasks.speed', { speed: formatBytes(bytesPerSecond, language) }),
    ...(remainingSeconds === null
      ? []
      : [t('tasks.remaining', { span: formatSpan(remainingSeconds, language) })]),
  ]
}

function SingleFacts({ entry }: { entry: UploadEntry }) {
  const { t, language } = useT()
  const rate = useRateTexts(entry)
  const status = statusOf(entry)
  const isMoving = entry.state === 'uploading' || entry.state === 'paused'
  const arrived = entry.parts.filter(({ state }) => state === 'completed').length
  const texts = [
    status === 'retrying' ? null : t(`tasks.state.${status}`),
    isMoving
      ? t('tasks.bytesDone', {
          done: formatBytes(entry.sentBytes, language),
          total: formatBytes(entry.sizeBytes, language),
        })
      : formatBytes(entry.sizeBytes, language),
    isMoving && entry.parts.length > 1
      ? t('tasks.partsDone', { done: arrived, total: entry.parts.length })
      : null,
    ...rate,
  ]
  return (
    <>
      <div className={styles.facts}>{texts.filter((text) => text !== null).join(' · ')}</div>
      <FileProblem entry={entry} />
      <NeedsFile entry={entry} />
    </>
  )
}

function BatchFacts({ view }: { view: BatchView }) {
  const { t, language } = useT()
  const rate = useRateTexts(view)
  const { entries, running, failed, doneCount, cancelledCount, sizeBytes, sentBytes } = view
  const needing = needingFile(view)
  const standstill = standstillOf(view)
  const current = running.find(({ state }) => state === 'uploading')
  const texts = isBatchActive(view)
    ? [
        ...(running.length === 0 && needing.length === 0 ? [t('tasks.state.paused')] : []),
        ...(standstill === null ? [] : [t(`tasks.state.${standstill}`)]),
        t('tasks.filesDone', { done: doneCount, total: entries.length - cancelledCount }),
        t('tasks.bytesDone', {
          done: formatBytes(sentBytes, language),
          total: formatBytes(sizeBytes, language),
        }),
        ...rate,
      ]
    : [t('tasks.summary.done', { count: doneCount }), formatBytes(sentBytes, language)]
  return (
    <>
      <div className={styles.facts}>
        {[
          ...texts,
          ...(cancelledCount > 0 ? [t('tasks.summary.cancelled', { count: cancelledCount })] : []),
        ].join(' · ')}
      </div>
      {current && (
        <div className={styles.facts}>{t('tasks.task.current', { name: current.folder + current.name })}</div>
      )}
      {failed.length > 0 && (
        <div className={styles.facts} data-tone="danger">
          {t('tasks.summary.failed', { count: failed.length })}
        </div>
      )}
      <NeedsFiles entries={needing} />
    </>
  )
}
