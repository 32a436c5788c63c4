import { IconCloudUpload } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useT } from '../../../lib/i18n/use-translation.ts'
import { addMountUploads } from '../../../lib/transfers/mount-uploads.ts'
import { pickFromDrop } from '../../../lib/transfers/picked-files.ts'
import { noticeFailure } from '../../../lib/session-notices.ts'
import type { TransferMode } from '../api/fs.api.ts'
import type { Entry } from '../models/entries.ts'
import { nameOfPath } from '../models/fs-paths.ts'
import styles from './explorer.module.css'
import { useFolderScreen } from './explorer-context.ts'
import { useDrops } from './use-drops.ts'

interface DropAreaProps {
  mayWrite: boolean
  /** While a file is shown over it. */
  isCovered: boolean
  onTransfer: (mode: TransferMode, entries: readonly Entry[], target: string) => void
  children: ReactNode
}

async function uploadDropped(data: DataTransfer, directory: string) {
  const { files, emptyFolders } = await pickFromDrop(data)
  addMountUploads({ directory, picked: files, emptyFolders })
}

/** Takes files of the computer and entries that are dragged, for whatever in it names a folder to drop on. */
export function DropArea({ mayWrite, isCovered, onTransfer, children }: DropAreaProps) {
  const { t } = useT()
  const { path, canWrite } = useFolderScreen()
  const { filesTarget, handlers } = useDrops({
    path,
    canWrite,
    mayWrite,
    onItems: (entries, target, isCopy) => onTransfer(isCopy ? 'copy' : 'move', entries, target),
    onFiles: (data, target) => {
      uploadDropped(data, target).catch((error: unknown) => noticeFailure(error))
    },
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
