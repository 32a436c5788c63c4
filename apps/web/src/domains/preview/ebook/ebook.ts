import { sanitiseDocument, toDataUrl } from '../foreign-document.ts'
import {
  elementOf,
  elementsOf,
  openPackage,
  type PackageFiles,
  resolveName,
} from '../reading/package-files.ts'
import { PreviewError } from '../preview-error.ts'
import type { PreviewSource } from '../preview-source.ts'

export interface TocEntry {
  readonly title: string
  readonly depth: number
  /** Index of the chapter, from 0. */
  readonly chapter: number
}

export interface Ebook {
  readonly title: string
  readonly author: string
  /** Whether pages advance from right to left. */
  readonly isRightToLeft: boolean
  readonly chapters: readonly string[]
  readonly toc: readonly TocEntry[]
  readonly files: PackageFiles
  /** Media types of all files in the manifest, by file name. */
  readonly types: ReadonlyMap<string, string>
}

const textOf = (element: Element | undefined) => element?.textContent?.replaceAll(/\s+/g, ' ').trim() ?? ''

interface Item {
  readonly name: string
  readonly type: string
  readonly properties: string
}

function readManifest(opf: Document, opfName: string): ReadonlyMap<string, Item> {
  return new Map(
    elementsOf(opf, 'item').map((item) => [
      item.getAttribute('id') ?? '',
      {
        name: resolveName(opfName, item.getAttribute('href') ?? ''),
        type: item.getAttribute('media-type') ?? '',
        properties: item.getAttribute('properties') ?? '',
      },
    ]),
  )
}

function navEntries(nav: Document, name: string, chapters: readonly string[]): TocEntry[] {
  const list = elementsOf(nav, 'nav').find((each) => /toc/.test(each.getAttribute('epub:type') ?? 'toc'))
  const links = list ? elementsOf(list, 'a') : []
  return links.flatMap((link) => {
    let depth = -1
    for (let at: Element | null = link; at && at !== list; at = at.parentElement)
      if (at.localName === 'ol') depth += 1
    return toEntry({ link: link.getAttribute('href'), title: textOf(link), depth, name, chapters })
  })
}

function ncxEntries(ncx: Document, name: string, chapters: readonly string[]): TocEntry[] {
  return elementsOf(ncx, 'navPoint').flatMap((point) => {
    let depth = -1
    for (let at: Element | null = point; at; at = at.parentElement)
      if (at.localName === 'navPoint') depth += 1
    const link = elementOf(point, 'content')?.getAttribute('src') ?? null
    return toEntry({ link, title: textOf(elementOf(point, 'text')), depth, name, chapters })
  })
}

interface RawEntry {
  readonly link: string | null
  readonly title: string
  readonly depth: number
  readonly name: string
  readonly chapters: readonly string[]
}

function toEntry({ link, title, depth, name, chapters }: RawEntry): TocEntry[] {
  const target = resolveName(name, (link ?? '').split('#')[0] ?? '')
  const chapter = chapters.indexOf(target)
  return chapter === -1 || title === '' ? [] : [{ title, depth: Math.max(0, depth), chapter }]
}

async function readToc(
  files: PackageFiles,
  items: readonly Item[],
  chapters: readonly string[],
): Promise<TocEntry[]> {
  const nav = items.find(({ properties }) => properties.split(' ').includes('nav'))
  if (nav) return navEntries(await files.readXml(nav.name), nav.name, chapters)
  const ncx = items.find(({ type }) => type === 'application/x-dtbncx+xml')
  return ncx ? ncxEntries(await files.readXml(ncx.name), ncx.name, chapters) : []
}

/**
 * Opens a book by reading its metadata. Chapters are read on demand.
 * @throws {PreviewError} `encrypted`, `damaged`
 * @throws the errors of {@link openPackage}
 */
export async function openEbook(source: PreviewSource, signal: AbortSignal): Promise<Ebook> {
  const files = await openPackage(source, signal)
  if (files.names.includes('META-INF/rights.xml')) throw new PreviewError('encrypted')
  const container = await files.readXml('META-INF/container.xml')
  const opfName = elementOf(container, 'rootfile')?.getAttribute('full-path') ?? ''
  const opf = await files.readXml(opfName)
  const manifest = readManifest(opf, opfName)
  const chapters = elementsOf(opf, 'itemref').flatMap((each) => {
    const item = manifest.get(each.getAttribute('idref') ?? '')
    return item ? [item.name] : []
  })
  if (chapters.length === 0) throw new PreviewError('damaged')
  const items = [...manifest.values()]
  return {
    title: textOf(elementOf(opf, 'title')),
    author: elementsOf(opf, 'creator').map(textOf).join(', '),
    isRightToLeft: elementOf(opf, 'spine')?.getAttribute('page-progression-direction') === 'rtl',
    chapters,
    // A book with a broken table of contents is still readable.
    toc: await readToc(files, items, chapters).catch(() => []),
    files,
    types: new Map(items.map(({ name, type }) => [name, type])),
  }
}

async function inlinePictures(chapter: Document, name: string, { files, types }: Ebook): Promise<void> {
  const pictures = [...chapter.querySelectorAll('img, image, source')]
  await Promise.all(
    pictures.map(async (picture) => {
      const attribute = ['src', 'xlink:href', 'href'].find((each) => picture.hasAttribute(each))
      if (attribute === undefined) return
      const target = resolveName(name, picture.getAttribute(attribute) ?? '')
      const type = types.get(target) ?? 'image/png'
      if (!files.names.includes(target) || !type.startsWith('image/')) return
      picture.setAttribute(attribute, await toDataUrl(await files.read(target), type))
    }),
  )
}

async function readStyles(chapter: Document, name: string, { files }: Ebook): Promise<string> {
  const links = [...chapter.querySelectorAll('link[rel~="stylesheet"]')]
  const own = [...chapter.querySelectorAll('style')].map(({ textContent }) => textContent ?? '')
  const sheets = await Promise.all(
    links.map(async (link) => {
      const target = resolveName(name, link.getAttribute('href') ?? '')
      return files.names.includes(target) ? new TextDecoder().decode(await files.read(target)) : ''
    }),
  )
  return [...sheets, ...own].join('\n').replaceAll(/<\/style/gi, '')
}

/**
 * Returns a chapter as a self-contained page.
 * @throws the errors of {@link PackageFiles.read}
 */
export async function readChapter(book: Ebook, index: number, ownStyles: string): Promise<string> {
  const name = book.chapters[index] ?? ''
  const text = new TextDecoder().decode(await book.files.read(name))
  // Most chapters are well-formed XML; all others are parsed as HTML.
  const strict = new DOMParser().parseFromString(text, 'application/xhtml+xml')
  const isStrict = strict.querySelector('parsererror') === null
  const chapter = isStrict ? strict : new DOMParser().parseFromString(text, 'text/html')
  const styles = await readStyles(chapter, name, book)
  await inlinePictures(chapter, name, book)
  sanitiseDocument(chapter)
  for (const style of chapter.querySelectorAll('style, title')) style.remove()
  const body = chapter.querySelector('body')
  const direction = chapter.documentElement.getAttribute('dir') ?? body?.getAttribute('dir') ?? ''
  const holder = document.implementation.createHTMLDocument('')
  for (const child of body?.childNodes ?? []) holder.body.append(holder.importNode(child, true))
  const dir = direction === 'rtl' ? ' dir="rtl"' : ''
  return `<html${dir}><style>${styles}</style><style>${ownStyles}</style><body>${holder.body.innerHTML}</body></html>`
}
