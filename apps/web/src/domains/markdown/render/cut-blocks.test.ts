import { expect, test } from 'vitest'
import { cutMarkdown } from './pieces.ts'

const LARGEST_PIECE = 120_000

const piecesOf = (text: string) => [...cutMarkdown(text).pieces]
const textIn = (html: string) =>
  html
    .replaceAll(/<thead>[\s\S]*?<\/thead>/g, '')
    .replaceAll(/<[^>]*>/g, ' ')
    .split(/\s+/)
    .filter(Boolean)

test('a long table is drawn in parts with the same head, and loses no row', () => {
  const rows = Array.from({ length: 6000 }, (_, at) => `| row${at} | ${at * 2} | ${'word '.repeat(5)} |`)
  const pieces = piecesOf(['| name | twice | words |', '| --- | ---: | :-: |', ...rows].join('\n'))
  expect(pieces.length).toBeGreaterThan(10)
  expect(Math.max(...pieces.map((piece) => piece.length))).toBeLessThan(LARGEST_PIECE)
  // All parts have the same columns, based on the longest cell of each column.
  expect(pieces[0]).toMatch(/^<table class="cut columns-10-8-27"/)
  for (const piece of pieces.slice(1))
    expect(piece).toMatch(/^<table class="cut went-on columns-10-8-27" dir="auto">\n<thead>/)
  const words = pieces.flatMap(textIn)
  expect(words.filter((word) => word.startsWith('row'))).toEqual(rows.map((_, at) => `row${at}`))
})

test('the columns of a long table are as narrow as it takes to show them all, but can be read', () => {
  const tableOf = (columns: number, cell: string) => {
    const line = (words: string) => `|${`${words}|`.repeat(columns)}`
    return [line('h'), line('-'), ...Array.from({ length: 400 }, () => line(cell))].join('\n')
  }
  const columnsOf = (text: string) => /columns-([\d-]+)/.exec(piecesOf(text)[0] ?? '')?.[1]
  expect(columnsOf(tableOf(2, 'words '.repeat(20)))).toBe('35-35')
  expect(columnsOf(tableOf(3, '中文'.repeat(10)))).toBe('21-21-21')
  expect(columnsOf(tableOf(30, 'some words here'))).toBe(Array.from({ length: 30 }, () => 15).join('-'))
  expect(columnsOf(tableOf(2, 'x'))).toBe('6-6')
})

test('a short table is not divided', () => {
  expect(piecesOf('| a |\n| - |\n| b |')).toHaveLength(1)
  expect(piecesOf('| a |\n| - |\n| b |')[0]).not.toContain('cut')
})

test.each([
  ['lines', (at: number) => `word${at}${at % 10 === 0 ? '\n' : ' '}`],
  ['one line', (at: number) => `word${at} `],
])('a long paragraph of %s is drawn in parts and loses no word', (_name, word) => {
  const words = Array.from({ length: 60_000 }, (_, at) => word(at))
  const pieces = piecesOf(words.join(''))
  expect(pieces.length).toBeGreaterThan(20)
  expect(Math.max(...pieces.map((piece) => piece.length))).toBeLessThan(LARGEST_PIECE)
  expect(pieces.flatMap(textIn)).toEqual(words.map((one) => one.trim()))
})

test('a word of a megabyte is rendered in parts without losing text', () => {
  const pieces = piecesOf('a😀'.repeat(300_000))
  expect(Math.max(...pieces.map((piece) => piece.length))).toBeLessThan(LARGEST_PIECE)
  expect(pieces.join('').replaceAll(/<[^>]*>|\n/g, '').length).toBe(900_000)
})
