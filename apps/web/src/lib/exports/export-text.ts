import { copyText } from '../clipboard.ts'
import { fileNameOf, saveBlob } from '../save-blob.ts'
import { type DrawnDocument, type ExportWords, drawDocument } from './drawn-document.ts'
import { toPage } from './page.ts'
import { drawPicture } from './picture-of-page.ts'
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
  readonly title: string
  readonly words: ExportWords
  readonly language: string
}

export interface Exported {
  /** Copied, not saved: whether it worked. */
  readonly hasCopied?: boolean
  /** How many pictures could not be read. */
  readonly leftOut: number
}

/** Words with a line for each block. */
const plainOf = ({ root }: DrawnDocument): string => {
  for (const annotation of root.querySelectorAll('math')) {
    annotation.replaceWith(annotation.querySelector('annotation')?.textContent ?? annotation.textContent)
  }
  return `${root.textContent.replaceAll(/\n{3,}/g, '\n\n').trim()}\n`
}

async function copyRich(document: DrawnDocument): Promise<boolean> {
  const html = document.root.outerHTML
  const plain = plainOf(document)
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

/** Makes one form of a text and saves, prints or copies it. What is heavy is fetched for it. */
export async function exportText(
  form: ExportForm,
  { text, title, words, language }: ExportedText,
): Promise<Exported> {
  const save = (blob: Blob, ending: string) => saveBlob(blob, fileNameOf(title, ending, words.untitled))
  if (form === 'markdown') {
    save(new Blob([text], { type: 'text/markdown;charset=utf-8' }), 'md')
    return { leftOut: 0 }
  }
  if (form === 'copyMarkdown') return { hasCopied: await copyText(text), leftOut: 0 }
  const drawn = await drawDocument(text, words)
  const { leftOut } = drawn
  if (form === 'copyHtml') return { hasCopied: await copyRich(drawn), leftOut }
  if (form === 'copyPlain') return { hasCopied: await copyText(plainOf(drawn)), leftOut: 0 }
  const shownTitle = title || words.untitled
  if (form === 'html') save(new Blob([toPage(drawn, shownTitle, language)], { type: 'text/html' }), 'html')
  if (form === 'pdf') await printPage(toPage(drawn, shownTitle, language))
  if (form === 'image') save(await drawPicture(drawn), 'png')
  if (form === 'word') {
    const { toWord } = await import('./word.ts')
    save(await toWord(drawn, shownTitle), 'docx')
  }
  return { leftOut }
}
