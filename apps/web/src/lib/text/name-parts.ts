import { hasRightToLeft, isRightToLeft, LTR_RUN } from './right-to-left.ts'
import { showInvisible } from './invisible-characters.ts'

/** Room of letters before the last dot that stay with it, and of a name without one. */
const END_LETTERS = 6
/** A longer end is no kind of file. */
const KIND_LETTERS = 8
/** What is cut away of a shorter name is hardly more than the dots that say so. */
const LEAST_LETTERS = 20
/** More than these need the room of the beginning. */
const MOST_LETTERS = 24
/** They take the room of two. */
const WIDE =
  /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\u3000-\u303F\uFF00-\uFF60]/u
/** It stands on the letter before it. */
const ATTACHED = /^[\p{M}\u200D\p{Emoji_Modifier}]/u
/** Between letters that are joined. */
const BETWEEN_WORDS = /(?![\p{L}\p{M}\p{N}\u200C\u200D])/u
/** It stands at the end of a name that runs from the left, whatever is before it. */
const LATIN_KIND = /^\.\p{Script=Latin}/u

const roomOf = (letters: readonly string[]) =>
  letters.reduce((room, letter) => room + (WIDE.test(letter) ? 2 : 1), 0)

/**
 * Splits a name in two, the first of which may be cut: names with the same start differ in their end, which contains
 * the file type.
 * @returns `null` for a short name, or if the parts would not be displayed in order
 */
export function partsOfLongName(name: string): readonly [start: string, end: string] | null {
  const letters = [...name]
  if (roomOf(letters) < LEAST_LETTERS || showInvisible(name) !== name) return null
  const dot = letters.lastIndexOf('.')
  const isKind = dot > 0 && letters.length - dot <= KIND_LETTERS
  const kind = isKind ? letters.slice(dot).join('') : ''
  if (isRightToLeft(name)) return partsFromRight(name, kind)
  if (hasRightToLeft(name)) return LATIN_KIND.test(kind) ? [name.slice(0, -kind.length), kind] : null
  const kindAt = isKind ? dot : letters.length
  let at = kindAt
  while (at > 0 && roomOf(letters.slice(at - 1, kindAt)) <= END_LETTERS) at -= 1
  while (at > 0 && (ATTACHED.test(letters[at] ?? '') || letters[at - 1] === '\u200D')) at -= 1
  return at > 0 ? [letters.slice(0, at).join(''), letters.slice(at).join('')] : null
}

/** Neither a word nor what runs the other way is parted. */
function partsFromRight(name: string, kind: string): readonly [start: string, end: string] | null {
  const words = piecesOfName(name).flatMap(({ text, isWhole }) =>
    isWhole ? [text] : text.split(BETWEEN_WORDS),
  )
  let end = ''
  for (const word of words.toReversed()) {
    const isEnough = end.length >= kind.length
    if (isEnough && word.length + end.length > END_LETTERS + kind.length) break
    end = word + end
  }
  const isPart = end !== '' && end !== name && end.length <= MOST_LETTERS
  return isPart ? [name.slice(0, -end.length), end] : null
}

/**
 * A name that runs from the right, in pieces. What runs from the left in it would be cut at its beginning, which makes another
 * number of it: it is shown whole or not at all.
 * @returns one piece for every other name
 */
export function piecesOfName(name: string): readonly { readonly text: string; readonly isWhole: boolean }[] {
  if (!isRightToLeft(name) || showInvisible(name) !== name) return [{ text: name, isWhole: false }]
  return name
    .split(LTR_RUN)
    .map((text, index) => ({ text, isWhole: index % 2 === 1 && text.length <= MOST_LETTERS }))
    .filter(({ text }) => text !== '')
}
