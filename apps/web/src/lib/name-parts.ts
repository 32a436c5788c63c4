import { hasRightToLeft } from './right-to-left.ts'
import { showUnseen } from './unseen-letters.ts'

/** Letters before the last dot that stay with it, and of a name without one. */
const END_LETTERS = 6
/** A longer end is no kind of file. */
const KIND_LETTERS = 8
/** What is cut away of a shorter name is hardly more than the dots that say so. */
const LEAST_LETTERS = 20
/** It stands on the letter before it. */
const ATTACHED = /^[\p{M}\u200D\p{Emoji_Modifier}]/u

/**
 * A name in two parts, the first of which may be cut where there is no room: names that begin alike are told apart by their
 * ends, and the kind of a file is there.
 * @returns `null` for a name that is short, or whose parts would not stand in the order of the whole
 */
export function partsOfLongName(name: string): readonly [start: string, end: string] | null {
  const letters = [...name]
  if (letters.length < LEAST_LETTERS || hasRightToLeft(name) || showUnseen(name) !== name) return null
  const dot = letters.lastIndexOf('.')
  const isKind = dot > 0 && letters.length - dot <= KIND_LETTERS
  let at = (isKind ? dot : letters.length) - END_LETTERS
  while (at > 0 && (ATTACHED.test(letters[at] ?? '') || letters[at - 1] === '\u200D')) at -= 1
  return at > 0 ? [letters.slice(0, at).join(''), letters.slice(at).join('')] : null
}
