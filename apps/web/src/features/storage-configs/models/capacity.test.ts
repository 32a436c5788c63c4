import { expect, test } from 'vitest'
import { capacityInputOf, type CapacityUnit, parseCapacity } from './capacity.ts'

test.each([
  [null, '', 'GB'],
  [10 * 1024 ** 3, '10', 'GB'],
  [1024 ** 4 * 1.5, '1.5', 'TB'],
  [1024 ** 3 + 1, '1073741825', 'B'],
  [1, '1', 'B'],
])('%s bytes are shown as %s %s', (bytes, amount, unit) => {
  expect(capacityInputOf(bytes)).toEqual({ amount, unit })
  expect(parseCapacity({ amount, unit: unit as CapacityUnit })).toBe(bytes)
})

test.each([
  ['0', 'GB', 'tooSmall'],
  ['0.5', 'B', 'tooSmall'],
  ['-1', 'GB', 'notANumber'],
  ['1.234', 'GB', 'notANumber'],
  ['ten', 'GB', 'notANumber'],
  ['1e3', 'GB', 'notANumber'],
  ['8191.99', 'TB', 9_007_188_259_624_714],
  ['8192', 'TB', 'tooLarge'],
  ['0.25', 'KB', 256],
  [' 2 ', 'KB', 2048],
] as const)('%j %s: %s', (amount, unit, result) => {
  expect(parseCapacity({ amount, unit })).toBe(result)
})
