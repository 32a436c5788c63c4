import { useMediaQuery } from '@mantine/hooks'
import { IconCloudUpload } from '@tabler/icons-react'
import { useId } from 'react'
import { useT } from '../../../i18n/use-translation.ts'
import styles from './upload.module.css'

interface DropZoneProps {
  isOver: boolean
  /** Largest file, in words. */
  limit: string
  onFiles: (files: readonly File[]) => void
}

/** A file field as large as its label. Dropping and pasting work on the whole page. */
export function DropZone({ isOver, limit, onFiles }: DropZoneProps) {
  const { t } = useT()
  const titleId = useId()
  const hintId = useId()
  const isTouch = useMediaQuery('(hover: none)', undefined, { getInitialValueInEffect: false }) ?? false
  const title = t(isTouch ? 'files.upload.choose' : 'files.upload.drop')
  return (
    <label className={styles.zone} data-over={isOver || undefined}>
      <input
        className="dl-sr"
        type="file"
        multiple
        // Its label holds the hint too, which would be read twice.
        aria-labelledby={titleId}
        aria-describedby={hintId}
        onChange={(event) => {
          onFiles([...(event.currentTarget.files ?? [])])
          // The same file may be chosen again later.
          event.currentTarget.value = ''
        }}
      />
      <IconCloudUpload size={32} aria-hidden />
      <span className={styles.zoneTitle} id={titleId}>
        {isOver ? t('files.upload.dropOver') : title}
      </span>
      <span className={styles.zoneHint} id={hintId}>
        {t('files.upload.dropHint', { size: limit })}
      </span>
    </label>
  )
}
