const QUOTE = 0x22
const BACKSLASH = 0x5c
const COMMA = 0x2c
const OPENING = new Set([0x5b, 0x7b])
const CLOSING = new Set([0x5d, 0x7d])

/** Our own requests have five levels. */
export const JSON_MAX_DEPTH = 64
/** The largest request of ours, which names ten thousand files to be copied, has half as many. */
export const JSON_MAX_VALUES = 200_000

/**
 * Follows a text of JSON as its bytes come, without parsing it: a text of a megabyte that is nothing but brackets costs a parser
 * half a second, and hundreds of times its size in memory.
 * @returns what takes the pieces in their order, and says what there is too much of: levels of nesting or values.
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
      else if (OPENING.has(byte)) {
        depth += 1
        values += 1
        if (depth > JSON_MAX_DEPTH) return 'depth'
      } else if (CLOSING.has(byte)) depth -= 1
    }
    return values > JSON_MAX_VALUES ? 'values' : null
  }
}

/**
 * Parses a text of JSON that is not nested too deep, nor has too many values: the look beforehand costs a hundredth of what a
 * parser would take for such a text.
 * @throws {SyntaxError}
 */
export function parseMeasured(text: string): unknown {
  const excess = createJsonGauge()(Buffer.from(text))
  if (excess !== null)
    throw new SyntaxError(`The JSON has too many ${excess === 'depth' ? 'levels' : 'values'}.`)
  return JSON.parse(text)
}
