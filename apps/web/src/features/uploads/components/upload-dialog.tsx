import { Button } from '@mantine/core'
import { IconCloudUpload, IconX } from '@tabler/icons-react'
import { type DragEvent, useEffect, useEffectEvent, useRef, useState } from 'react'
import { formatBytes } from '../../../lib/format.ts'
import { useT } from '../../../i18n/use-translation.ts'
import { addMountUploads } from '../../../domains/transfers/uploads/mount-uploads.ts'
import {
  nameScreenshot,
  type Picked,
  type PickedFile,
  pickFromDrop,
  pickFromInput,
  pickWithHandles,
} from '../../../domains/transfers/uploads/picked-files.ts'
import {
  getMethodChoice,
  METHOD_CHOICES,
  type MethodChoice,
  setMethodChoice,
} from '../../../domains/transfers/uploads/uploads.ts'
import { ConfirmDialog } from '../../../ui/dialogs/confirm-dialog.tsx'
import { Dialog } from '../../../ui/dialogs/dialog.tsx'
import { focusItem, useKeptFocus } from '../../../ui/focus/focus-restore.ts'
import { Banner } from '../../../ui/feedback/message.tsx'
import { SelectField } from '../../../ui/forms/select-field.tsx'
import { DisplayName } from '../../../ui/layout/display-name.tsx'
import { ToolButton } from '../../../ui/buttons/tool-button.tsx'
import styles from './upload-dialog.module.css'

const LINES_MAX = 50

interface UploadDialogProps {
  /** The target folder in a mount. */
  directory: string
  onClose: () => void
}

const pathOf = ({ file, folder }: PickedFile) => folder + file.name
const identityOf = (picked: PickedFile) =>
  `${pathOf(picked)}\n${picked.file.size}\n${picked.file.lastModified}`

/** Manages the chosen files. A file that is chosen twice without a change is added once. */
function usePicked() {
  const { t } = useT()
  const [picked, setPicked] = useState<Picked>({ files: [], emptyFolders: [] })
  /** Number of drops and pastes whose files are being read. Several can be in progress at the same time. */
  const [readingCount, setReadingCount] = useState(0)
  const [hasFailed, setFailed] = useState(false)
  const add = (more: Picked) =>
    setPicked((now) => {
      const known = new Set(now.files.map(identityOf))
      return {
        files: [...now.files, ...more.files.filter((file) => !known.has(identityOf(file)))],
        emptyFolders: [...new Set([...now.emptyFolders, ...more.emptyFolders])],
      }
    })
  const take = async (data: DataTransfer, isPaste: boolean) => {
    const reading = pickFromDrop(data)
    setFailed(false)
    setReadingCount((count) => count + 1)
    try {
      const { files, emptyFolders } = await reading
      const named = files.map((one) =>
        isPaste ? { ...one, file: nameScreenshot(one.file, t('uploads.pastedName')) } : one,
      )
      add({ files: named, emptyFolders })
    } catch {
      setFailed(true)
    } finally {
      setReadingCount((count) => count - 1)
    }
  }
  const pick = (files: PickedFile[]) => {
    setFailed(false)
    add({ files, emptyFolders: [] })
  }
  const remove = (gone: PickedFile) =>
    setPicked((now) => ({ ...now, files: now.files.filter((file) => file !== gone) }))
  const clear = () => {
    setFailed(false)
    setPicked({ files: [], emptyFolders: [] })
  }
  return { picked, isReading: readingCount > 0, hasFailed, pick, take, remove, clear }
}

/** Accepts files that are pasted anywhere on the page. */
function usePastedFiles(onFiles: (data: DataTransfer) => void) {
  const onPaste = useEffectEvent((event: ClipboardEvent) => {
    if (!event.clipboardData?.types.includes('Files')) return
    event.preventDefault()
    onFiles(event.clipboardData)
  })
  useEffect(() => {
    const listen = (event: ClipboardEvent) => onPaste(event)
    window.addEventListener('paste', listen)
    return () => window.removeEventListener('paste', listen)
  }, [])
}

/** Asks for files and folders to upload to a folder of a mount. The tray shows the progress. */
export function UploadDialog({ directory, onClose }: UploadDialogProps) {
  const { t, language } = useT()
  const [method, setMethod] = useState<MethodChoice>(getMethodChoice)
  const { picked, isReading, hasFailed, pick, take, remove, clear } = usePicked()
  const { files, emptyFolders } = picked
  const isEmpty = files.length + emptyFolders.length === 0
  usePastedFiles((data) => void take(data, true))
  const start = () => {
    setMethodChoice(method)
    addMountUploads({ directory, picked: files, emptyFolders, method })
    onClose()
  }
  const [isLeaving, setLeaving] = useState(false)
  const close = () => (isEmpty ? onClose() : setLeaving(true))
  const sizeBytes = files.reduce((sum, { file }) => sum + file.size, 0)
  const chosen = [
    t('uploads.pickedCount', { count: files.length, size: formatBytes(sizeBytes, language) }),
    ...(emptyFolders.length > 0 ? [t('uploads.pickedFolders', { count: emptyFolders.length })] : []),
  ].join(t('common.separator'))
  return (
    <Dialog
      title={t('uploads.title', { folder: directory.replace(/\/+$/, '') || '/' })}
      onClose={close}
      actions={
        <>
          <Button variant="default" onClick={close}>
            {t('common.cancel')}
          </Button>
          <Button disabled={isEmpty || isReading} onClick={start}>
            {t('uploads.start')}
          </Button>
        </>
      }
    >
      <DropArea onDrop={(data) => void take(data, false)} onPick={pick} />
      <output className={styles.message}>
        {isReading && t('uploads.reading')}
        {!isReading && !isEmpty && <span className="dl-sr">{chosen}</span>}
      </output>
      {hasFailed && <Banner tone="error">{t('uploads.readFailed')}</Banner>}
      {!isEmpty && (
        <section aria-label={t('uploads.picked')}>
          <div className={styles.head}>
            {/* The live region above has already announced this text. */}
            <span aria-hidden>{chosen}</span>
            <Button size="compact-sm" variant="subtle" color="gray" onClick={clear}>
              {t('uploads.clear')}
            </Button>
          </div>
          <PickedList files={files} onRemove={remove} />
        </section>
      )}
      <div className={styles.method}>
        <SelectField
          label={t('uploads.method')}
          description={t(`uploads.hints.${method}`)}
          value={method}
          options={METHOD_CHOICES.map((value) => ({ value, label: t(`uploads.methods.${value}`) }))}
          onChange={setMethod}
        />
      </div>
      {isLeaving && (
        <ConfirmDialog
          title={t('uploads.leaveTitle')}
          cancelLabel={t('uploads.stay')}
          confirmLabel={t('uploads.leave')}
          isDangerous
          onCancel={() => setLeaving(false)}
          onConfirm={onClose}
        >
          {t('uploads.leaveText', { count: files.length + emptyFolders.length })}
        </ConfirmDialog>
      )}
    </Dialog>
  )
}

interface PickedListProps {
  files: readonly PickedFile[]
  onRemove: (file: PickedFile) => void
}

function PickedList({ files, onRemove }: PickedListProps) {
  const { t, language } = useT()
  const list = useRef<HTMLUListElement>(null)
  useKeptFocus(list)
  return (
    <ul ref={list} className={styles.list} tabIndex={-1}>
      {files.slice(0, LINES_MAX).map((one) => (
        <li key={identityOf(one)} className={styles.item} {...focusItem(identityOf(one))}>
          <DisplayName className={styles.name} name={pathOf(one)} />
          <span className={styles.size}>{formatBytes(one.file.size, language)}</span>
          <ToolButton
            label={t('uploads.remove', { name: pathOf(one) })}
            icon={<IconX size={18} aria-hidden />}
            onClick={() => onRemove(one)}
          />
        </li>
      ))}
      {files.length > LINES_MAX && (
        <li className={styles.item}>{t('uploads.more', { count: files.length - LINES_MAX })}</li>
      )}
    </ul>
  )
}

interface DropAreaProps {
  onDrop: (data: DataTransfer) => void
  onPick: (files: PickedFile[]) => void
}

function DropArea({ onDrop, onPick }: DropAreaProps) {
  const { t } = useT()
  const [isOver, setOver] = useState(false)
  const drag = (event: DragEvent, isInside: boolean) => {
    // Prevents the page below the dialog from handling the drop as well.
    event.stopPropagation()
    event.preventDefault()
    setOver(isInside)
  }
  return (
    // This element needs no keyboard access, because the buttons inside have the same function.
    <div
      className={styles.zone}
      data-over={isOver || undefined}
      onDragEnter={(event) => drag(event, true)}
      onDragOver={(event) => drag(event, true)}
      onDragLeave={(event) => drag(event, false)}
      onDrop={(event) => {
        drag(event, false)
        onDrop(event.dataTransfer)
      }}
    >
      <IconCloudUpload size={32} aria-hidden />
      <span className={styles.zoneTitle}>{isOver ? t('uploads.dropOver') : t('uploads.drop')}</span>
      <span>{t('uploads.paste')}</span>
      <div className={styles.buttons}>
        <PickButton label={t('uploads.pickFiles')} onPick={onPick} />
        <PickButton label={t('uploads.pickFolder')} isFolder onPick={onPick} />
      </div>
    </div>
  )
}

interface PickButtonProps {
  label: string
  isFolder?: boolean
  onPick: (files: PickedFile[]) => void
}

function PickButton({ label, isFolder = false, onPick }: PickButtonProps) {
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => {
    if (field.current) field.current.webkitdirectory = isFolder
  }, [isFolder])
  const ask = async () => {
    const picked = isFolder ? null : await pickWithHandles()
    if (picked) onPick(picked)
    else field.current?.click()
  }
  return (
    <>
      <Button variant={isFolder ? 'default' : 'light'} onClick={() => void ask()}>
        {label}
      </Button>
      <input
        ref={field}
        type="file"
        hidden
        multiple
        aria-label={label}
        onChange={(event) => {
          onPick(pickFromInput(event.currentTarget.files ?? new DataTransfer().files))
          // The field is cleared, so that the user can choose the same file again.
          event.currentTarget.value = ''
        }}
      />
    </>
  )
}
