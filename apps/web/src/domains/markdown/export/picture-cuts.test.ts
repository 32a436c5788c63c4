import { expect, test } from 'vitest'
import { cutPictures } from './picture-cuts.ts'

test('a page is split between its blocks, and within a block that is higher than a picture', () => {
  expect(cutPictures(900, [], 1000)).toEqual([900])
  expect(cutPictures(2500, [300, 800, 950.5, 1500, 1900], 1000)).toEqual([950, 1900, 2500])
  expect(cutPictures(2500, [100, 2400], 1000)).toEqual([1000, 2000, 2500])
})
