import { Button } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { IconCloudUpload, IconFolder } from '@tabler/icons-react'
import { type MouseEvent, useId, useRef } from 'react'
import { useT } from '../../../i18n/use-translation.ts'
import {
  type PickedFile,
  pickFromInput,
  pickWithHandles,
  remembersFiles,
} from '../../../domains/transfers/uploads/picked-files.ts'
import styles from './upload.module.css'

interface DropZoneProps {
  isOver: boolean
  /** Text with the maximum file size. */
  limit: string
  onFiles: (files: readonly PickedFile[]) => void
}

/** A file field that fills its label. The page itself handles dropped and pasted files. */
export function DropZone({ isOver, limit, onFiles }: DropZoneProps) {
  const { t } = useT()
  const titleId = useId()
  const hintId = useId()
  const isTouch = useMediaQuery('(hover: none)', undefined, { getInitialValueInEffect: false }) ?? false
  /** Whether the browser has refused to show a file picker that returns handles. */
  const isRefused = useRef(false)
  const title = t(isTouch ? 'files.upload.choose' : 'files.upload.drop')
  const ask = async (event: MouseEvent<HTMLInputElement>) => {
    const field = event.currentTarget
    if (isRefused.current || !remembersFiles()) return
    event.preventDefault()
    const picked = await pickWithHandles()
    if (picked) {
      onFiles(picked)
      return
    }
    isRefused.current = true
    field.click()
  }
  return (
    <div className={styles.pickers}>
      <label className={styles.zone} data-over={isOver || undefined}>
        <input
          className="dl-sr"
          type="file"
          multiple
          // The label also contains the hint. Without this name, screen readers would announce the hint twice.
          aria-labelledby={titleId}
          aria-describedby={hintId}
          onClick={(event) => void ask(event)}
          onChange={(event) => {
            if (event.currentTarget.files) onFiles(pickFromInput(event.currentTarget.files))
            // The field is cleared, so that the user can choose the same file again.
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
      <FolderButton onFiles={onFiles} />
    </div>
  )
}

/** A separate button, because a file field accepts either files or folders. */
function FolderButton({ onFiles }: Pick<DropZoneProps, 'onFiles'>) {
  const { t } = useT()
  /** The file field is not part of the page, so this reference keeps it alive until the user has chosen files. */
  const field = useRef<HTMLInputElement>(null)
  if (!('webkitdirectory' in HTMLInputElement.prototype)) return null
  const ask = () => {
    const input = document.createElement('input')
    field.current = input
    input.type = 'file'
    input.webkitdirectory = true
    input.addEventListener('change', () => onFiles(pickFromInput(input.files ?? new DataTransfer().files)))
    input.click()
  }
  return (
    <Button
      size="compact-md"
      variant="subtle"
      leftSection={<IconFolder size={18} aria-hidden />}
      onClick={ask}
    >
      {t('bundling.folder')}
    </Button>
  )
}
