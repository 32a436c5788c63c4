import { useContext } from 'react'
import { useT } from '../../../i18n/use-translation.ts'
import { notify } from '../../../lib/notices.ts'
import { nameScreenshot } from '../../transfers/uploads/picked-files.ts'
import type { MountedEditor } from '../code-mirror/code-mirror.ts'
import { FileUploadsContext } from './upload-file.ts'
import { linkSource } from '../code-mirror/source-target.ts'
import { type ShowPlaceholder, startUploads } from './start-uploads.ts'
import type { FileLink, UploadPlaceholder } from './upload-placeholder.ts'
import { showPending } from './uploads-in-text.ts'

interface LinkedUploads {
  readonly editor: MountedEditor
  readonly isMarkdown: boolean
}

/** Shares files and inserts links to them. A placeholder in the text shows each upload. */
export function useLinkedUploads({ editor, isMarkdown }: LinkedUploads) {
  const { t } = useT()
  const { view } = editor
  const uploads = useContext(FileUploadsContext)

  const write = ({ name, address, kind, isNext }: FileLink) => {
    const link = isMarkdown ? linkSource(kind, name, address) : address
    return isNext ? (isMarkdown ? '\n\n' : '\n') + link : link
  }
  const signAt =
    (at: number): ShowPlaceholder =>
    (file) => {
      editor.follow()
      const sign = showPending({ view, at, write }, file)
      return {
        ...sign,
        settle: (link) => {
          // Copies text that was typed in the rich view to the source, so that the link does not overwrite that text.
          editor.follow()
          return sign.settle(link)
        },
      }
    }
  /**
   * Appends the link at the end of the text. Used if the placeholder is gone, for example because the text was
   * replaced.
   */
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
  return { signAt, uploadAll, hasUploads: uploads !== null, mayUpload: uploads?.mayUpload() ?? false }
}
