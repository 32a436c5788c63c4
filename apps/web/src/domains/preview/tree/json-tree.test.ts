import { expect, test } from 'vitest'
import { jsonRows, openAtFirst, parseJson } from './json-tree.ts'

test('expanded values are shown with their content', () => {
  const root = { a: [1, { b: null }], 'c/d': 'x', e: {} }
  const rows = jsonRows(root, new Set(['', '/a']))
  expect(rows.map(({ depth, name, kind, text, isOpen }) => [depth, name, kind, text, isOpen])).toEqual([
    [0, null, 'object', '', true],
    [1, 'a', 'array', '', true],
    [2, '0', 'number', '1', null],
    [2, '1', 'object', '', false],
    [1, 'c/d', 'string', '"x"', null],
    [1, 'e', 'object', '', null],
  ])
  expect(new Set(rows.map(({ id }) => id)).size).toBe(rows.length)
  expect([...openAtFirst(root)]).toEqual(['', '/a'])
  expect([...openAtFirst({ long: Array.from({ length: 1000 }, () => 0) })]).toEqual([''])
})

test('a value of any depth is shown', () => {
  const text = '['.repeat(3000) + ']'.repeat(3000)
  const parsed = parseJson(text, false)
  expect('root' in parsed && jsonRows(parsed.root, new Set(['']))).toHaveLength(2)
})

test('a syntax error is reported with its line and column', () => {
  expect(parseJson('{\n "a": 1,\n "b": }', false)).toEqual({ fault: { line: 3, column: 7 } })
  expect(parseJson('{"a":1}\n{"b":}\n', true)).toMatchObject({ fault: { line: 2 } })
  expect(parseJson('{"a":1}\n\n{"b":2}\n', true)).toEqual({
    root: [{ a: 1 }, { b: 2 }],
    hasRepeated: false,
  })
  const faults = ['{"a": [1, 2', '[1 2]', '{"a" 1}', '[1,]', '{,}', '"a\nb"', '[]]', '{1: 2}', '[tru]', '']
  expect(faults.map((text) => parseJson(text, false))).toEqual(
    [12, 4, 6, 4, 2, 1, 3, 2, 2, 1].map((column) => ({ fault: { line: 1, column } })),
  )
})

test('numbers are shown with their original digits', () => {
  const text = '{"id":12345678901234567890,"price":1.50,"far":1e400,"count":-0,"small":7}'
  const parsed = parseJson(text, false)
  const rows = 'root' in parsed ? jsonRows(parsed.root, new Set([''])) : []
  expect(rows.slice(1).map(({ kind, text: shown }) => [kind, shown])).toEqual(
    ['12345678901234567890', '1.50', '1e400', '-0', '7'].map((number) => ['number', number]),
  )
})

test('names that are repeated in an object are all shown, and marked', () => {
  const text = '{"a": 1, "b": {"x": "a\\":\\\\", "x": [1.50, {"y": null}]}, "a": {"__proto__": 2}, "c": ":"}'
  const parsed = parseJson(text, false)
  expect(parsed).toMatchObject({ hasRepeated: true })
  const root = 'root' in parsed ? parsed.root : null
  const rows = jsonRows(root, openAtFirst(root))
  expect(rows.map(({ depth, name, text: shown, isRepeated }) => [depth, name, shown, isRepeated])).toEqual([
    [0, null, '', false],
    [1, 'a', '1', true],
    [1, 'b', '', false],
    [2, 'x', '"a\\":\\\\"', true],
    [2, 'x', '', true],
    [1, 'a', '', true],
    [2, '__proto__', '2', false],
    [1, 'c', '":"', false],
  ])
  expect(new Set(rows.map(({ id }) => id)).size).toBe(rows.length)
  expect(parseJson('{"a":1}\n{"b":1,"b":2}\n', true)).toMatchObject({ hasRepeated: true })
})

test('JSON syntax within strings does not count as repeated names', () => {
  for (const text of [
    '{"a:b":"c:d"}',
    '[{"a":1},{"a":1}]',
    '{"a":"\\":\\""}',
    '{"n":1.0,"__proto__":{"n":1e2}}',
  ])
    expect(parseJson(text, false)).toMatchObject({ hasRepeated: false })
})
