import { expect, test } from 'vitest'
import { mapBounded } from './concurrency.ts'

test('results have the order of the items', async () => {
  const results = await mapBounded([3, 1, 2], 2, async (item) => item * 10)
  expect(results).toEqual([30, 10, 20])
})

test('after a failure no further items are begun', async () => {
  const begun: number[] = []
  const work = mapBounded([0, 1, 2, 3, 4, 5], 2, async (item) => {
    begun.push(item)
    await Promise.resolve()
    if (item === 1) throw new Error('broken')
  })
  await expect(work).rejects.toThrow('broken')
  expect(begun.length).toBeLessThan(5)
})
