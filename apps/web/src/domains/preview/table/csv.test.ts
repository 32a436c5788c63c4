import { expect, test } from 'vitest'
import { createCsvReader, findDelimiter, readInstruction } from './csv.ts'

function read(...pieces: string[]) {
  const reader = createCsvReader(',')
  return [...pieces.flatMap((piece) => reader.push(piece)), ...reader.end()]
}

test('values, quotes, and ends of lines of every kind', () => {
  expect(read('a,b\r\n"c, ""d""\n",\r,\n')).toEqual([
    ['a', 'b'],
    ['c, "d"\n', ''],
    ['', ''],
  ])
  expect(read('a "b" c,d')).toEqual([['a "b" c', 'd']])
  expect(read('"Hello" he said,2\nc,"d"\n')).toEqual([
    ['Hello he said', '2'],
    ['c', 'd'],
  ])
  expect(read('')).toEqual([])
  expect(read('a\n\nb')).toEqual([['a'], [''], ['b']])
})

test('the table is the same for every division of the text into chunks', () => {
  const text = 'a,"b ""x"" c"\r\n"1\n2",3\n,,\n"open'
  for (let first = 0; first <= text.length; first += 1) {
    for (let second = first; second <= text.length; second += 1) {
      expect(read(text.slice(0, first), text.slice(first, second), text.slice(second))).toEqual(read(text))
    }
  }
})

test('the delimiter is found in the text, then in the name', () => {
  expect(findDelimiter('a;b,c;d\n1;2;3\n4;5;6\n', 'csv')).toBe(';')
  expect(findDelimiter('a\tb\n1,5\t2\n', 'csv')).toBe('\t')
  expect(findDelimiter('"a,b",c\n"d,e",f\n', 'csv')).toBe(',')
  expect(findDelimiter('one\ntwo\n', 'csv')).toBe(',')
  expect(findDelimiter('one\ntwo\n', 'tsv')).toBe('\t')
})

test('a first line that declares the delimiter is not a row', () => {
  expect(readInstruction('sep=;\r\nName;Price\r\n')).toEqual({ text: 'Name;Price\r\n', delimiter: ';' })
  expect(readInstruction('"sep=,"\na,b')).toEqual({ text: 'a,b', delimiter: ',' })
  expect(readInstruction('SEP=\t\na\tb')).toEqual({ text: 'a\tb', delimiter: '\t' })
  expect(readInstruction('sep=^\na^b')).toEqual({ text: 'a^b', delimiter: null })
  for (const text of ['sep=;x\n', 'separator\n', '', 'a\nsep=;\n']) {
    expect(readInstruction(text)).toEqual({ text, delimiter: null })
  }
})
