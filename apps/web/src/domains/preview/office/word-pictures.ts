import { extensionOf } from '../kinds/file-kind.ts'

/** Of a part of a document: what its ids stand for. */
interface Part {
  readonly rels?: readonly { readonly id: string; readonly target: string; readonly targetMode?: string }[]
}

/** As far as it is known of what makes pages of documents. */
export interface WordPictures {
  readonly documentPart: Part
  loadDocumentImage: (id: string, part?: Part) => Promise<string | null>
}

/** What is said in place of pictures. */
export interface PictureWords {
  /** Of another site, until it is loaded. */
  readonly elsewhere: (host: string) => string
  /** Not in the file, and nowhere that could be asked. */
  readonly missing: string
  /** In the file, in a form that browsers do not know. */
  readonly unknown: string
}

/** Pictures that lie elsewhere have another attribute for their id, which is not looked at. */
export function nameLinkedPictures(xml: Document): void {
  for (const picture of xml.getElementsByTagNameNS('*', 'blip')) {
    const attributes = [...picture.attributes]
    const link = attributes.find(({ localName }) => localName === 'link')
    const embed = attributes.find(({ localName }) => localName === 'embed')
    if (link && !embed?.value)
      picture.setAttributeNS(link.namespaceURI, `${link.prefix ?? 'r'}:embed`, link.value)
  }
}

const TYPES: Readonly<Record<string, string>> = { svg: 'svg+xml', jpg: 'jpeg', emf: 'x-emf', wmf: 'x-wmf' }

/**
 * Lets pictures that lie elsewhere have the address that the document gives them, without fetching any, and those that lie in
 * it a type, whichever way the document says it.
 */
export function addressPictures(word: WordPictures): void {
  const load = word.loadDocumentImage.bind(word)
  word.loadDocumentImage = async (id, part) => {
    const found = (part ?? word.documentPart).rels?.find((relation) => relation.id === id)
    if (found?.targetMode === 'External') return found.target
    const address = await load(id, part)
    const extension = extensionOf(found?.target ?? '')
    return address?.replace(/^data:(?!image\/)[^;,]*/, `data:image/${TYPES[extension] ?? extension}`) ?? null
  }
}

/** Browsers draw no metafiles of Windows. */
const UNKNOWN = /^data:image\/(?:x-)?(?:emf|wmf)/i

/** Says in place of each picture that is not seen why it is not. */
export function captionPictures(root: Element, words: PictureWords): void {
  for (const picture of root.querySelectorAll('img')) {
    const address = picture.getAttribute('src') ?? ''
    const host = /^https?:/i.test(address) ? URL.parse(address)?.host : undefined
    if (host !== undefined) picture.alt = words.elsewhere(host)
    else if (address === '' || UNKNOWN.test(address)) {
      const box = root.ownerDocument.createElement('span')
      box.className = 'picture-missing'
      box.setAttribute('style', picture.getAttribute('style') ?? '')
      box.append(address === '' ? words.missing : words.unknown)
      picture.replaceWith(box)
    }
  }
}
