import { type Bytes, parseLinkKey, SealError } from '@dropleaf/seal'

/** Longest text that is read: a link with its key. */
export const LINK_MAX_LENGTH = 4096

const PROBLEMS = {
  'key.missing': 'missing',
  'key.length': 'length',
  'key.characters': 'characters',
  'key.ending': 'length',
} as const

export type KeyProblem = 'missing' | 'length' | 'characters' | 'wrong'

/** Returns why a text contains no key. */
export function keyProblemOf(error: unknown): KeyProblem {
  const code = error instanceof SealError ? error.code : ''
  return Object.hasOwn(PROBLEMS, code) ? PROBLEMS[code as keyof typeof PROBLEMS] : 'characters'
}

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
