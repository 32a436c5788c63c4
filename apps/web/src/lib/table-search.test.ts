import { expect, test } from 'vitest'
import { readTableSearch } from './table-search.ts'

const said = (search: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(readTableSearch(search)).filter(([, value]) => value !== undefined))

test('parses valid parameters, and ignores the others', () => {
  expect(said({ q: 'a b', sortBy: 'size', order: 'desc', page: 3, size: 50, state: 'expired' })).toEqual({
    q: 'a b',
    sortBy: 'size',
    order: 'desc',
    page: 3,
    size: 50,
    state: 'expired',
  })
  expect(said({ q: '', order: 'up', page: -1, size: 7, creator: { a: 1 } })).toEqual({})
  expect(said({ page: 'two', size: '20' })).toEqual({})
})

test('a search for a number is a search', () => {
  expect(said({ q: 2030 })).toEqual({ q: '2030' })
})
