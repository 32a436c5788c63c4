/** Matches East Asian characters, which are two columns wide in a monospaced font. */
const WIDE =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\u3000-\u303f\uff00-\uff60]/gu

/** Width of a text in columns. */
export const textWidthOf = (text: string): number => text.length + (text.match(WIDE)?.length ?? 0)
