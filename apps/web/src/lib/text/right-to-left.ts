/** Hebrew, Arabic and the other right-to-left scripts. */
const RIGHT_TO_LEFT = /[\u0590-\u08FF\uFB1D-\uFDFF\uFE70-\uFEFC\u{10800}-\u{10FFF}\u{1E800}-\u{1EFFF}]/u
const LETTER = /\p{L}/u

export const hasRightToLeft = (text: string): boolean => RIGHT_TO_LEFT.test(text)

/** Whether the first letter of a text is right-to-left. */
export const isRightToLeft = (text: string): boolean => RIGHT_TO_LEFT.test(LETTER.exec(text)?.[0] ?? '')

/** Direction of a text that is truncated at its end. */
export const directionOf = (text: string): 'rtl' | 'ltr' => (isRightToLeft(text) ? 'rtl' : 'ltr')

const RUNS = new RegExp(
  `${RIGHT_TO_LEFT.source}(?:[^\\p{L}]*${RIGHT_TO_LEFT.source})*|(?:(?!${RIGHT_TO_LEFT.source})[^])+`,
  'gu',
)

const LTR_LETTER = String.raw`(?!${RIGHT_TO_LEFT.source})\p{L}`
const NUMBER = String.raw`\p{N}+(?:[.,:/+-]\p{N}+)*`

/**
 * Matches a left-to-right word with its punctuation, or a number, within right-to-left text. The match is one group for
 * `split`.
 */
export const LTR_RUN = new RegExp(
  `((?:${NUMBER})?${LTR_LETTER}(?:(?:(?!${RIGHT_TO_LEFT.source})[^])*(?!${RIGHT_TO_LEFT.source})[\\p{L}\\p{N}])?|${NUMBER})`,
  'u',
)

/** Splits a text into runs of one direction. */
export const partsByDirection = (
  text: string,
): readonly { readonly text: string; readonly isRightToLeft: boolean }[] =>
  (text.match(RUNS) ?? []).map((part) => ({ text: part, isRightToLeft: RIGHT_TO_LEFT.test(part) }))
