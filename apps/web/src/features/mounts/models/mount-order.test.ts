import { expect, test } from 'vitest'
import { dropIndex, moved, planMove, withOrder } from './mount-order.ts'

const list = (...numbers: number[]) =>
  numbers.map((sort_order, index) => ({ id: 'abcdefgh'[index] ?? '', sort_order }))
const after = (numbers: readonly number[], from: number, to: number) => {
  const before = list(...numbers)
  return withOrder(before, planMove(before, from, to))
    .map(({ id }) => id)
    .join('')
}

test.each([
  [[0, 0, 0, 0], 3, 0, 'dabc'],
  [[0, 0, 0, 0], 0, 3, 'bcda'],
  [[0, 0, 0, 0], 0, 1, 'bacd'],
  [[0, 0, 0, 0], 2, 1, 'acbd'],
  [[1, 2, 3, 4], 1, 2, 'acbd'],
  [[10, 20, 30, 40], 3, 1, 'adbc'],
  [[-2_147_483_647, 0], 1, 0, 'ba'],
  [[0, 2_147_483_647], 0, 1, 'ba'],
])('of %j, %i goes to %i: %s', (numbers, from, to, wanted) => {
  expect(after(numbers, from, to)).toBe(wanted)
})

test('one changed number is enough if there is a gap, and none if nothing moves', () => {
  expect(planMove(list(10, 20, 30), 2, 1)).toEqual([{ id: 'c', sort_order: 15 }])
  expect(planMove(list(10, 20, 30), 1, 0)).toEqual([{ id: 'b', sort_order: 0 }])
  expect(planMove(list(10, 20), 1, 1)).toEqual([])
  expect(planMove(list(0, 0, 0), 2, 1)).toEqual([
    { id: 'a', sort_order: 10 },
    { id: 'c', sort_order: 20 },
    { id: 'b', sort_order: 30 },
  ])
})

test('a list keeps its length after any move', () => {
  expect(moved(['a', 'b', 'c'], 0, 2)).toEqual(['b', 'c', 'a'])
  expect(moved(['a'], 4, 0)).toEqual(['a'])
})

test('a dragged row goes below those whose middle it has passed', () => {
  const middles = [50, 150, 250]
  expect([0, 160, 300].map((at) => dropIndex(middles, 0, at))).toEqual([0, 1, 2])
  expect([0, 60, 300].map((at) => dropIndex(middles, 2, at))).toEqual([0, 1, 2])
})
