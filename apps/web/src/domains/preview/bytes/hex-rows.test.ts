import { expect, test } from 'vitest'
import { hexRows } from './hex-rows.ts'

test('rows have sixteen bytes and their offset in the file', () => {
  const rows = hexRows(
    Uint8Array.from({ length: 18 }, (_, index) => index + 60),
    4096,
  )
  expect(rows).toHaveLength(2)
  expect(rows[0]).toEqual({
    position: '00001000',
    bytes: '3c 3d 3e 3f 40 41 42 43  44 45 46 47 48 49 4a 4b',
    characters: '<=>?@ABCDEFGHIJK',
  })
  expect(rows[1]?.characters).toBe('LM')
  expect(rows[1]?.bytes).toHaveLength(48)
})
