import { useT } from '../../../lib/i18n/use-translation.ts'
import { showUnseen } from '../../../lib/unseen-letters.ts'
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx'
import { ShownName } from '../../../ui/shown-name.tsx'
import type { Entry } from '../models/entries.ts'
import styles from './dialogs.module.css'
import { EntryIcon } from './entry-icon.tsx'

const NAMED = 10

interface DeleteDialogProps {
  entries: readonly Entry[]
  onClose: () => void
  onConfirm: () => void
}

/** Names what goes. */
export function DeleteDialog({ entries, onClose, onConfirm }: DeleteDialogProps) {
  const { t } = useT()
  const [first] = entries
  const hasFolder = entries.some(({ isFolder }) => isFolder)
  const moreCount = entries.length - NAMED
  return (
    <ConfirmDialog
      title={
        entries.length === 1 && first
          ? t('explorer.remove.titleOne', { name: showUnseen(first.name) })
          : t('explorer.remove.titleMany', { count: entries.length })
      }
      cancelLabel={t('common.cancel')}
      confirmLabel={t('explorer.command.delete')}
      isDangerous
      onCancel={onClose}
      onConfirm={() => {
        onClose()
        onConfirm()
      }}
    >
      {hasFolder && <p className={styles.text}>{t('explorer.remove.folderText')}</p>}
      <ul className={styles.names}>
        {entries.slice(0, NAMED).map((entry) => (
          <li key={entry.path}>
            <EntryIcon entry={entry} />
            <ShownName name={entry.name} />
          </li>
        ))}
      </ul>
      {moreCount > 0 && <p className={styles.more}>{t('common.andMore', { count: moreCount })}</p>}
    </ConfirmDialog>
  )
}
