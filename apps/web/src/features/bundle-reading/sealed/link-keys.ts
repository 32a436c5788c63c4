import { type Bytes, parseLinkKey, SealError } from '@dropleaf/seal'

/** The key in a text that a reader entered: the key itself, or a whole link. @throws {SealError} */
export function readEnteredKey(text: string): Bytes {
  const mark = text.lastIndexOf('#')
  // A link without its key has neither the mark nor the characters of a key.
  if (mark === -1 && /^https?:/i.test(text.trim())) throw new SealError('key.missing')
  return parseLinkKey(text.slice(mark + 1))
}

/**
 * Returns the key in the address bar; `null` without one. A heading of a page is no key.
 * @throws {SealError} for a key that was cut or changed
 */
export function findAddressKey(fragment: string): Bytes | null {
  return fragment.replace(/^#/, '') === '' ? null : parseLinkKey(fragment)
}
