import { IconX } from '@tabler/icons-react'
import { useT } from '../../../i18n/use-translation.ts'
import { formatByteLimit } from '../../../lib/format.ts'
import { ToolButton } from '../../../ui/buttons/tool-button.tsx'
import type { SizeProblem } from '../size-limits/size-limit.ts'
import styles from './rows.module.css'
import { RowFrame } from './share-row.tsx'

interface TooLargeRowProps {
  id: string
  name: string
  sizeBytes: number
  problem: SizeProblem
  onRemove: () => void
}

/** A row for a file that is too large, so that its upload does not start. */
export function TooLargeRow({ id, name, sizeBytes, problem, onRemove }: TooLargeRowProps) {
  const { t, language } = useT()
  const limit = formatByteLimit(problem.limitBytes, language)
  return (
    <RowFrame
      id={id}
      name={name}
      status="error"
      sizeBytes={sizeBytes}
      state={t('files.upload.status.tooLarge')}
      tools={
        <ToolButton
          label={t('files.upload.removeOne', { name })}
          icon={<IconX size={20} aria-hidden />}
          onClick={onRemove}
        />
      }
    >
      <div className={styles.rowError} role="alert">
        {/* Screen readers must also announce the file name. */}
        <span className="dl-sr">{t('files.upload.said.failed', { name })}</span>{' '}
        {t(`files.upload.largest.${problem.kind}`, { limit })}
      </div>
    </RowFrame>
  )
}
