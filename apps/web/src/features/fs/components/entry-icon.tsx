import { IconFolderFilled, IconServer2 } from '@tabler/icons-react'
import { FileIcon } from '../../../ui/file-preview/file-icon.tsx'
import type { Entry } from '../models/entries.ts'
import { kindOf } from '../models/entries.ts'
import styles from './entry-icon.module.css'

export function EntryIcon({ entry, size = 22 }: { entry: Entry; size?: number }) {
  const kind = kindOf(entry)
  return (
    <span className={styles.icon} data-kind={entry.isVirtual ? 'mount' : kind}>
      {entry.isVirtual ? (
        <IconServer2 size={size} aria-hidden />
      ) : kind === 'folder' ? (
        <IconFolderFilled size={size} aria-hidden />
      ) : (
        <FileIcon kind={kind} size={size} />
      )}
    </span>
  )
}
