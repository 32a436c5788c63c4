import { IconFolderFilled, IconServer2 } from '@tabler/icons-react'
import { useT } from '../../../../i18n/use-translation.ts'
import { FileIcon } from '../../../../domains/preview/kinds/file-icon.tsx'
import type { Entry } from '../../models/entries.ts'
import { folderText } from './entry-facts.ts'
import { kindOf } from '../../models/entries.ts'
import styles from './entry-icon.module.css'

export function EntryIcon({ entry, size = 22 }: { entry: Entry; size?: number }) {
  const { t } = useT()
  const kind = kindOf(entry)
  const label = folderText(entry, t)
  return (
    <span
      className={styles.icon}
      data-kind={entry.isVirtual ? 'mount' : kind}
      // Files have no label, because their names show the type.
      {...(label !== '' && { role: 'img', 'aria-label': label })}
    >
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
