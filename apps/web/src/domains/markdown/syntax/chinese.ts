import type { MarkdownIt, Token } from 'markdown-it'
import friendlyEmphasis from 'markdown-it-cjk-friendly'

/** Scripts that write no blanks, with their punctuation and letters of full width. Korean has blanks. */
const WIDE =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Bopomofo}\u3001-\u303F\u30FB\u30FC\uFF01-\uFF60\uFFE0-\uFFE6]/u
/** They stand in texts of any script. */
const EITHER = /[‘’“”…—·]/u

export const isWide = (character: string): boolean => WIDE.test(character)

/** Whether the end of a line between the two characters is no blank. */
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

/** The text that is next to a token, marks between them aside. */
function textBeside(tokens: readonly Token[], index: number, step: 1 | -1): string {
  let at = index + step
  while (tokens[at] && isWithoutText(tokens[at]!)) at += step
  return tokens[at]?.type === 'text' ? tokens[at]!.content : ' '
}

/** Marks the ends of lines that are no blanks as hidden. */
export function joinLines(tokens: readonly Token[]): void {
  tokens.forEach((token, index) => {
    if (token.type !== 'softbreak') return
    const before = lastCharacter(textBeside(tokens, index, -1))
    if (isJoined(before, firstCharacter(textBeside(tokens, index, 1)))) token.hidden = true
  })
}

/** Marks beside Chinese punctuation are marks: `**注意：**正文`. */
export const chineseMarks = friendlyEmphasis

/** No blank stands where a line ends between Chinese characters. */
export function chineseLines(markdown: MarkdownIt): void {
  markdown.core.ruler.push('chinese_lines', (state) => {
    for (const { children } of state.tokens) if (children) joinLines(children)
  })
  markdown.renderer.rules['softbreak'] = (tokens, index) => (tokens[index]?.hidden ? '' : '\n')
}
