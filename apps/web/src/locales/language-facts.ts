/** What code asks of a language before its words have come. */
export interface LanguageFacts {
  /** BCP 47; also the name of its folder. Browsers of the same primary language start with it. */
  readonly code: string
  /** Its own name for itself, so that it is found from every other one. */
  readonly name: string
  /** How a date is written beside year and time. */
  readonly date: Pick<Intl.DateTimeFormatOptions, 'month' | 'day'>
  /** Said of what happened less than a minute ago. */
  readonly justNow: string
  /**
   * Whole numbers from 0 to below this are written with the digits 0 to 9 alone, which spares a browser reading what it knows of
   * numbers before the first page is there. 0 where other digits are used.
   */
  readonly plainBelow: number
  /** Whether a blank parts words from digits, which `Intl` leaves out: `1 分钟前`. */
  readonly hasBlankAtDigits: boolean
  /** In which of the languages that they have, emoji are named. */
  readonly emojiNames: 'english' | 'chinese'
}
