export interface TextCounts {
  /** Number of words. Each Chinese character and each Japanese kana counts as a word. */
  readonly words: number
  /** Number of graphemes, without line ends. */
  readonly characters: number
}

const SLICE_CHARACTERS = 10_000
const SINGLE = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/gu
/** Matches text in which, with rare exceptions, every grapheme is one UTF-16 unit. */
// oxlint-disable-next-line no-control-regex -- the expression must match the whole range
const SIMPLE = /^[\u0000-\u02ff\u3000-\u9fff\uff00-\uffef]*$/

const wordSegmenter = () => new Intl.Segmenter(undefined, { granularity: 'word' })
const characterSegmenter = () => new Intl.Segmenter(undefined, { granularity: 'grapheme' })

function countWords(text: string, segmenter: Intl.Segmenter): number {
  let count = 0
  for (const { segment, isWordLike } of segmenter.segment(text)) {
    if (isWordLike) count += segment.match(SINGLE)?.length ?? 1
  }
  return count
}

function countCharacters(text: string, segmenter: Intl.Segmenter): number {
  const flat = text.replaceAll(/[\r\n]/g, '')
  if (SIMPLE.test(flat)) return flat.length
  let count = 0
  for (const _ of segmenter.segment(flat)) count += 1
  return count
}

/** Finds the end of a slice: after a line end, otherwise after a space. Without either, the slice can split a word. */
function sliceEnd(text: string, from: number): number {
  const end = from + SLICE_CHARACTERS
  if (end >= text.length) return text.length
  const lineEnd = text.lastIndexOf('\n', end)
  if (lineEnd > from) return lineEnd + 1
  const blank = text.lastIndexOf(' ', end)
  return blank > from ? blank + 1 : end
}

/** Counts in slices, so that the caller can yield to the event loop between two slices. */
export function* countText(text: string): Generator<undefined, TextCounts, undefined> {
  const words = wordSegmenter()
  const characters = characterSegmenter()
  const counts = { words: 0, characters: 0 }
  for (let from = 0; from < text.length;) {
    const to = sliceEnd(text, from)
    const slice = text.slice(from, to)
    counts.words += countWords(slice, words)
    counts.characters += countCharacters(slice, characters)
    from = to
    yield undefined
  }
  return counts
}
