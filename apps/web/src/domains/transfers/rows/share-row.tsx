import { IconCircleCheck, IconReload, IconX } from '@tabler/icons-react'
import { Fragment } from 'react'
import { formatBytes, formatPercent, formatSpan } from '../../../lib/format.ts'
import { useT } from '../../../i18n/use-translation.ts'
import { uploadErrorText } from '../../../domains/transfers/uploads/upload-error-text.ts'
import { focusItem } from '../../../ui/focus/focus-restore.ts'
import { findFileKind } from '../../../domains/preview/kinds/file-kind.ts'
import { isCancelled, isUnderWay, type UploadItem } from '../upload/upload-item.ts'
import { FileIcon } from '../../../domains/preview/kinds/file-icon.tsx'
import { ToolButton } from '../../../ui/buttons/tool-button.tsx'
import { DisplayName } from '../../../ui/layout/display-name.tsx'
import { ShareLink } from './share-link.tsx'
import styles from './upload.module.css'

interface UploadRowProps {
  item: UploadItem
  onCancel: () => void
  onRetry: () => void
  onRemove: () => void
}

export function UploadRow({ item, onCancel, onRetry, onRemove }: UploadRowProps) {
  const { t, language } = useT()
  const { file, status } = item
  const { name } = file
  const isGoing = isUnderWay(item)
  const kind = findFileKind({ filename: name, mimetype: file.type })
  return (
    <li className={styles.row} data-status={status} {...focusItem(item.id)}>
      <FileIcon kind={kind} size={24} />
      <div className={styles.rowMain}>
        <div className={styles.rowName}>
          <DisplayName name={name} />
        </div>
        <div className={styles.rowState}>
          <span>{formatBytes(file.size, language)} ·</span> <StateText item={item} />
        </div>
        {status === 'uploading' && <ProgressBar item={item} />}
        {status === 'error' && !isCancelled(item) && (
          <div className={styles.rowError} role="alert">
            {/* The announcement has to include the file name. */}
            <span className="dl-sr">{t('files.upload.said.failed', { name })}</span>{' '}
            {uploadErrorText(item.error)}
          </div>
        )}
        {status === 'success' && item.slug !== null && <ShareLink name={name} slug={item.slug} />}
      </div>
      <div className={styles.rowTools}>
        {status === 'error' && (
          <ToolButton
            label={t('files.upload.retryOne', { name })}
            icon={<IconReload size={20} aria-hidden />}
            onClick={onRetry}
          />
        )}
        <ToolButton
          label={isGoing ? t('files.upload.cancelOne', { name }) : t('files.upload.removeOne', { name })}
          icon={<IconX size={20} aria-hidden />}
          onClick={isGoing ? onCancel : onRemove}
        />
      </div>
    </li>
  )
}

const shareOf = ({ sentBytes, file }: UploadItem) => (file.size === 0 ? 0 : sentBytes / file.size)

function StateText({ item }: { item: UploadItem }) {
  const { t, language } = useT()
  switch (item.status) {
    case 'pending':
      return t('files.upload.status.pending')
    case 'error':
      return isCancelled(item) ? t('files.upload.status.cancelled') : t('files.upload.status.error')
    case 'success':
      return (
        <span className={styles.done}>
          <IconCircleCheck size={16} aria-hidden /> {t('files.upload.status.success')}
        </span>
      )
    case 'paused':
      return t('files.upload.status.paused')
    case 'uploading': {
      if (item.stage === null) return t('files.upload.status.pending')
      if (item.stage !== 'uploading') return t(`files.upload.stage.${item.stage}`)
      const percent = formatPercent(shareOf(item), language)
      const parts = [
        t('files.upload.status.uploading', { percent }),
        item.bytesPerSecond === null
          ? null
          : t('files.upload.speed', { speed: formatBytes(item.bytesPerSecond, language) }),
        item.remainingSeconds === null
          ? null
          : t('files.upload.remaining', { span: formatSpan(item.remainingSeconds, language) }),
      ]
      const said = parts.filter((part) => part !== null)
      // Lines break between parts, not within one.
      return said.map((part, index) => (
        <Fragment key={part}>
          <span>{index === said.length - 1 ? part : `${part} ·`}</span>{' '}
        </Fragment>
      ))
    }
    default:
      return item.status satisfies never
  }
}

function ProgressBar({ item }: { item: UploadItem }) {
  return <progress className={styles.progress} aria-label={item.file.name} max={1} value={shareOf(item)} />
}
