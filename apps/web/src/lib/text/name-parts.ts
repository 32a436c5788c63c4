import { hasRightToLeft, isRightToLeft, LTR_RUN } from './right-to-left.ts'
import { showInvisible } from './invisible-characters.ts'

/** Width of the characters at the end that are never truncated, not counting the extension. */
const END_LETTERS = 6
/** Maximum length of an extension; a longer suffix is part of the name. */
const KIND_LETTERS = 8
/** Shorter names are not truncated, because truncation would save no space. */
const LEAST_LETTERS = 20
/** Maximum width of the end; a longer end would leave no space for the start. */
const MOST_LETTERS = 24
/** Characters that are two columns wide. */
const WIDE =
  /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\u3000-\u303F\uFF00-\uFF60]/u
/** Characters that combine with the previous character. */
const ATTACHED = /^[\p{M}\u200D\p{Emoji_Modifier}]/u
/** A position where a name can be cut: not between joined letters or digits. */
const BETWEEN_WORDS = /(?![\p{L}\p{M}\p{N}\u200C\u200D])/u
/** An extension in Latin script, for names that start left to right. */
const LATIN_KIND = /^\.\p{Script=Latin}/u

const roomOf = (letters: readonly string[]) =>
  letters.reduce((room, letter) => room + (WIDE.test(letter) ? 2 : 1), 0)

/**
 * Splits a name into a start that can be truncated and a fixed end. The end is fixed, because it contains the
 * extension, and similar names differ at their ends.
 * @returns `null` for a short name, or if the parts would be displayed in another order
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

/** Splits a right-to-left name. Does not cut words or left-to-right runs. */
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
 * Splits a right-to-left name into pieces. A left-to-right run is shown completely or not at all, because a run that is
 * truncated at its start could show another number.
 * @returns a single piece for any other name
 */
export function piecesOfName(name: string): readonly { readonly text: string; readonly isWhole: boolean }[] {
  if (!isRightToLeft(name) || showInvisible(name) !== name) return [{ text: name, isWhole: false }]
  return name
    .split(LTR_RUN)
    .map((text, index) => ({ text, isWhole: index % 2 === 1 && text.length <= MOST_LETTERS }))
    .filter(({ text }) => text !== '')
}
