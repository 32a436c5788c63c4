/**
 * A pseudo-language that is generated from English: accented characters, a third longer, in brackets. Text without
 * accents was not translated. Text without a closing bracket was truncated or concatenated.
 */

const PLAIN = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ'
const WITH_ACCENTS = [...'áƀçðéƒĝĥíĵķļɱñóþɋŕšţúṽŵẋýžÁƁÇÐÉƑĜĤÍĴĶĻḾÑÓÞɊŔŠŢÚṼŴẊÝŽ']
const ACCENTED: ReadonlyMap<string, string> = new Map(
  [...PLAIN].map((letter, index) => [letter, WITH_ACCENTS[index] ?? letter]),
)

/** Parts that must not change: `{{name}}`, `{name}`, `<b>`, `$t(key)`. */
const KEPT = /(\{\{[^}]*\}\}|\{\w+\}|<\/?\w+\/?>|\$t\([^)]*\))/
const LONGER_BY = 0.35

export const OPENING = '⟦'
export const CLOSING = '⟧'

/** Doubles vowels from the start until the text is long enough. Line breaks between words then still work. */
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

/** Converts all texts of an object recursively. */
export function pseudoWords<Words>(words: Words): Words {
  if (typeof words === 'string') return pseudoText(words) as Words
  if (typeof words !== 'object' || words === null) return words
  return Object.fromEntries(Object.entries(words).map(([key, word]) => [key, pseudoWords(word)])) as Words
}
