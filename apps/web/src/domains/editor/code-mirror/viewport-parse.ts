import { ParseContext } from '@codemirror/language'
import { type ParseWrapper, type PartialParse, Tree } from '@lezer/common'

/** So far below what is seen a text is read. */
const AHEAD_CHARACTERS = 15_000

interface Place {
  readonly end: number
  /** Of the whole text. */
  readonly length: number
  readonly context: ParseContext
}

/** Reads as far as to `end`, and says that this was all: what comes after it is asked for when it is seen. */
class ViewportParse implements PartialParse {
  readonly #parse: PartialParse
  readonly #place: Place
  stoppedAt: number | null = null

  constructor(parse: PartialParse, place: Place) {
    this.#parse = parse
    this.#place = place
    parse.stopAt(place.end)
  }

  get parsedPos() {
    return this.#parse.parsedPos
  }

  advance(): Tree | null {
    const { length, context } = this.#place
    const tree = this.#parse.advance()
    if (!tree || this.stoppedAt !== null || tree.length >= length) return tree
    context.skipUntilInView(tree.length, length)
    return new Tree(tree.type, tree.children, tree.positions, length, tree.propValues)
  }

  /** By who has no more time. */
  stopAt(at: number): void {
    if (at >= this.#place.end) return
    this.stoppedAt = at
    this.#parse.stopAt(at)
  }
}

/**
 * An editor goes through its text with every key, as far as it has read it before: that is not to be far beyond the screen.
 */
export const parseViewport: ParseWrapper = (parse, input) => {
  const context = ParseContext.get()
  const end = (context?.viewport.to ?? input.length) + AHEAD_CHARACTERS
  return context && end < input.length
    ? new ViewportParse(parse, { end, length: input.length, context })
    : parse
}
