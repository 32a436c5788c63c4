import { type DelimiterType, InlineContext, type InlineParser, type MarkdownConfig } from '@lezer/markdown'
import { isWide } from '../../markdown/syntax/chinese.ts'

const ASTERISK = 0x2a
const TILDE = 0x7e
const PUNCTUATION = /[\p{S}\p{P}]/u
const BLANK = /^\s?$/

const strike: DelimiterType = { resolve: 'Strikethrough', mark: 'StrikethroughMark' }

interface Sides {
  readonly canOpen: boolean
  readonly canClose: boolean
  readonly isBesideChinese: boolean
}

/**
 * Decides whether a delimiter run can open or close emphasis. Follows CommonMark, except that Chinese characters need
 * no space beside punctuation.
 */
function sidesOf(cx: InlineContext, from: number, to: number): Sides {
  const [before, after] = [cx.slice(from - 1, from), cx.slice(to, to + 1)]
  const isBesideChinese = isWide(before) || isWide(after)
  const isFree = (side: string, other: string) =>
    isBesideChinese || !PUNCTUATION.test(side) || BLANK.test(other) || PUNCTUATION.test(other)
  return {
    canOpen: !BLANK.test(after) && isFree(after, before),
    canClose: !BLANK.test(before) && isFree(before, after),
    isBesideChinese,
  }
}

const emphasis: InlineParser = {
  name: 'ChineseEmphasis',
  before: 'Emphasis',
  parse: (cx, next, from) => {
    if (next !== ASTERISK) return -1
    let to = from + 1
    while (cx.char(to) === next) to += 1
    const { canOpen, canClose, isBesideChinese } = sidesOf(cx, from, to)
    return isBesideChinese ? cx.addDelimiter(InlineContext.emphasisAsterisk, from, to, canOpen, canClose) : -1
  },
}

const strikethrough: InlineParser = {
  name: 'Strikethrough',
  after: 'Emphasis',
  parse: (cx, next, from) => {
    const isPair = next === TILDE && cx.char(from + 1) === TILDE && cx.char(from + 2) !== TILDE
    if (!isPair) return -1
    const { canOpen, canClose } = sidesOf(cx, from, from + 2)
    return cx.addDelimiter(strike, from, from + 2, canOpen, canClose)
  },
}

/** Makes the source highlighting recognise emphasis and strikethrough beside Chinese characters and punctuation. */
export const chineseSource: MarkdownConfig = { parseInline: [emphasis, strikethrough] }
