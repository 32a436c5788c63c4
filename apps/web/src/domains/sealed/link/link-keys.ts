import { type Bytes, parseLinkKey, SealError } from '@dropleaf/seal'

/** Maximum length of a text that can contain a link with its key. */
export const LINK_MAX_LENGTH = 4096

const PROBLEMS = {
  'key.missing': 'missing',
  'key.length': 'length',
  'key.characters': 'characters',
  'key.ending': 'ending',
} as const

export type KeyProblem = 'missing' | 'length' | 'characters' | 'ending' | 'wrong'

/** Returns why a text contains no key. */
export function keyProblemOf(error: unknown): KeyProblem {
  const code = error instanceof SealError ? error.code : ''
  return Object.hasOwn(PROBLEMS, code) ? PROBLEMS[code as keyof typeof PROBLEMS] : 'characters'
}

/**
 * Returns the key in a text that a reader entered. The text is the key itself or a whole link. @throws {SealError}
 */
export function readEnteredKey(text: string): Bytes {
  const mark = text.lastIndexOf('#')
  // A link without a `#` contains no key.
  if (mark === -1 && /^https?:/i.test(text.trim())) throw new SealError('key.missing')
  return parseLinkKey(text.slice(mark + 1))
}

/**
 * Returns the key in the fragment of the URL; `null` if there is no fragment.
 * @throws {SealError} if the fragment does not have the form of a key
 */
export function findAddressKey(fragment: string): Bytes | null {
  return fragment.replace(/^#/, '') === '' ? null : parseLinkKey(fragment)
}
