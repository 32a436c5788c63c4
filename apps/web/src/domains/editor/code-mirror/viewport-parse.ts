import { ParseContext } from '@codemirror/language'
import { type ParseWrapper, type PartialParse, Tree } from '@lezer/common'

/** How many characters below the viewport are parsed. */
const AHEAD_CHARACTERS = 15_000

interface Place {
  readonly end: number
  readonly length: number
  readonly context: ParseContext
}

/** Parses up to `end` but returns a tree of full length. CodeMirror parses the rest when it becomes visible. */
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

  /** CodeMirror calls this to end the parse early, for example at its time limit. */
  stopAt(at: number): void {
    if (at >= this.#place.end) return
    this.stoppedAt = at
    this.#parse.stopAt(at)
  }
}

/**
 * Limits parsing to the viewport. Without this limit, CodeMirror parses the text again on each key press, up to the
 * furthest position that it has parsed before.
 */
export const parseViewport: ParseWrapper = (parse, input) => {
  const context = ParseContext.get()
  const end = (context?.viewport.to ?? input.length) + AHEAD_CHARACTERS
  return context && end < input.length
    ? new ViewportParse(parse, { end, length: input.length, context })
    : parse
}
