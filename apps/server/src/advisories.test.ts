import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const PAGE = fileURLToPath(new URL('../../../docs/advisories.md', import.meta.url))
const DOCS = new URL('../../../docs/', import.meta.url)

interface Row {
  readonly cells: readonly string[]
  readonly path: string
  readonly title: string
}

/** The last cell of a row: a link to a file of tests, and the title of one of them. */
function rowOf(line: string): Row | null {
  const cells = line
    .split('|')
    .slice(1, -1)
    .map((cell) => cell.trim())
  const [, path, title] = /^\[[^\]]+\]\(([^)]+)\): (.+)$/.exec(cells.at(-1) ?? '') ?? []
  return path === undefined || title === undefined ? null : { cells, path, title }
}

const lines = readFileSync(PAGE, 'utf8').split('\n')
const rows = lines.map(rowOf).filter((row) => row !== null)
const published = rows.filter(({ cells }) => cells.length === 4)

/** What leaves a test out, whatever there is. What asks for a service first is another matter. */
const NEVER = /\.(?:skip|todo|fixme)\b|\bskipIf\(\s*true\b|\brunIf\(\s*false\b|\bif \(false\)|\bskip: true\b/
const indentOf = (line: string) => line.length - line.trimStart().length
const isRest = (line: string) => /^\s*[\])}]/.test(line)

/** Where the statement begins that a line ends the head of, in formatted source. */
function beginOf(source: readonly string[], end: number): number {
  let at = end
  while (at > 0 && isRest(source[at] ?? '')) {
    const indent = indentOf(source[at] ?? '')
    at -= 1
    while (at > 0 && (source[at] === '' || indentOf(source[at] ?? '') > indent)) at -= 1
  }
  return at
}

/** What is begun around a line and not yet ended: the head of each. */
function headsAround(source: readonly string[], line: number): string[] {
  const heads: string[] = []
  let indent = indentOf(source[line] ?? '')
  for (let at = line - 1; at >= 0 && indent > 0; at -= 1) {
    const one = source[at] ?? ''
    if (one === '' || indentOf(one) >= indent) continue
    indent = indentOf(one)
    const begin = beginOf(source, at)
    heads.push(source.slice(begin, at + 1).join('\n'))
    at = begin
  }
  return heads
}

/** Whether formatted source runs a test of that title; it may ask first for what the test needs. */
function runsTest(text: string, title: string): boolean {
  const source = text
    .replaceAll(/^\s*\/\*[^]*?\*\//gm, '')
    .split('\n')
    .filter((line) => !line.trimStart().startsWith('//'))
  return source.some((line, at) => {
    const column = ["'", '"', '`']
      .map((quote) => line.indexOf(`${quote}${title}${quote},`))
      .find((n) => n >= 0)
    if (column === undefined) return false
    // A title that does not fit beside its test stands below it.
    const end = line.slice(0, column).trim() === '' ? at - 1 : at
    const begin = beginOf(source, end)
    const head = [...source.slice(begin, at), line.slice(0, column)].join('\n')
    const options =
      source
        .slice(at, at + 3)
        .join('\n')
        .slice(column)
        .split('=>')[0] ?? ''
    return (
      /^\s*test(?:\.(?:each|skipIf|runIf)\([^]*\))?\(\s*$/.test(head) &&
      ![head, options.replaceAll(title, ''), ...headsAround(source, begin)].some((part) => NEVER.test(part))
    )
  })
}

function hasTest(path: string, title: string): boolean {
  const file = fileURLToPath(new URL(path, DOCS))
  return existsSync(file) && runsTest(readFileSync(file, 'utf8'), title)
}

test.each([
  ["test('it', () => {", true],
  ["test.skipIf(gateway === null)('it', () => {", true],
  ["test.skipIf(isOfOne).each(CHANGES)(\n  'it',", true],
  ["test.each([\n  ['a', 1],\n  ['b', 2],\n])('it', () => {", true],
  ["describe.skipIf(inject('s3Gateway') === null)('all', () => {\n\n  test('it', () => {", true],
  ["describe.skip('other', () => {\n  test('a', () => {})\n})\n\ntest('it', () => {", true],
  ["test.skip('a', () => {\n  b()\n})\ntest(\n  'it',", true],
  ["// test('it', () => {", false],
  ["/*\ntest('it', () => {\n*/", false],
  ["test.skip('it', () => {", false],
  ["test.todo('it', () => {", false],
  ["test.skipIf(true)('it', () => {", false],
  ["test.runIf(false)(\n  'it',", false],
  ["test.skip.each([\n  ['a', 1],\n])('it', () => {", false],
  ["test('it', { skip: true }, () => {", false],
  ["test.each([\n  ['a', 1],\n])('a', () => {})\ntest.skip('it', () => {", false],
  ["describe.skip('all', () => {\n  a()\n\n  test('it', () => {", false],
  ["describe.skipIf(true).each([\n  ['a'],\n])('all', () => {\n  test('it', () => {", false],
  ["describe.skip('all', () => {\n  describe('some', () => {\n    test(\n      'it',", false],
  ["if (false) {\n  test('it', () => {", false],
  ["expect('it', () => {", false],
])('%j runs a test: %s', (source, isRun) => {
  expect(runsTest(source, 'it')).toBe(isRun)
})

test('every row of the table names a test that exists and is run', () => {
  expect(
    rows.filter(({ path, title }) => !hasTest(path, title)).map(({ path, title }) => `${path}: ${title}`),
  ).toEqual([])
})

test('no row is without a test, and there are as many as promised', () => {
  const others = lines.filter((line) => line.startsWith('|') && rowOf(line) === null)
  // A head and a line below it for each of three tables.
  expect(others).toHaveLength(6)
  expect([published.length >= 45, rows.length >= 110]).toEqual([true, true])
})

test('each fault is told once, with the address where it was published', () => {
  const told = published.map(({ cells }) => cells[1])
  expect(told.filter((cell) => !/^\[[^\]]+\]\(https:\/\/[^)]+\)/.test(cell ?? ''))).toEqual([])
  expect(new Set(told).size).toBe(told.length)
})
