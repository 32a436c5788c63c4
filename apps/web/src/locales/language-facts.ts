/** Facts about a language that are needed before its texts are loaded. */
export interface LanguageFacts {
  /** BCP 47; also the name of its folder. Matches browsers with the same primary language. */
  readonly code: string
  /** Its own name, so that its speakers find it in every language. */
  readonly name: string
  /** The date format beside year and time. */
  readonly date: Pick<Intl.DateTimeFormatOptions, 'month' | 'day'>
  /** Relative time of less than a minute ago. */
  readonly justNow: string
  /**
   * Integers below this have only the digits 0 to 9, so that the first page needs no `Intl` number format. 0 if other
   * digits are used.
   */
  readonly plainBelow: number
  /** Whether a space separates words from digits, which `Intl` omits: `1 分钟前`. */
  readonly hasBlankAtDigits: boolean
  /** Which emoji names to use. */
  readonly emojiNames: 'english' | 'chinese'
}
