/* oxlint-disable no-control-regex -- JSON strings must not contain them */
/** Matches a punctuation mark, string, number or word, with preceding white space. */
export const JSON_TOKEN =
  /[ \t\r\n]*(?:([{}[\],:])|("(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*")|(-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null))/y
/* oxlint-enable no-control-regex */

type Place = 'value' | 'first' | 'name' | 'firstName' | 'colon' | 'after'

/**
 * Checks which tokens are allowed inside the open containers. Stores the open containers in an array, because their
 * nesting can be deeper than the call stack.
 */
class Grammar {
  readonly #open: ('{' | '[')[] = []
  place: Place = 'value'

  /** @returns whether the token is allowed at this position */
  take(sign: string | undefined, isText: boolean): boolean {
    if (sign === undefined) return this.#takeValue(isText)
    if (sign === '{' || sign === '[') return this.#takeOpening(sign)
    if (sign === '}' || sign === ']') return this.#takeClosing(sign)
    if (sign === ':' && this.place === 'colon') {
      this.place = 'value'
      return true
    }
    if (sign !== ',' || this.place !== 'after' || this.#open.length === 0) return false
    this.place = this.#open.at(-1) === '{' ? 'name' : 'value'
    return true
  }

  get isEnded(): boolean {
    return this.place === 'after' && this.#open.length === 0
  }

  #takeValue(isText: boolean): boolean {
    if (this.place === 'name' || this.place === 'firstName') {
      this.place = 'colon'
      return isText
    }
    if (this.place !== 'value' && this.place !== 'first') return false
    this.place = 'after'
    return true
  }

  #takeOpening(sign: '{' | '['): boolean {
    if (this.place !== 'value' && this.place !== 'first') return false
    this.#open.push(sign)
    this.place = sign === '{' ? 'firstName' : 'first'
    return true
  }

  #takeClosing(sign: '}' | ']'): boolean {
    const opening = sign === '}' ? '{' : '['
    const isEmpty = this.place === (sign === '}' ? 'firstName' : 'first')
    if (this.#open.at(-1) !== opening || (this.place !== 'after' && !isEmpty)) return false
    this.#open.pop()
    this.place = 'after'
    return true
  }
}

/**
 * Returns the offset at which a text stops being valid JSON. Returns the length of the text if the text is valid or
 * lacks only further tokens. Not all browsers report this position.
 */
export function findJsonFault(text: string): number {
  const grammar = new Grammar()
  JSON_TOKEN.lastIndex = 0
  let position = 0
  for (;;) {
    const match = JSON_TOKEN.exec(text)
    const skipped = /[ \t\r\n]*/y
    skipped.lastIndex = position
    skipped.exec(text)
    const start = skipped.lastIndex
    if (!match || !grammar.take(match[1], match[2] !== undefined)) return start
    position = JSON_TOKEN.lastIndex
    if (grammar.isEnded && text.slice(position).trim() === '') return text.length
  }
}
