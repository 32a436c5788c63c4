import { useState } from 'react'
import { formatBytes } from '../../../lib/format.ts'
import { useT } from '../../../i18n/use-translation.ts'
import { type SavedDraft, saveDraft } from '../drafts/saved-drafts.ts'
import { notify } from '../../../lib/notices.ts'
import type { MountedEditor } from '../code-mirror/code-mirror.ts'
import type { DraftPlace } from '../editor-frame.tsx'
import { IMPORT_MAX_BYTES, readTextFile } from './read-text-file.ts'

export interface ImportInput {
  readonly editor: MountedEditor
  readonly isMarkdown: boolean
  readonly drafts: DraftPlace
  readonly onMarkdown: ((isMarkdown: boolean) => void) | undefined
  readonly onImported: (name: string) => void
}

interface ImportedText {
  readonly name: string
  readonly text: string
  readonly isMarkdown: boolean
}

/** Imports a file into the text, restores a draft, or clears the text. Saves a replaced text as a draft. */
export function useTextImport({ editor, isMarkdown, drafts, onMarkdown, onImported }: ImportInput) {
  const { t, language } = useT()
  const { view } = editor
  const [question, setQuestion] = useState<ImportedText | null>(null)

  const replaceAll = (text: string) => {
    editor.follow()
    const before = view.state.doc.toString()
    void saveDraft({ ...drafts, text: before, isMarkdown })
    view.dispatch({
      changes: { from: 0, to: before.length, insert: text },
      selection: { anchor: 0 },
      scrollIntoView: true,
      userEvent: 'input',
    })
  }
  const replace = (file: ImportedText) => {
    replaceAll(file.text)
    setQuestion(null)
    onImported(file.name)
    if (file.isMarkdown !== isMarkdown) onMarkdown?.(file.isMarkdown)
    view.focus()
  }
  const insert = ({ text }: ImportedText) => {
    editor.follow()
    view.dispatch(view.state.replaceSelection(text), { scrollIntoView: true, userEvent: 'input' })
    setQuestion(null)
    view.focus()
  }
  const importFile = async (file: File) => {
    const read = await readTextFile(file)
    const { name } = file
    editor.follow()
    if (read.kind === 'text') {
      const imported = { name, text: read.text, isMarkdown: read.isMarkdown }
      if (view.state.doc.toString().trim() === '') replace(imported)
      else setQuestion(imported)
    } else if (read.kind === 'too-large') {
      notify('error', t('editor.import.tooLarge', { name, limit: formatBytes(IMPORT_MAX_BYTES, language) }))
    } else if (read.kind === 'not-text') notify('error', t('editor.import.notText', { name }))
    else notify('error', t('editor.import.unreadable', { name }))
  }
  const restore = (draft: SavedDraft) => {
    replaceAll(draft.text)
    if (draft.isMarkdown !== isMarkdown) onMarkdown?.(draft.isMarkdown)
    notify('success', t('editor.drafts.restored'))
    view.focus()
  }
  const undoClear = (before: string) => {
    editor.follow()
    // The user might already have undone the replacement in the editor.
    if (view.state.doc.toString().includes(before)) return
    // Inserts the old text above anything that the user has typed since.
    view.dispatch({ changes: { from: 0, insert: before }, userEvent: 'input' })
  }
  const clear = () => {
    editor.follow()
    const before = view.state.doc.toString()
    if (before === '') return
    replaceAll('')
    notify('info', t('editor.cleared'), {
      topic: 'editor-cleared',
      shownMs: 12_000,
      action: { label: t('editor.undo'), run: () => undoClear(before) },
    })
    view.focus()
  }
  return {
    importFile,
    restore,
    clear,
    question: question && {
      name: question.name,
      onReplace: () => replace(question),
      onInsert: () => insert(question),
      onClose: () => setQuestion(null),
    },
  }
}
