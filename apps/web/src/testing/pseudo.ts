/**
 * A language that nobody speaks, made from the English words: letters with accents, a third longer, in brackets. What is
 * without accents on a screen was not translated, what has lost a bracket was cut off or put together of pieces.
 */

const PLAIN = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ'
const WITH_ACCENTS = [...'áƀçðéƒĝĥíĵķļɱñóþɋŕšţúṽŵẋýžÁƁÇÐÉƑĜĤÍĴĶĻḾÑÓÞɊŔŠŢÚṼŴẊÝŽ']
const ACCENTED: ReadonlyMap<string, string> = new Map(
  [...PLAIN].map((letter, index) => [letter, WITH_ACCENTS[index] ?? letter]),
)

/** What code puts values into or hands on: `{{name}}`, `{name}`, `<b>`, `$t(key)`. */
const KEPT = /(\{\{[^}]*\}\}|\{\w+\}|<\/?\w+\/?>|\$t\([^)]*\))/
const LONGER_BY = 0.35

export const OPENING = '⟦'
export const CLOSING = '⟧'

/** Vowels are doubled, the first ones first, until the text is long enough: words stay words, which break as words do. */
function lengthen(pieces: readonly string[]): string[] {
  const letters = pieces.filter((piece) => !KEPT.test(piece)).join('')
  let missing = Math.ceil(letters.length * LONGER_BY)
  return pieces.map((piece) =>
    KEPT.test(piece)
      ? piece
      : piece.replaceAll(/[aeiouy]/gi, (vowel) => (missing-- > 0 ? vowel + vowel.toLowerCase() : vowel)),
  )
}

export function pseudoText(text: string): string {
  const pieces = lengthen(text.split(KEPT)).map((piece) =>
    KEPT.test(piece) ? piece : [...piece].map((letter) => ACCENTED.get(letter) ?? letter).join(''),
  )
  return OPENING + pieces.join('') + CLOSING
}

/** The same for all texts in an object, however deep. */
export function pseudoWords<Words>(words: Words): Words {
  if (typeof words === 'string') return pseudoText(words) as Words
  if (typeof words !== 'object' || words === null) return words
  return Object.fromEntries(Object.entries(words).map(([key, word]) => [key, pseudoWords(word)])) as Words
}
