import { expect, test } from 'vitest'
import { compareLines, type DiffRow } from './line-diff.ts'

/** Formats rows as a patch. Brackets mark differences within a line. */
const written = (rows: readonly DiffRow[]) =>
  rows.map((row) => {
    if (row.kind === 'gap') return `@${row.count}`
    if (row.kind === 'same') return ` ${row.before},${row.after} ${row.text}`
    const text = row.parts.map(({ text: part, isChanged }) => (isChanged ? `[${part}]` : part)).join('')
    return row.kind === 'gone' ? `-${row.before} ${text}` : `+${row.after} ${text}`
  })

const compare = (before: string, after: string) => {
  const diff = compareLines(before, after)
  return diff && written(diff.rows)
}

test('marks the words of a line that differ', () => {
  expect(compare('one\ntwo apples\nthree', 'one\ntwo pears\nthree')).toEqual([
    ' 1,1 one',
    '-2 two [apples]',
    '+2 two [pears]',
    ' 3,3 three',
  ])
})

test('counts removed and added lines', () => {
  const diff = compareLines('a\nb\nc', 'a\nx\ny\nz')
  expect([diff?.gone, diff?.added]).toEqual([2, 3])
})

test('shows three lines around a change and the number of omitted lines', () => {
  const lines = Array.from({ length: 30 }, (_, n) => `line ${n + 1}`)
  const changed = lines.with(14, 'changed').concat('added')
  expect(compare(lines.join('\n'), changed.join('\n'))).toEqual([
    '@11',
    ' 12,12 line 12',
    ' 13,13 line 13',
    ' 14,14 line 14',
    '-15 [line 15]',
    '+15 [changed]',
    ' 16,16 line 16',
    ' 17,17 line 17',
    ' 18,18 line 18',
    '@9',
    ' 28,28 line 28',
    ' 29,29 line 29',
    ' 30,30 line 30',
    '+31 added',
  ])
})

test('ignores line endings, and finds no difference between equal texts', () => {
  expect(compare('a\r\nb', 'a\nb\n')?.filter((line) => !line.startsWith(' '))).toEqual(['@2'])
  expect(compareLines('a\nb', 'a\nb')).toMatchObject({ gone: 0, added: 0 })
})

test('every line of both texts is shown or counted, for any texts', () => {
  let seed = 7
  const next = (below: number) => {
    seed = (seed * 1103515245 + 12345) % 2147483648
    return seed % below
  }
  for (let turn = 0; turn < 300; turn += 1) {
    const lines = Array.from({ length: next(20) + 1 }, () => `w${next(5)}`)
    const other = lines.flatMap((line) =>
      next(4) === 0 ? [] : next(4) === 0 ? [line, `x${next(3)}`] : [line],
    )
    const after = other.length === 0 ? ['end'] : other
    const rows = compareLines(lines.join('\n'), after.join('\n'))?.rows ?? []
    const count = (kinds: readonly DiffRow['kind'][]) =>
      rows
        .filter(({ kind }) => kinds.includes(kind))
        .reduce((sum, row) => sum + (row.kind === 'gap' ? row.count : 1), 0)
    expect(count(['same', 'gap', 'gone'])).toBe(lines.length)
    expect(count(['same', 'gap', 'new'])).toBe(after.length)
  }
})

test('texts without anything in common are not compared for long', () => {
  const text = (word: string) => Array.from({ length: 15_000 }, (_, n) => `${word} ${n}`).join('\n')
  expect(compareLines(text('a'), text('b'))).toBeNull()
})
