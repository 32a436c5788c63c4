import { expect, test } from 'vitest'
import type { AppError } from './app-error.ts'
import { createFairLanes } from './fair-queue.ts'

/** Creates jobs that end on command, and collects their results. */
function createWorks(limits: { atOnce: number; maxWaiting: number; maxOfOne: number }) {
  const run = createFairLanes(limits)
  const begun: string[] = []
  const ends: Array<() => void> = []
  const outcomes: string[] = []
  const settle = () => new Promise((resolve) => setImmediate(resolve))
  return {
    begun,
    outcomes,
    ask(asker: string) {
      void run(asker, () => {
        begun.push(asker)
        return new Promise<void>((resolve) => ends.push(resolve))
      }).then(
        () => outcomes.push(`${asker} done`),
        (error: unknown) => outcomes.push(`${asker} ${(error as AppError).spec.code}`),
      )
    },
    settle,
    async endOne() {
      ends.shift()?.()
      await settle()
    },
  }
}

test('callers take turns, regardless of the order and number of their jobs', async () => {
  const works = createWorks({ atOnce: 1, maxWaiting: 100, maxOfOne: 100 })
  for (let count = 0; count < 4; count += 1) works.ask('many')
  works.ask('one')
  works.ask('other')
  for (let count = 0; count < 6; count += 1) await works.endOne()
  expect(works.begun).toEqual(['many', 'many', 'one', 'other', 'many', 'many'])
  expect(works.outcomes).toHaveLength(6)
})

test('the number of concurrent jobs is limited, and the end of one starts the next', async () => {
  const works = createWorks({ atOnce: 2, maxWaiting: 10, maxOfOne: 10 })
  for (const asker of ['a', 'b', 'c']) works.ask(asker)
  await works.settle()
  expect(works.begun).toEqual(['a', 'b'])
  await works.endOne()
  expect(works.begun).toEqual(['a', 'b', 'c'])
})

test('a caller with too many waiting jobs is rate limited', async () => {
  const works = createWorks({ atOnce: 1, maxWaiting: 10, maxOfOne: 2 })
  for (let count = 0; count < 4; count += 1) works.ask('many')
  works.ask('one')
  await works.settle()
  expect(works.outcomes).toEqual(['many request.rate_limited'])
})

test('in a full queue the caller with the most jobs loses one; with equal numbers the new job is refused', async () => {
  const works = createWorks({ atOnce: 1, maxWaiting: 3, maxOfOne: 3 })
  for (let count = 0; count < 4; count += 1) works.ask('many')
  works.ask('one')
  await works.settle()
  expect(works.outcomes).toEqual(['many request.rate_limited'])
  works.ask('other')
  await works.settle()
  expect(works.outcomes).toEqual(['many request.rate_limited', 'many request.rate_limited'])
  works.ask('late')
  await works.settle()
  expect(works.outcomes.at(-1)).toBe('late request.unavailable')
})
