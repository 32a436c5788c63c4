import { expect, test } from 'vitest'
import { createJsonGauge, JSON_MAX_DEPTH, JSON_MAX_VALUES, parseMeasured } from './json-gauge.ts'

const nested = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`

/** Returns what the gauge reports for a text that arrives in pieces of this size. */
function gauged(text: string, pieceBytes = 7): string | null {
  const gauge = createJsonGauge()
  const bytes = Buffer.from(text)
  for (let start = 0; start < bytes.length; start += pieceBytes) {
    const excess = gauge(bytes.subarray(start, start + pieceBytes))
    if (excess !== null) return excess
  }
  return null
}

test.each([1, 2, 7, 100_000])('nesting is counted across pieces of %i bytes', (pieceBytes) => {
  expect(gauged(nested(JSON_MAX_DEPTH), pieceBytes)).toBeNull()
  expect(gauged(nested(JSON_MAX_DEPTH + 1), pieceBytes)).toBe('depth')
  expect(gauged('{"a":'.repeat(JSON_MAX_DEPTH + 1), pieceBytes)).toBe('depth')
})

test('brackets within strings do not count, with every escape sequence', () => {
  const brackets = '['.repeat(1000)
  for (const text of [
    JSON.stringify({ content: brackets }),
    JSON.stringify({ content: `"${brackets}` }),
    JSON.stringify({ content: `\\"\\\\${brackets}` }),
    JSON.stringify({ [brackets]: `é😀${brackets}\\` }),
  ])
    for (const pieceBytes of [1, 3, 64]) expect([text, gauged(text, pieceBytes)]).toEqual([text, null])
  expect(gauged(`{"a":"\\\\",${brackets}`)).toBe('depth')
})

test('sibling values do not count as nesting, but their number is limited', () => {
  expect(gauged(`[${'[],'.repeat(1000)}[]]`)).toBeNull()
  expect(gauged(`[${'0,'.repeat(JSON_MAX_VALUES)}0]`, 64 * 1024)).toBe('values')
  expect(gauged(`"${','.repeat(JSON_MAX_VALUES * 2)}"`, 64 * 1024)).toBeNull()
})

test('a text that is too deep, or has too many values, is refused before it is parsed', () => {
  expect(parseMeasured('{"a":[1,"]]]["]}')).toEqual({ a: [1, ']]]['] })
  expect(parseMeasured(`${'['.repeat(64)}${']'.repeat(64)}`)).toHaveLength(1)
  expect(() => parseMeasured('['.repeat(65) + ']'.repeat(65))).toThrow('too many levels')
  expect(() => parseMeasured(`[${'0,'.repeat(200_000)}0]`)).toThrow('too many values')
})
