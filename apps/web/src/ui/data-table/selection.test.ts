import { expect, test } from 'vitest'
import { type Selected, toggled } from './selection.ts'

const rows = (...ids: string[]): Selected => ({ kind: 'rows', ids: new Set(ids) })

test('a row is chosen and left, whatever the page shows', () => {
  expect(toggled(rows(), 'a', ['a', 'b'])).toEqual(rows('a'))
  expect(toggled(rows('a', 'z'), 'a', ['a', 'b'])).toEqual(rows('z'))
})

test('leaving one row where everything is chosen keeps the others of the page, and never that one', () => {
  expect(toggled({ kind: 'matching' }, 'b', ['a', 'b', 'c'])).toEqual(rows('a', 'c'))
})
