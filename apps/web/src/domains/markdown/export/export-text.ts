import { copyText } from '../../../lib/browser/clipboard.ts'
import { fileNameOf, saveBlob } from '../../../lib/browser/save-blob.ts'
import { ownTitle } from './document-title.ts'
import { type DrawnDocument, type ExportWords, drawDocument } from './drawn-document.ts'
import { toPage } from './page.ts'
import { drawPictures } from './picture-of-page.ts'
import { toPlainText } from './plain-text.ts'
import { printPage } from './print.ts'

export type ExportForm =
  | 'markdown'
  | 'html'
  | 'pdf'
  | 'image'
  | 'word'
  | 'copyMarkdown'
  | 'copyHtml'
  | 'copyPlain'

export interface ExportedText {
  readonly text: string
  /** Title of the document if the front matter has none. */
  readonly title: string
  readonly words: ExportWords
  readonly language: string
}

export interface Exported {
  /** Whether the text was copied to the clipboard. */
  readonly hasCopied?: boolean
  /** Number of images that could not be read. */
  readonly leftOut: number
  /** Number of images created by an export as images. */
  readonly pictures?: number
}

async function copyRich(document: DrawnDocument): Promise<boolean> {
  const html = document.root.outerHTML
  const plain = toPlainText(document.root)
  try {
    const item = new ClipboardItem({
      'text/html': new Blob([html], { type: 'text/html' }),
      'text/plain': new Blob([plain], { type: 'text/plain' }),
    })
    await navigator.clipboard.write([item])
    return true
  } catch {
    return copyText(plain)
  }
}

/** Saves a single image as a file, or several images numbered in a zip archive. */
async function savePictures(drawn: DrawnDocument, title: string, untitled: string): Promise<number> {
  const pictures = await drawPictures(drawn)
  const [only] = pictures
  if (only && pictures.length === 1) {
    saveBlob(only, fileNameOf(title, 'png', untitled))
    return 1
  }
  const { zipStream } = await import('../../../lib/zip-stream.ts')
  const digits = String(pictures.length).length
  const stem = fileNameOf(title, 'png', untitled).replace(/\.png$/, '')
  const files = pictures.map((picture, index) => ({
    name: `${stem} ${String(index + 1).padStart(digits, '0')}.png`,
    input: picture.stream(),
    modifiedAt: new Date(),
    sizeBytes: picture.size,
  }))
  const headers = { 'Content-Type': 'application/zip' }
  const archive = await new Response(
    zipStream(() => files),
    { headers },
  ).blob()
  saveBlob(archive, fileNameOf(title, 'zip', untitled))
  return pictures.length
}

/**
 * Exports a text in one format. Loads large libraries on demand.
 * @throws {PictureTooLarge} if the text is too long for images
 */
export async function exportText(
  form: ExportForm,
  { text, title: otherTitle, words, language }: ExportedText,
): Promise<Exported> {
  const title = ownTitle(text) || otherTitle
  const save = (blob: Blob, ending: string) => saveBlob(blob, fileNameOf(title, ending, words.untitled))
  if (form === 'markdown') {
    save(new Blob([text], { type: 'text/markdown;charset=utf-8' }), 'md')
    return { leftOut: 0 }
  }
  if (form === 'copyMarkdown') return { hasCopied: await copyText(text), leftOut: 0 }
  const drawn = await drawDocument(text, words)
  const { leftOut } = drawn
  if (form === 'copyHtml') return { hasCopied: await copyRich(drawn), leftOut }
  if (form === 'copyPlain') return { hasCopied: await copyText(toPlainText(drawn.root)), leftOut: 0 }
  const shownTitle = title || words.untitled
  if (form === 'html') save(new Blob([toPage(drawn, shownTitle, language)], { type: 'text/html' }), 'html')
  if (form === 'pdf') await printPage(toPage(drawn, shownTitle, language))
  if (form === 'image') return { leftOut, pictures: await savePictures(drawn, title, words.untitled) }
  if (form === 'word') {
    const { toWord } = await import('./word.ts')
    save(await toWord(drawn, shownTitle), 'docx')
  }
  return { leftOut }
}
