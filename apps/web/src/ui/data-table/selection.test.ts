import { expect, test } from 'vitest'
import { type Selected, toggled } from './selection.ts'

const rows = (...ids: string[]): Selected => ({ kind: 'rows', ids: new Set(ids) })

test('a row is selected and deselected, on any page', () => {
  expect(toggled(rows(), 'a', ['a', 'b'])).toEqual(rows('a'))
  expect(toggled(rows('a', 'z'), 'a', ['a', 'b'])).toEqual(rows('z'))
})

test('deselecting one row of a complete selection keeps only the other rows of the page', () => {
  expect(toggled({ kind: 'matching' }, 'b', ['a', 'b', 'c'])).toEqual(rows('a', 'c'))
})
