import { expect, test } from 'vitest'
import { toRgba } from './rgba.ts'

const one = { width: 1, height: 1, samples: 1, bits: 8, isInverted: false, palette: null }
const drawn = (raw: Parameters<typeof toRgba>[0]) => [...toRgba(raw)]

test('colours, greys, palettes, deep and inverted pixels are converted to RGBA', () => {
  expect(drawn({ ...one, samples: 3, data: [1, 2, 3] })).toEqual([1, 2, 3, 255])
  expect(drawn({ ...one, samples: 4, data: [1, 2, 3, 4] })).toEqual([1, 2, 3, 4])
  expect(drawn({ ...one, data: [9] })).toEqual([9, 9, 9, 255])
  expect(drawn({ ...one, isInverted: true, data: [9] })).toEqual([246, 246, 246, 255])
  expect(drawn({ ...one, samples: 2, data: [9, 128] })).toEqual([9, 9, 9, 128])
  expect(drawn({ ...one, bits: 16, data: [65_535] })).toEqual([255, 255, 255, 255])
  expect(drawn({ ...one, bits: 1, data: [1] })).toEqual([255, 255, 255, 255])
  expect(
    drawn({
      ...one,
      palette: [
        [0, 0, 0],
        [65_535, 257, 0],
      ],
      data: [1],
    }),
  ).toEqual([255, 1, 0, 255])
})

test('floating-point pixels are scaled between their minimum and maximum', () => {
  expect(drawn({ ...one, width: 2, bits: 32, data: new Float32Array([-1, 1]) })).toEqual([
    0, 0, 0, 255, 255, 255, 255, 255,
  ])
})
