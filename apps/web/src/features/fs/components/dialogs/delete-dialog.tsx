import { useQueries } from '@tanstack/react-query'
import { useT } from '../../../../i18n/use-translation.ts'
import { showInvisible } from '../../../../lib/text/invisible-characters.ts'
import { ConfirmDialog } from '../../../../ui/dialogs/confirm-dialog.tsx'
import { DisplayName } from '../../../../ui/layout/display-name.tsx'
import { fsQueries } from '../../api/fs.queries.ts'
import type { Entry } from '../../models/entries.ts'
import styles from './dialogs.module.css'
import { EntryIcon } from '../items/entry-icon.tsx'

const NAMED = 10

interface DeleteDialogProps {
  entries: readonly Entry[]
  onClose: () => void
  onConfirm: () => void
}

/**
 * Text about the links that break with the files; `null` if there are none. If there are too many files to check, the
 * text contains no number.
 */
function useEndingLinks(entries: readonly Entry[]): string | null {
  const { t } = useT()
  const files = entries.filter(({ isFolder }) => !isFolder)
  const isAsked = files.length <= NAMED
  const answers = useQueries({
    queries: isAsked ? files.map(({ path }) => fsQueries.properties(path)) : [],
  })
  if (!isAsked) return t('explorer.remove.someLinks')
  const count = answers.filter(({ data }) => data?.data.share).length
  return count === 0 ? null : t('explorer.remove.links', { count })
}

/** Confirms a deletion, and shows how many links break. */
export function DeleteDialog({ entries, onClose, onConfirm }: DeleteDialogProps) {
  const { t } = useT()
  const [first] = entries
  const hasFolder = entries.some(({ isFolder }) => isFolder)
  const endingLinks = useEndingLinks(entries)
  const moreCount = entries.length - NAMED
  return (
    <ConfirmDialog
      title={
        entries.length === 1 && first
          ? t('explorer.remove.titleOne', { name: showInvisible(first.name) })
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
      {endingLinks !== null && <p className={styles.text}>{endingLinks}</p>}
      <ul className={styles.names}>
        {entries.slice(0, NAMED).map((entry) => (
          <li key={entry.path}>
            <EntryIcon entry={entry} />
            <DisplayName name={entry.name} />
          </li>
        ))}
      </ul>
      {moreCount > 0 && <p className={styles.more}>{t('common.andMore', { count: moreCount })}</p>}
    </ConfirmDialog>
  )
}
