import { IconCircleCheck, IconPlayerPause, IconPlayerPlay, IconReload, IconX } from '@tabler/icons-react'
import { Fragment, type ReactNode } from 'react'
import { useT } from '../../../i18n/use-translation.ts'
import { formatBytes, formatPercent, formatSpan } from '../../../lib/format.ts'
import { paths } from '../../../lib/paths.ts'
import { ToolButton } from '../../../ui/buttons/tool-button.tsx'
import { focusItem } from '../../../ui/focus/focus-restore.ts'
import { DisplayName } from '../../../ui/layout/display-name.tsx'
import { FileIcon } from '../../preview/kinds/file-icon.tsx'
import { findFileKind } from '../../preview/kinds/file-kind.ts'
import { fileShareUrl } from '../uploads/file-share-url.ts'
import { uploadErrorText } from '../uploads/upload-error-text.ts'
import { statusOf } from '../uploads/upload-status.ts'
import type { UploadEntry } from '../uploads/upload-store.ts'
import { uploads } from '../uploads/uploads.ts'
import { FileProblem } from './file-problem.tsx'
import { NeedsFile } from './needs-file.tsx'
import { type RowStatus, rowStatusOf } from './row-status.ts'
import styles from './rows.module.css'
import { ShareLink } from './share-link.tsx'

interface RowFrameProps {
  id: string
  name: string
  status: RowStatus
  /** Shown after the size. */
  state: ReactNode
  sizeBytes: number | null
  tools: ReactNode
  children?: ReactNode
}

/** A row for a file in a list of shares. */
export function RowFrame({ id, name, status, state, sizeBytes, tools, children }: RowFrameProps) {
  const { language } = useT()
  return (
    <li className={styles.row} data-status={status} {...focusItem(id)}>
      <FileIcon kind={findFileKind({ filename: name, mimetype: '' })} size={24} />
      <div className={styles.rowMain}>
        <div className={styles.rowName}>
          <DisplayName name={name} />
        </div>
        <div className={styles.rowState}>
          {sizeBytes !== null && <span>{formatBytes(sizeBytes, language)} ·</span>} {state}
        </div>
        {children}
      </div>
      <div className={styles.rowTools}>{tools}</div>
    </li>
  )
}

interface ShareRowProps {
  entry: UploadEntry
  onRetry: () => void
  /** Buttons shown next to the link of the completed share. */
  linkTools?: ReactNode
}

/** Shows the upload of a share, and its link after completion. */
export function ShareRow({ entry, onRetry, linkTools }: ShareRowProps) {
  const { t } = useT()
  const { key, name, sizeBytes, sentBytes, error, result } = entry
  const status = statusOf(entry)
  const rowStatus = rowStatusOf(entry)
  const isMoving = entry.state === 'uploading' || entry.state === 'paused'
  // The storage does not report progress while it joins the parts.
  const share = status === 'completing' ? undefined : shareOf({ sizeBytes, sentBytes })
  return (
    <RowFrame
      id={key}
      name={name}
      status={rowStatus}
      sizeBytes={sizeBytes}
      state={<StateText entry={entry} />}
      tools={<RowTools entry={entry} onRetry={onRetry} />}
    >
      {isMoving && <progress className={styles.progress} aria-label={name} max={1} value={share} />}
      {status === 'failed' && (
        <div className={styles.rowError} role="alert">
          {/* Screen readers must also announce the file name. */}
          <span className="dl-sr">{t('files.upload.said.failed', { name })}</span> {uploadErrorText(error)}
        </div>
      )}
      {(status === 'retrying' || status === 'paused') && <FileProblem entry={entry} />}
      <NeedsFile entry={entry} />
      {status === 'completed' && result?.slug && (
        <ShareLink name={name} link={fileShareUrl(result.slug)} path={paths.file(result.slug)}>
          {linkTools}
        </ShareLink>
      )}
    </RowFrame>
  )
}

const shareOf = ({ sentBytes, sizeBytes }: Pick<UploadEntry, 'sentBytes' | 'sizeBytes'>) =>
  sizeBytes === 0 ? 0 : sentBytes / sizeBytes

export function PauseTool({ entry }: { entry: UploadEntry }) {
  const { t } = useT()
  const { key, name } = entry
  const status = statusOf(entry)
  if (status === 'paused') {
    return (
      <ToolButton
        label={t('tasks.resume', { name })}
        icon={<IconPlayerPlay size={20} aria-hidden />}
        onClick={() => uploads.retry([key])}
      />
    )
  }
  if (rowStatusOf(entry) !== 'uploading' || status === 'completing') return null
  return (
    <ToolButton
      label={t('tasks.pause', { name })}
      icon={<IconPlayerPause size={20} aria-hidden />}
      onClick={() => uploads.pause([key])}
    />
  )
}

function RowTools({ entry, onRetry }: Pick<ShareRowProps, 'entry' | 'onRetry'>) {
  const { t } = useT()
  const { key, name } = entry
  const rowStatus = rowStatusOf(entry)
  const isGoing = rowStatus === 'uploading' || rowStatus === 'paused'
  return (
    <>
      <PauseTool entry={entry} />
      {rowStatus === 'error' && (
        <ToolButton
          label={t('files.upload.retryOne', { name })}
          icon={<IconReload size={20} aria-hidden />}
          onClick={onRetry}
        />
      )}
      <ToolButton
        label={isGoing ? t('files.upload.cancelOne', { name }) : t('files.upload.removeOne', { name })}
        icon={<IconX size={20} aria-hidden />}
        onClick={() => (isGoing ? uploads.cancel([key]) : uploads.forget([key]))}
      />
    </>
  )
}

function StateText({ entry }: { entry: UploadEntry }) {
  const { t, language } = useT()
  const status = statusOf(entry)
  const percent = formatPercent(shareOf(entry), language)
  switch (status) {
    case 'waiting':
      return t('files.upload.status.pending')
    case 'failed':
      return t('files.upload.status.error')
    case 'cancelled':
      return t('files.upload.status.cancelled')
    case 'completed':
      return (
        <span className={styles.done}>
          <IconCircleCheck size={16} aria-hidden /> {t('files.upload.status.success')}
        </span>
      )
    case 'paused':
      return [t('files.upload.status.paused'), percent].join(' · ')
    case 'needsFile':
    case 'still':
    case 'offline':
      return t(`tasks.state.${status}`)
    case 'retrying':
      return percent
    case 'completing':
      return t(entry.parts.length > 1 ? 'files.upload.stage.joining' : 'files.upload.stage.completing')
    case 'starting':
    case 'initializing':
    case 'processing':
      return t(`files.upload.stage.${status}`)
    case 'uploading':
      return <Moving entry={entry} percent={percent} />
    default:
      return status satisfies never
  }
}

function Moving({ entry, percent }: { entry: UploadEntry; percent: string }) {
  const { t, language } = useT()
  const { bytesPerSecond, remainingSeconds } = entry
  const parts = [
    t('files.upload.status.uploading', { percent }),
    bytesPerSecond === null
      ? null
      : t('files.upload.speed', { speed: formatBytes(bytesPerSecond, language) }),
    remainingSeconds === null
      ? null
      : t('files.upload.remaining', { span: formatSpan(remainingSeconds, language) }),
  ]
  const said = parts.filter((part) => part !== null)
  // Each part has its own element, so that lines only break between parts.
  return said.map((part, index) => (
    <Fragment key={part}>
      <span>{index === said.length - 1 ? part : `${part} ·`}</span>{' '}
    </Fragment>
  ))
}
