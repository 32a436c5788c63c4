import { findBundlePathProblems } from '@dropleaf/contract'
import { expect, test } from 'vitest'
import { itemPathOf, suggestItemPaths } from './item-paths.ts'

const suggest = (...paths: string[]) => Object.fromEntries(suggestItemPaths(paths))

test('a path is normalized to composed characters, as bundles require', () => {
  expect(itemPathOf({ folder: 'Cafe\u0301/', name: 'a\u0308.txt' })).toBe('Caf\u00e9/\u00e4.txt')
})
test('valid paths are unchanged', () => {
  expect(suggest('a.txt', 'b/a.txt', 'b/c/照片.jpg')).toEqual({})
})
test('names that differ in case only get a number before their extension', () => {
  expect(suggest('a.txt', 'A.TXT', 'a.txt', 'x/.env', 'x/.ENV')).toEqual({
    1: 'A (2).TXT',
    2: 'a (3).txt',
    4: 'x/.ENV (2)',
  })
})
test('characters that a reader could not see or store are replaced', () => {
  expect(suggest('a\u202egpj.exe', 'b\\c.txt', '..', 'x//y')).toEqual({
    0: 'a_gpj.exe',
    1: 'b_c.txt',
    2: '_',
    3: 'x/_/y',
  })
})
test('a folder with the name of a file gets another name, for all of its files', () => {
  expect(suggest('notes', 'notes/a.txt', 'notes/b.txt')).toEqual({
    1: 'notes (2)/a.txt',
    2: 'notes (2)/b.txt',
  })
})
test('a name that is too long keeps its extension', () => {
  const long = '很'.repeat(200)
  expect(suggest(`${long}.jpeg`)).toEqual({ 0: `${'很'.repeat(83)}.jpeg` })
  expect(suggest(`${'d/'.repeat(600)}a.txt`)).toEqual({ 0: 'a.txt' })
})
test('whatever the names are, the suggestions are valid together', () => {
  const letters = ['a', 'A', '.', '/', '\\', 'e\u0301', '\u202e', '很'.repeat(90), ' (2)', '.txt', '\ud800']
  let seed = 7
  const next = (below: number) => {
    seed = (seed * 48_271) % 2_147_483_647
    return seed % below
  }
  for (let round = 0; round < 300; round += 1) {
    const paths = Array.from({ length: 6 }, () =>
      Array.from({ length: 1 + next(4) }, () => letters[next(letters.length)]).join(''),
    )
    const fixed = suggestItemPaths(paths)
    const all = paths.map((path, index) => fixed.get(index) ?? path)
    expect([paths, [...findBundlePathProblems(all)]]).toEqual([paths, []])
  }
})
