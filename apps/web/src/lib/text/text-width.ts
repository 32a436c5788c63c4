/** Letters of Chinese, Japanese and Korean take two places of a fixed-width font. */
const WIDE =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\u3000-\u303f\uff00-\uff60]/gu

/** How many places a text takes. */
export const textWidthOf = (text: string): number => text.length + (text.match(WIDE)?.length ?? 0)
