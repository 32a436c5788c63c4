import { expect, test } from 'vitest'
import { parseSize, sizeInputOf } from './upload-size.ts'

test.each([
  ['100', 'MB', 100],
  ['2', 'GB', 2048],
  ['1.5', 'GB', 1536],
  ['2048', 'KB', 2],
  [' 7 ', 'MB', 7],
  ['512', 'KB', 'tooSmall'],
  ['1500', 'KB', 'notWhole'],
  ['1.5', 'MB', 'notWhole'],
  ['0', 'MB', 'notANumber'],
  ['-3', 'MB', 'notANumber'],
  ['much', 'MB', 'notANumber'],
  ['', 'MB', 'notANumber'],
  ['0x10', 'MB', 'notANumber'],
  ['1e3', 'MB', 'notANumber'],
  ['99999999', 'GB', 'tooLarge'],
] as const)('%s %s is %s', (amount, unit, expected) => {
  expect(parseSize({ amount, unit })).toBe(expected)
})

test.each([
  [100, { amount: '100', unit: 'MB' }],
  [1024, { amount: '1', unit: 'GB' }],
  [1536, { amount: '1536', unit: 'MB' }],
] as const)('%s MB reads as %o, and back', (sizeMb, expected) => {
  expect(sizeInputOf(sizeMb)).toEqual(expected)
  expect(parseSize(sizeInputOf(sizeMb))).toBe(sizeMb)
})
