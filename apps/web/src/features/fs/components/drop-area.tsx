import { IconCloudUpload } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useT } from '../../../i18n/use-translation.ts'
import { addMountUploads } from '../../../domains/transfers/uploads/mount-uploads.ts'
import { nameScreenshot, pickFromDrop } from '../../../domains/transfers/uploads/picked-files.ts'
import { noticeFailure } from '../../../domains/session/session-notices.ts'
import type { TransferMode } from '../api/fs.api.ts'
import type { Entry } from '../models/entries.ts'
import { nameOfPath } from '../models/fs-paths.ts'
import styles from './explorer.module.css'
import { useFolderScreen } from './explorer-context.ts'
import { useDrops } from './use-drops.ts'
import { useFilePaste } from './use-file-paste.ts'

interface DropAreaProps {
  mayWrite: boolean
  /** Whether a preview covers the area. */
  isCovered: boolean
  onTransfer: (mode: TransferMode, entries: readonly Entry[], target: string) => void
  children: ReactNode
}

interface Taking {
  readonly directory: string
  /** Name prefix of pasted images, which browsers all name `image.png`; absent for dropped files. */
  readonly pastedName?: string
}

async function upload(data: DataTransfer, { directory, pastedName }: Taking) {
  const { files, emptyFolders } = await pickFromDrop(data)
  const picked =
    pastedName === undefined
      ? files
      : files.map((one) => ({ ...one, file: nameScreenshot(one.file, pastedName) }))
  addMountUploads({ directory, picked, emptyFolders })
}

/** Handles dropped or pasted files and dragged entries, on every element that has a target folder. */
export function DropArea({ mayWrite, isCovered, onTransfer, children }: DropAreaProps) {
  const { t } = useT()
  const { path, canWrite } = useFolderScreen()
  const take = (data: DataTransfer, taking: Taking) => {
    upload(data, taking).catch((error: unknown) => noticeFailure(error))
  }
  const takesPaste = mayWrite && canWrite && !isCovered
  useFilePaste(
    takesPaste ? (data) => take(data, { directory: path, pastedName: t('uploads.pastedName') }) : null,
  )
  const { filesTarget, handlers } = useDrops({
    path,
    canWrite,
    mayWrite,
    onItems: (entries, target, isCopy) => onTransfer(isCopy ? 'copy' : 'move', entries, target),
    onFiles: (data, directory) => take(data, { directory }),
  })
  return (
    <div
      className={styles.view}
      inert={isCovered}
      data-drop-path={path}
      data-dropping={filesTarget === path || undefined}
      {...handlers}
    >
      {children}
      {filesTarget !== null && (
        <output className={styles.drop}>
          <span>
            <IconCloudUpload size={20} aria-hidden />
            {t('explorer.dropHere', { name: nameOfPath(filesTarget) })}
          </span>
        </output>
      )}
    </div>
  )
}
