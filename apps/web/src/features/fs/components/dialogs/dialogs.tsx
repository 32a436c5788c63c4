import type { Conflict, TransferMode } from '../../api/fs.api.ts'
import type { Entry } from '../../models/entries.ts'
import { DeleteDialog } from './delete-dialog.tsx'
import { LinkDialog } from './link-dialog.tsx'
import { NewFolderDialog, RenameDialog } from './name-dialogs.tsx'
import { PropertiesDialog } from './properties-dialog.tsx'
import { TransferDialog } from './transfer-dialog.tsx'

export type OpenDialog =
  | { readonly kind: 'newFolder' }
  | { readonly kind: 'rename' | 'link' | 'properties'; readonly entry: Entry }
  | { readonly kind: 'delete'; readonly entries: readonly Entry[] }
  | { readonly kind: 'transfer'; readonly mode: TransferMode; readonly entries: readonly Entry[] }

interface DialogsProps {
  dialog: OpenDialog
  /** Path of the open folder. */
  folder: string
  onClose: () => void
  onRemove: (entries: readonly Entry[]) => void
  onTransfer: (mode: TransferMode, entries: readonly Entry[], target: string, conflict: Conflict) => void
  /** Moves the focus to an entry. */
  onShow: (path: string) => void
}

export function Dialogs({ dialog, folder, onClose, onRemove, onTransfer, onShow }: DialogsProps) {
  switch (dialog.kind) {
    case 'newFolder':
      return <NewFolderDialog folder={folder} onClose={onClose} onDone={onShow} />
    case 'rename':
      return <RenameDialog folder={folder} entry={dialog.entry} onClose={onClose} onDone={onShow} />
    case 'link':
      return <LinkDialog entry={dialog.entry} onClose={onClose} />
    case 'properties':
      return <PropertiesDialog entry={dialog.entry} onClose={onClose} />
    case 'delete':
      return (
        <DeleteDialog entries={dialog.entries} onClose={onClose} onConfirm={() => onRemove(dialog.entries)} />
      )
    case 'transfer':
      return (
        <TransferDialog
          mode={dialog.mode}
          entries={dialog.entries}
          folder={folder}
          onClose={onClose}
          onConfirm={(target, conflict) => onTransfer(dialog.mode, dialog.entries, target, conflict)}
        />
      )
    default:
      return dialog satisfies never
  }
}
