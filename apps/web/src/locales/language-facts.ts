/** Facts about a language that are needed before its texts are loaded. */
export interface LanguageFacts {
  /**
   * BCP 47 tag, and name of the language's folder. Also matches browsers with another tag of the same primary language.
   */
  readonly code: string
  /** Name of the language in the language itself, so that its speakers recognise it. */
  readonly name: string
  /** Formats of month and day. The formats of year and time are the same in all languages. */
  readonly date: Pick<Intl.DateTimeFormatOptions, 'month' | 'day'>
  /** Relative time of less than a minute ago. */
  readonly justNow: string
  /**
   * Integers from 0 up to this limit are written with the digits 0 to 9 and without separators, so the first page can
   * write them without an `Intl` number format. 0 if the language uses other digits.
   */
  readonly plainBelow: number
  /** Whether a space separates words from digits, as in `1 分钟前`. `Intl` omits this space. */
  readonly hasBlankAtDigits: boolean
  /** Language of the emoji names. */
  readonly emojiNames: 'english' | 'chinese'
}
