import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { mutate, nameOf } from './model.ts'
import { PAGE, pageOf } from './page.ts'
import { runsTest } from './source-tests.ts'
import { tables } from './tables.ts'

const rows = tables.flatMap((table) => table.rows)
const published = rows.flatMap(({ published: sources = [] }) => sources)
const inRoot = (path: string) => fileURLToPath(new URL(`../../${path}`, import.meta.url))
const sourceOf = (path: string) => readFileSync(inRoot(path), 'utf8')

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

test('every row names a test that exists and is run', () => {
  const isThere = ({ test: { file, title } }: (typeof rows)[number]) =>
    existsSync(inRoot(file)) && runsTest(sourceOf(file), title)
  expect(rows.filter((row) => !isThere(row)).map(nameOf)).toEqual([])
})

test('every mutant applies to the current sources', () => {
  const faults = rows.flatMap((row) => {
    try {
      const texts = new Map<string, string>()
      for (const edit of row.mutant)
        texts.set(edit.file, mutate(texts.get(edit.file) ?? sourceOf(edit.file), edit))
      return row.mutant.length === 0 ? [`${nameOf(row)}: there is no mutant`] : []
    } catch (error) {
      return [`${nameOf(row)}: ${(error as Error).message}`]
    }
  })
  expect(faults).toEqual([])
  const changed = rows.flatMap(({ mutant }) => mutant.map(({ file }) => file))
  expect(changed.filter((file) => /\.(?:test|spec)\.|\/testing\/|^bench\//.test(file))).toEqual([])
})

test('there are as many rows as promised, and each fault occurs once, with the URL of its publication', () => {
  const [others, ...own] = tables
  expect([(others?.rows.length ?? 0) >= 80, own.flatMap((table) => table.rows).length >= 67]).toEqual([
    true,
    true,
  ])
  for (const { product, published: sources = [] } of others?.rows ?? [])
    expect([product, sources.length > 0, sources.every(({ url }) => url.startsWith('https://'))]).toEqual([
      product,
      true,
      true,
    ])
  expect(new Set(published.map(({ url }) => url)).size).toBe(published.length)
  expect(new Set(rows.map(nameOf)).size).toBe(rows.length)
})

test('the page matches the rows', () => {
  const squeeze = (text: string) =>
    text
      .replaceAll(/ *\| */g, '|')
      .replaceAll(/-+/g, '-')
      .trim()
      .split('\n')
  // Run `npm run docs:advisories` to update the page.
  expect(squeeze(readFileSync(PAGE, 'utf8'))).toEqual(squeeze(pageOf(tables)))
})
