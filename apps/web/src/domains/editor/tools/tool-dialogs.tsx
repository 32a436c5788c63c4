import { lazy, Suspense } from 'react'
import type { EditorTarget } from '../editor-target.ts'
import type { useIncoming } from '../uploads/use-incoming.ts'
import type { ShowPlaceholder } from '../uploads/start-uploads.ts'
import type { ToolDialog } from './tool-list.tsx'

const DraftsDialog = lazy(() => import('../dialogs/drafts-dialog.tsx'))
const EmojiDialog = lazy(() => import('../dialogs/emoji-dialog.tsx'))
const TableDialog = lazy(() => import('../dialogs/table-dialog.tsx'))
const LinkDialog = lazy(() => import('../dialogs/link-dialog.tsx'))
const HelpDialog = lazy(() => import('../dialogs/help-dialog.tsx'))
const ImportDialog = lazy(() => import('../dialogs/import-dialog.tsx'))

interface ToolDialogsProps {
  dialog: ToolDialog | null
  isMarkdown: boolean
  target: EditorTarget
  files: ReturnType<typeof useIncoming>
  /** Returns a function that shows placeholders at the caret. */
  signAtCaret: () => ShowPlaceholder
  onClose: () => void
}

export function ToolDialogs(props: ToolDialogsProps) {
  const { dialog, isMarkdown, target, files, signAtCaret, onClose } = props
  const { uploadAll } = files
  const pick = (run: () => void) => {
    onClose()
    // Waits one frame, because the closing dialog must restore the focus first.
    requestAnimationFrame(run)
  }
  return (
    <Suspense fallback={null}>
      {dialog === 'emoji' && (
        <EmojiDialog onPick={(text) => pick(() => target.run({ type: 'insert', text }))} onClose={onClose} />
      )}
      {dialog === 'table' && (
        <TableDialog
          onPick={(size) => pick(() => target.run({ type: 'table', ...size }))}
          onClose={onClose}
        />
      )}
      {(dialog === 'link' || dialog === 'image') && (
        <LinkDialog
          kind={dialog}
          selected={target.selectedText()}
          onInsert={(link) => pick(() => target.run({ type: dialog, ...link }))}
          onFiles={uploadAll && ((chosen) => pick(() => uploadAll(chosen, signAtCaret())))}
          onClose={onClose}
        />
      )}
      {dialog === 'drafts' && (
        <DraftsDialog onRestore={(draft) => pick(() => files.restore(draft))} onClose={onClose} />
      )}
      {dialog === 'help' && <HelpDialog isMarkdown={isMarkdown} onClose={onClose} />}
      {files.question && <ImportDialog {...files.question} />}
    </Suspense>
  )
}
