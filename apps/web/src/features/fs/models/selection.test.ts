import { describe, expect, test } from 'vitest'
import type { Selection } from './selection.ts'
import {
  activeAmong,
  markAll,
  markBand,
  moveTo,
  NO_SELECTION,
  pointAt,
  prune,
  stepTo,
  toggle,
  unmarkAll,
} from './selection.ts'

const order = ['a', 'b', 'c', 'd', 'e']
const plain = { isRange: false, isToggle: false }
const shift = { isRange: true, isToggle: false }
const ctrl = { isRange: false, isToggle: true }
const marks = (selection: Selection) => [...selection.marked].toSorted()

describe('pointing', () => {
  test('selects only one entry', () => {
    const one = pointAt(markAll(NO_SELECTION, order), order, { path: 'b', ...plain })
    expect(marks(one)).toEqual(['b'])
    expect(one.active).toBe('b')
  })
  test('with Ctrl selects and deselects', () => {
    const two = pointAt(pointAt(NO_SELECTION, order, { path: 'b', ...plain }), order, { path: 'd', ...ctrl })
    expect(marks(two)).toEqual(['b', 'd'])
    expect(marks(toggle(two, 'b'))).toEqual(['d'])
  })
  test('with Shift selects from the same anchor each time, in both directions', () => {
    const start = pointAt(NO_SELECTION, order, { path: 'c', ...plain })
    const down = pointAt(start, order, { path: 'e', ...shift })
    expect(marks(down)).toEqual(['c', 'd', 'e'])
    expect(marks(pointAt(down, order, { path: 'a', ...shift }))).toEqual(['a', 'b', 'c'])
  })
  test('with Ctrl and Shift keeps the earlier selection', () => {
    const start = pointAt(pointAt(NO_SELECTION, order, { path: 'a', ...plain }), order, {
      path: 'c',
      ...ctrl,
    })
    expect(marks(pointAt(start, order, { path: 'd', isRange: true, isToggle: true }))).toEqual([
      'a',
      'c',
      'd',
    ])
  })
  test('with Shift and no anchor selects one entry', () => {
    expect(marks(pointAt(NO_SELECTION, order, { path: 'c', ...shift }))).toEqual(['c'])
  })
})

describe('the keyboard', () => {
  test('moves without selecting, and selects with Shift', () => {
    const moved = moveTo(NO_SELECTION, order, { path: 'b', isRange: false })
    expect(marks(moved)).toEqual([])
    expect(marks(moveTo(moved, order, { path: 'd', isRange: true }))).toEqual(['b', 'c', 'd'])
  })
  test('steps through a list and stops at its ends', () => {
    const list = { count: 5, columns: 1, pageSize: 3 }
    expect(stepTo({ key: 'ArrowDown', index: -1, ...list })).toBe(0)
    expect(stepTo({ key: 'ArrowUp', index: -1, ...list })).toBe(4)
    expect(stepTo({ key: 'ArrowUp', index: 0, ...list })).toBe(0)
    expect(stepTo({ key: 'PageDown', index: 3, ...list })).toBe(4)
    expect(stepTo({ key: 'End', index: 0, ...list })).toBe(4)
    expect(stepTo({ key: 'ArrowRight', index: 0, ...list })).toBeNull()
    expect(stepTo({ key: 'Home', index: 0, count: 0, columns: 1, pageSize: 3 })).toBeNull()
  })
  test('steps through rows of several', () => {
    const grid = { count: 5, columns: 3, pageSize: 6 }
    expect(stepTo({ key: 'ArrowRight', index: 2, ...grid })).toBe(3)
    expect(stepTo({ key: 'ArrowDown', index: 0, ...grid })).toBe(3)
    expect(stepTo({ key: 'ArrowDown', index: 2, ...grid })).toBe(4)
    expect(stepTo({ key: 'ArrowDown', index: 4, ...grid })).toBe(4)
    expect(stepTo({ key: 'ArrowUp', index: 1, ...grid })).toBe(1)
  })
})

test('a selection rectangle adds the entries that it touches to the kept ones', () => {
  const kept = new Set(['a'])
  expect(marks(markBand(NO_SELECTION, { touched: ['c', 'd'], kept }))).toEqual(['a', 'c', 'd'])
})

test('hidden entries are deselected', () => {
  const all = { ...markAll(NO_SELECTION, order), active: 'e', anchor: 'a' }
  const pruned = prune(all, new Set(['a', 'b']))
  expect(marks(pruned)).toEqual(['a', 'b'])
  expect(pruned).toMatchObject({ active: 'e', anchor: 'a' })
  expect(prune(all, new Set(order))).toBe(all)
  expect(marks(unmarkAll(all))).toEqual([])
})

test('the keyboard continues at the position of a removed entry', () => {
  expect(activeAmong('b', order, new Set(['a', 'c', 'd', 'e']))).toBe('c')
  // Several entries disappear at once, and the active entry is between them.
  expect(activeAmong('c', order, new Set(['a', 'e']))).toBe('e')
  expect(activeAmong('e', order, new Set(['a', 'b']))).toBe('b')
  expect(activeAmong('b', order, new Set(order))).toBe('b')
  expect(activeAmong('b', order, new Set())).toBeNull()
  expect(activeAmong(null, order, new Set(order))).toBeNull()
  expect(activeAmong('x', order, new Set(order))).toBeNull()
})
