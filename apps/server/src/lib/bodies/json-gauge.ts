const QUOTE = 0x22
const BACKSLASH = 0x5c
const COMMA = 0x2c
const OPENING_BRACKET = 0x5b
const CLOSING_BRACKET = 0x5d
const OPENING_BRACE = 0x7b
const CLOSING_BRACE = 0x7d

/** Maximum nesting depth. Our own requests have five levels. */
export const JSON_MAX_DEPTH = 64
/**
 * Maximum number of values: more than twice as many as in our largest request, which publishes a bundle of ten thousand
 * references.
 */
export const JSON_MAX_VALUES = 200_000

/**
 * Measures JSON as its bytes arrive, without parsing it. For a megabyte of brackets, a parser needs far more time and
 * memory than for other JSON of this size.
 * @returns a function that takes the chunks in order and returns which limit is exceeded: nesting depth or number of
 * values; `null` if none
 */
export function createJsonGauge(): (chunk: Uint8Array) => 'depth' | 'values' | null {
  let isInString = false
  let isEscaped = false
  let depth = 0
  let values = 1
  return (chunk) => {
    for (const byte of chunk) {
      if (isEscaped) isEscaped = false
      else if (isInString) {
        if (byte === BACKSLASH) isEscaped = true
        else if (byte === QUOTE) isInString = false
      } else if (byte === QUOTE) isInString = true
      else if (byte === COMMA) values += 1
      else if (byte === OPENING_BRACKET || byte === OPENING_BRACE) {
        depth += 1
        values += 1
        if (depth > JSON_MAX_DEPTH) return 'depth'
      } else if (byte === CLOSING_BRACKET || byte === CLOSING_BRACE) depth -= 1
    }
    return values > JSON_MAX_VALUES ? 'values' : null
  }
}

/** Parses JSON after checking its depth and number of values. @throws {SyntaxError} */
export function parseMeasured(text: string): unknown {
  const excess = createJsonGauge()(Buffer.from(text))
  if (excess !== null)
    throw new SyntaxError(`The JSON has too many ${excess === 'depth' ? 'levels' : 'values'}.`)
  return JSON.parse(text)
}
