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

/** Whether a file has a test of that title, and runs it. */
function hasTest(path: string, title: string): boolean {
  const file = fileURLToPath(new URL(path, DOCS))
  if (!existsSync(file)) return false
  const source = readFileSync(file, 'utf8')
  return ["'", '"', '`'].some((quote) => {
    const at = source.indexOf(`${quote}${title}${quote},`)
    return (
      at > 0 &&
      /(?<![.\w])test(?:\.(?:each|skipIf|runIf)\([^]*\))?\(\s*$/.test(
        source.slice(Math.max(0, at - 2000), at),
      )
    )
  })
}

test('every row of the table names a test that exists', () => {
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
