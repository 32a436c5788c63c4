import { expect, test } from 'vitest'
import { describeCameraFacts } from './camera-facts.ts'

test('camera data is shown in words, and only if it exists', () => {
  expect(
    describeCameraFacts({
      Make: 'FUJIFILM',
      Model: 'X-T5',
      DateTimeOriginal: new Date(2026, 2, 4, 5, 6),
      ExposureTime: 0.004,
      FNumber: 2.8,
      ISO: 400,
      FocalLength: 23,
      latitude: 48.858_37,
      longitude: 2.294_48,
    }),
  ).toEqual({
    camera: 'FUJIFILM X-T5',
    taken: '2026-03-04 05:06',
    exposure: '1/250 s · ƒ/2.8 · ISO 400 · 23 mm',
    position: '48.85837, 2.29448',
  })
  expect(describeCameraFacts({ Make: 'Canon', Model: 'Canon EOS R5' })).toEqual({ camera: 'Canon EOS R5' })
})

test('invalid or missing values of tags are ignored', () => {
  expect(describeCameraFacts(null)).toEqual({})
  expect(describeCameraFacts(undefined)).toEqual({})
  expect(
    describeCameraFacts({
      Make: 5,
      Model: {},
      ExposureTime: Infinity,
      FNumber: '2',
      latitude: Number.NaN,
      longitude: 4,
      Software: 'a\0b',
    }),
  ).toEqual({ software: 'a b' })
})
