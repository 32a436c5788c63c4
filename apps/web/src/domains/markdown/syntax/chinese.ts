import type { MarkdownIt, Token } from 'markdown-it'
import friendlyEmphasis from 'markdown-it-cjk-friendly'

/**
 * Scripts that do not use spaces, with their punctuation and full-width characters. Korean is not among them, because
 * it uses spaces.
 */
const WIDE =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Bopomofo}\u3001-\u303F\u30FB\u30FC\uFF01-\uFF60\uFFE0-\uFFE6]/u
/** Punctuation that both Chinese and Latin texts use. */
const EITHER = /[‘’“”…—·]/u

export const isWide = (character: string): boolean => WIDE.test(character)

/** Whether a line end between two characters is rendered without a space. */
export function isJoined(before: string, after: string): boolean {
  const [first, second] = [WIDE.test(before), WIDE.test(after)]
  return (first && (second || EITHER.test(after))) || (second && EITHER.test(before))
}

export const firstCharacter = (text: string): string => String.fromCodePoint(text.codePointAt(0) ?? 0x20)

export function lastCharacter(text: string): string {
  const isPair = /[\uDC00-\uDFFF]$/.test(text)
  return text.slice(isPair ? -2 : -1)
}

const isWithoutText = ({ type, nesting, content }: Token) =>
  nesting !== 0 || (type === 'text' && content === '')

/**
 * Returns the text after a token, or before the token if `step` is -1. Skips opening and closing tokens, such as
 * those of emphasis.
 * @returns a space if the neighbour is not text
 */
function textBeside(tokens: readonly Token[], index: number, step: 1 | -1): string {
  let at = index + step
  while (tokens[at] && isWithoutText(tokens[at]!)) at += step
  return tokens[at]?.type === 'text' ? tokens[at]!.content : ' '
}

/** Hides line ends that are not rendered as spaces. */
export function joinLines(tokens: readonly Token[]): void {
  tokens.forEach((token, index) => {
    if (token.type !== 'softbreak') return
    const before = lastCharacter(textBeside(tokens, index, -1))
    if (isJoined(before, firstCharacter(textBeside(tokens, index, 1)))) token.hidden = true
  })
}

/** Recognises emphasis beside Chinese punctuation, as in `**注意：**正文`. */
export const chineseMarks = friendlyEmphasis

/** Renders a line end between Chinese characters without a space. */
export function chineseLines(markdown: MarkdownIt): void {
  markdown.core.ruler.push('chinese_lines', (state) => {
    for (const { children } of state.tokens) if (children) joinLines(children)
  })
  markdown.renderer.rules['softbreak'] = (tokens, index) => (tokens[index]?.hidden ? '' : '\n')
}
