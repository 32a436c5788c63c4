import { Button } from '@mantine/core'
import { useT } from '../../../i18n/use-translation.ts'
import { uploadErrorText } from '../../../domains/transfers/uploads/upload-error-text.ts'
import { statusOf } from '../../../domains/transfers/uploads/upload-status.ts'
import { useUploads } from '../../../domains/transfers/uploads/uploads.ts'
import { formatPercent } from '../../../lib/format.ts'
import progressStyles from '../../../ui/feedback/progress.module.css'
import type { AddedUploads } from '../models/bundle-access.ts'
import styles from './items.module.css'

/** Shows the upload of an item. Shows nothing once the file is stored. */
export function ItemUpload({ uploadKey, uploads }: { uploadKey: string; uploads: AddedUploads }) {
  const { t, language } = useT()
  useUploads()
  const entry = uploads.entryOf(uploadKey)
  if (uploads.isStored(uploadKey)) return null
  const retry = (
    <Button size="compact-sm" variant="light" onClick={() => uploads.retry(uploadKey)}>
      {t('bundleEditing.upload.retry')}
    </Button>
  )
  if (entry && statusOf(entry) === 'paused') {
    return (
      <div className={styles.upload}>
        {t('bundleEditing.upload.paused')} {retry}
      </div>
    )
  }
  if (uploads.isHalted(uploadKey)) {
    const reason = uploadErrorText(entry?.error)
    return (
      <div className={styles.upload} data-tone="danger" role="alert">
        {t('bundleEditing.upload.failed', { reason })} {entry && retry}
      </div>
    )
  }
  const share = entry && entry.sizeBytes > 0 ? entry.sentBytes / entry.sizeBytes : 0
  return (
    <div className={styles.upload}>
      <progress
        className={progressStyles.bar}
        aria-label={t('bundleEditing.upload.waiting')}
        max={1}
        value={share}
      />
      {share > 0
        ? t('bundleEditing.upload.uploading', { percent: formatPercent(share, language) })
        : t('bundleEditing.upload.waiting')}
    </div>
  )
}
