import { extensionOf } from '../kinds/file-kind.ts'

/** A part of a document with its relationships. */
interface Part {
  readonly rels?: readonly { readonly id: string; readonly target: string; readonly targetMode?: string }[]
}

/** The fields of the converter's types that this module uses. */
export interface WordPictures {
  readonly documentPart: Part
  loadDocumentImage: (id: string, part?: Part) => Promise<string | null>
}

/** Texts shown in place of images. */
export interface PictureWords {
  /** For an image from another site that is not loaded yet. */
  readonly elsewhere: (host: string) => string
  /** For an image that is neither in the file nor has a usable URL. */
  readonly missing: string
  /** For an image in a format that browsers do not support. */
  readonly unknown: string
}

/** Copies the IDs of linked images to the attribute that the converter reads. */
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
 * Sets the URL of linked images without loading the images, and the media type of embedded images.
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

/** Matches Windows metafiles. */
const UNKNOWN = /^data:image\/(?:x-)?(?:emf|wmf)/i

/** Shows a text with the reason in place of each image that cannot be shown. */
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
