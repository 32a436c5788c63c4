import { useContext, useState } from 'react'
import { formatBytes } from '../../../lib/format.ts'
import { useT } from '../../../i18n/use-translation.ts'
import { type SavedDraft, saveDraft } from '../drafts/saved-drafts.ts'
import { notify } from '../../../lib/notices.ts'
import { nameScreenshot } from '../../transfers/uploads/picked-files.ts'
import type { MountedEditor } from '../code-mirror/code-mirror.ts'
import type { DraftPlace } from '../editor-frame.tsx'
import { FileUploadsContext } from './upload-file.ts'
import { IMPORT_MAX_BYTES, isTextFile, readTextFile } from './read-text-file.ts'
import { linkSource } from '../code-mirror/source-target.ts'
import type { Incoming } from '../code-mirror/source-tools.ts'
import { type ShowPlaceholder, startUploads } from './start-uploads.ts'
import type { FileLink, UploadPlaceholder } from './upload-placeholder.ts'
import { showPending } from './uploads-in-text.ts'

interface IncomingInput {
  readonly editor: MountedEditor
  readonly isMarkdown: boolean
  readonly drafts: DraftPlace
  readonly onMarkdown: ((isMarkdown: boolean) => void) | undefined
  /** A file is the text now. */
  readonly onImported: (name: string) => void
}

interface Question {
  readonly name: string
  readonly text: string
  readonly isMarkdown: boolean
}

/** Files that are read into the text, or shared and linked in it. */
export function useIncoming({ editor, isMarkdown, drafts, onMarkdown, onImported }: IncomingInput) {
  const { t, language } = useT()
  const { view } = editor
  const uploads = useContext(FileUploadsContext)
  const [question, setQuestion] = useState<Question | null>(null)

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
  const replace = (file: Question) => {
    replaceAll(file.text)
    setQuestion(null)
    onImported(file.name)
    if (file.isMarkdown !== isMarkdown) onMarkdown?.(file.isMarkdown)
    view.focus()
  }
  const restore = (draft: SavedDraft) => {
    replaceAll(draft.text)
    if (draft.isMarkdown !== isMarkdown) onMarkdown?.(draft.isMarkdown)
    notify('success', t('editor.drafts.restored'))
    view.focus()
  }
  const insert = ({ text }: Question) => {
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
      const question = { name, text: read.text, isMarkdown: read.isMarkdown }
      if (view.state.doc.toString().trim() === '') replace(question)
      else setQuestion(question)
    } else if (read.kind === 'too-large') {
      notify('error', t('editor.import.tooLarge', { name, limit: formatBytes(IMPORT_MAX_BYTES, language) }))
    } else if (read.kind === 'not-text') notify('error', t('editor.import.notText', { name }))
    else notify('error', t('editor.import.unreadable', { name }))
  }

  const write = ({ name, address, kind, isNext }: FileLink) => {
    const link = isMarkdown ? linkSource(kind, name, address) : address
    return isNext ? (isMarkdown ? '\n\n' : '\n') + link : link
  }
  /** Shows signs in the source. */
  const signAt =
    (at: number): ShowPlaceholder =>
    (file) => {
      editor.follow()
      const sign = showPending({ view, at, write }, file)
      return {
        ...sign,
        settle: (link) => {
          // What was typed elsewhere meanwhile is not written over.
          editor.follow()
          return sign.settle(link)
        },
      }
    }
  /** The text was replaced meanwhile, or is edited in another way: what came stands at its end. */
  const append = (link: FileLink) => {
    editor.follow()
    const { length } = view.state.doc
    const isNext = length > 0
    view.dispatch({ changes: { from: length, insert: write({ ...link, isNext }) }, userEvent: 'input.paste' })
  }
  const insertFile = (sign: UploadPlaceholder, link: FileLink) => {
    if (!sign.settle(link)) append(link)
  }
  const uploadAll = (files: readonly File[], showSign: ShowPlaceholder) => {
    if (!uploads) return
    if (!uploads.mayUpload()) {
      notify('error', t('editor.upload.forbidden'))
      return
    }
    startUploads({
      files: files.map((file) => nameScreenshot(file, t('editor.upload.pastedName'))),
      uploads,
      showSign,
      insert: insertFile,
      kindOf: (isImage) => (isImage && isMarkdown ? 'image' : 'link'),
      words: {
        cancel: (name) => t('editor.upload.cancel', { name }),
        failed: (name, reason) => t('editor.upload.failed', { name, reason }),
        retry: t('common.retry'),
      },
    })
  }
  const take = (
    files: readonly File[],
    { showSign, isDrop }: { showSign: ShowPlaceholder; isDrop: boolean },
  ) => {
    const [first] = files
    if (isDrop && files.length === 1 && first && isTextFile(first)) void importFile(first)
    else if (uploads) uploadAll(files, showSign)
    else if (first) void importFile(first)
  }

  const pasteHtml = async (html: string, text: string) => {
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
          // Only while nothing else has happened there.
          if (view.state.sliceDoc(start, end) !== markdown) return
          view.dispatch({ changes: { from: start, to: end, insert: text }, userEvent: 'input.paste' })
        },
      },
    })
  }

  const incoming: Incoming = {
    onFiles: (files, at, isDrop) => {
      take(files, { showSign: signAt(at), isDrop })
      return true
    },
    onHtml: (html, text) => {
      pasteHtml(html, text).catch(() => view.dispatch(view.state.replaceSelection(text)))
      return true
    },
  }
  const clear = () => {
    editor.follow()
    const before = view.state.doc.toString()
    if (before === '') return
    replaceAll('')
    notify('info', t('editor.cleared'), {
      topic: 'editor-cleared',
      shownMs: 12_000,
      action: {
        label: t('editor.undo'),
        run: () => {
          editor.follow()
          // It may be there again by other means.
          if (view.state.doc.toString().includes(before)) return
          // What was typed since stays, below it.
          view.dispatch({ changes: { from: 0, insert: before }, userEvent: 'input' })
        },
      },
    })
    view.focus()
  }
  return {
    incoming,
    clear,
    restore,
    importFile,
    take,
    signAt,
    uploadAll: uploads?.mayUpload() ? uploadAll : null,
    question: question && {
      name: question.name,
      onReplace: () => replace(question),
      onInsert: () => insert(question),
      onClose: () => setQuestion(null),
    },
  }
}
