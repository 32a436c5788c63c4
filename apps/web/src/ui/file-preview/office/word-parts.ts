import JSZip from 'jszip'
import { takeFormulas } from './word-formulas.ts'
import { nameLinkedPictures } from './word-pictures.ts'

const TEXT_PARTS = /^word\/(?:document|header|footer|footnotes|endnotes)\d*\.xml$/

export interface PreparedWord {
  readonly bytes: Uint8Array<ArrayBuffer>
  /** What was taken out of it, as MathML. */
  readonly formulas: readonly Element[]
}

/** A document of Word without what would be lost on its way to a page. @throws where it is none */
export async function prepareWord(bytes: Uint8Array<ArrayBuffer>, page: Document): Promise<PreparedWord> {
  const zip = await JSZip.loadAsync(bytes)
  const formulas: Element[] = []
  let isChanged = false
  for (const part of zip.file(TEXT_PARTS)) {
    const text = await part.async('string')
    if (!/oMath|:link=/.test(text)) continue
    const xml = new DOMParser().parseFromString(text, 'text/xml')
    if (xml.getElementsByTagNameNS('*', 'parsererror').length > 0) continue
    takeFormulas(xml, page, formulas)
    nameLinkedPictures(xml)
    zip.file(part.name, new XMLSerializer().serializeToString(xml))
    isChanged = true
  }
  if (!isChanged) return { bytes, formulas }
  // What is packed already is not packed anew.
  const packed = await zip.generateAsync({ type: 'arraybuffer', compression: 'DEFLATE' })
  return { bytes: new Uint8Array(packed), formulas }
}
