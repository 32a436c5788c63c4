import { expect, test } from 'vitest'
import { boxOf, stepInLane, touchedBy } from './selection-rectangle.ts'

const geometry = {
  width: 210,
  columns: 2,
  gapPx: 10,
  places: [
    { start: 0, end: 100, lane: 0 },
    { start: 0, end: 50, lane: 1 },
    { start: 60, end: 110, lane: 1 },
    { start: 110, end: 210, lane: 0 },
  ],
}

test('a selection rectangle can start at any corner', () => {
  expect(boxOf({ x: 50, y: 80 }, { x: 10, y: 20 })).toEqual({ left: 10, top: 20, width: 40, height: 60 })
})
test('a selection rectangle selects the entries that it touches, in its columns only', () => {
  expect(touchedBy(geometry, { x: 5, y: 5 }, { x: 20, y: 120 })).toEqual([0, 3])
  expect(touchedBy(geometry, { x: 150, y: 40 }, { x: 115, y: 65 })).toEqual([1, 2])
  expect(touchedBy(geometry, { x: 102, y: 0 }, { x: 108, y: 300 })).toEqual([])
})
test('up and down stay in their column', () => {
  expect(stepInLane(geometry.places, 0, 1)).toBe(3)
  expect(stepInLane(geometry.places, 2, -1)).toBe(1)
  expect(stepInLane(geometry.places, 1, -1)).toBeNull()
  expect(stepInLane(geometry.places, -1, 1)).toBeNull()
})
