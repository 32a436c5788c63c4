import type { EditorView } from '@codemirror/view'
import { useT } from '../../../i18n/use-translation.ts'
import { notify } from '../../../lib/notices.ts'
import { isTextFile } from './read-text-file.ts'
import type { Incoming } from '../code-mirror/source-tools.ts'
import type { ShowPlaceholder } from './start-uploads.ts'
import { useLinkedUploads } from './use-linked-uploads.ts'
import { type ImportInput, useTextImport } from './use-text-import.ts'

type Translate = ReturnType<typeof useT>['t']

/**
 * Inserts pasted HTML as Markdown. If the plain text of the clipboard differs, a notice offers to insert the plain
 * text instead.
 */
async function pasteHtml(view: EditorView, t: Translate, { html, text }: { html: string; text: string }) {
  const { htmlToMarkdown } = await import('../rich/html-to-markdown.ts')
  const markdown = htmlToMarkdown(html)
  const isSame = markdown.trim() === text.trim()
  view.dispatch(view.state.replaceSelection(markdown), { scrollIntoView: true, userEvent: 'input.paste' })
  if (isSame || text === '') return
  const end = view.state.selection.main.head
  const start = end - markdown.length
  notify('info', t('editor.paste.converted'), {
    topic: 'editor-paste',
    action: {
      label: t('editor.paste.plain'),
      run: () => {
        // The inserted text might have changed meanwhile.
        if (view.state.sliceDoc(start, end) !== markdown) return
        view.dispatch({ changes: { from: start, to: end, insert: text }, userEvent: 'input.paste' })
      },
    },
  })
}

/** Handles incoming files: imports them into the text, or shares and links them. */
export function useIncoming(input: ImportInput) {
  const { t } = useT()
  const { view } = input.editor
  const { importFile, restore, clear, question } = useTextImport(input)
  const { signAt, uploadAll, hasUploads, mayUpload } = useLinkedUploads(input)
  const take = (
    files: readonly File[],
    { showSign, isDrop }: { showSign: ShowPlaceholder; isDrop: boolean },
  ) => {
    const [first] = files
    if (isDrop && files.length === 1 && first && isTextFile(first)) void importFile(first)
    else if (hasUploads) uploadAll(files, showSign)
    else if (first) void importFile(first)
  }
  const incoming: Incoming = {
    onFiles: (files, at, isDrop) => {
      take(files, { showSign: signAt(at), isDrop })
      return true
    },
    onHtml: (html, text) => {
      pasteHtml(view, t, { html, text }).catch(() => view.dispatch(view.state.replaceSelection(text)))
      return true
    },
  }
  return {
    incoming,
    clear,
    restore,
    importFile,
    take,
    signAt,
    uploadAll: mayUpload ? uploadAll : null,
    question,
  }
}
