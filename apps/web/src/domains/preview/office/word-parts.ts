import {
  type FileEntry,
  TextReader,
  TextWriter,
  Uint8ArrayReader,
  Uint8ArrayWriter,
  ZipReader,
  ZipWriter,
} from '@zip.js/zip.js/lib/zip-core-custom.js'
import { takeFormulas } from './word-formulas.ts'
import { nameLinkedPictures } from './word-pictures.ts'

const TEXT_PARTS = /^word\/(?:document|header|footer|footnotes|endnotes)\d*\.xml$/

/** Accepts malformed files that Word accepts too. */
const READ_OPTIONS = { strictness: 'tolerant' } as const

export interface PreparedWord {
  readonly bytes: Uint8Array<ArrayBuffer>
  /** The replaced formulas as MathML. */
  readonly formulas: readonly Element[]
}

/**
 * Prepares a Word document for conversion: replaces the formulas, and adapts linked images to the converter.
 * @throws if the bytes are not a zip file, as every Word document must be
 */
export async function prepareWord(bytes: Uint8Array<ArrayBuffer>, page: Document): Promise<PreparedWord> {
  const entries = await new ZipReader(new Uint8ArrayReader(bytes), READ_OPTIONS).getEntries()
  const formulas: Element[] = []
  const changed = new Map<string, string>()
  for (const entry of entries.filter((each): each is FileEntry => TEXT_PARTS.test(each.filename))) {
    const text = await entry.getData(new TextWriter())
    if (!/oMath|:link=/.test(text)) continue
    const xml = new DOMParser().parseFromString(text, 'text/xml')
    if (xml.getElementsByTagNameNS('*', 'parsererror').length > 0) continue
    takeFormulas(xml, page, formulas)
    nameLinkedPictures(xml)
    changed.set(entry.filename, new XMLSerializer().serializeToString(xml))
  }
  if (changed.size === 0) return { bytes, formulas }
  const writer = new ZipWriter(new Uint8ArrayWriter())
  // Copies unchanged entries without decompressing them.
  await writer.appendZip(new Uint8ArrayReader(bytes), {
    filter: ({ filename }) => !changed.has(filename),
    readerOptions: READ_OPTIONS,
  })
  for (const [name, xml] of changed) await writer.add(name, new TextReader(xml))
  return { bytes: await writer.close(), formulas }
}
