export interface SourceHeading {
  readonly level: number
  readonly text: string
  /** Line number, starting at 1. */
  readonly line: number
}

const ATX = /^ {0,3}(#{1,6})(?:[ \t]+(.*?))?(?:[ \t]+#+)?[ \t]*$/
const FENCE = /^ {0,3}(`{3,}|~{3,})(.*)$/
const UNDERLINE = /^ {0,3}(=+|-+)[ \t]*$/
/**
 * Matches a line that is not part of a paragraph, such as a list item. Only a paragraph becomes a heading when a row of
 * `-` or `=` follows.
 */
const OTHER_BLOCK = /^(?: {4}|\t|\s*$| {0,3}(?:>|#{1,6}(?:\s|$)|[-*+][ \t]|\d{1,9}[.)][ \t]|\|))/

const plain = (text: string) =>
  text
    .replaceAll(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll(/(\*\*|__|~~|==|`)(.+?)\1/g, '$2')
    .replaceAll(/(?<![\p{L}\p{N}])([*_])(.+?)\1(?![\p{L}\p{N}])/gu, '$2')
    .replaceAll(/\\([!-/:-@[-`{-~])/g, '$1')
    .trim()

function frontMatterEnd(lines: readonly string[]): number {
  if (lines[0]?.trimEnd() !== '---') return 0
  const end = lines.findIndex((line, index) => index > 0 && /^(?:---|\.\.\.)\s*$/.test(line))
  return end === -1 ? 0 : end + 1
}

/**
 * Returns the headings of a text, except those in quotes and lists. Ignores lines in code blocks that look like
 * headings.
 */
export function headingsOf(text: string): readonly SourceHeading[] {
  const lines = text.split(/\r\n?|\n/)
  const headings: SourceHeading[] = []
  let fence: string | null = null
  for (let index = frontMatterEnd(lines); index < lines.length; index += 1) {
    const line = lines[index] ?? ''
    const mark = FENCE.exec(line)
    if (fence !== null) {
      const isEnd = mark?.[1]?.startsWith(fence) && mark[2]?.trim() === ''
      if (isEnd) fence = null
      continue
    }
    if (mark?.[1] && !(mark[1].startsWith('`') && mark[2]?.includes('`'))) {
      fence = mark[1]
      continue
    }
    const heading = ATX.exec(line)
    if (heading?.[1]) {
      headings.push({ level: heading[1].length, text: plain(heading[2] ?? ''), line: index + 1 })
      continue
    }
    const underline = UNDERLINE.exec(line)?.[1]
    const above = lines[index - 1] ?? ''
    if (underline && index > 0 && !OTHER_BLOCK.test(above)) {
      headings.push({ level: underline.startsWith('=') ? 1 : 2, text: plain(above), line: index })
    }
  }
  return headings
}
