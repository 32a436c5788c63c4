import { expect, test } from 'vitest'
import { eachAtOnce } from './pool.ts'

test('no more than the given number of tasks run at once, and all of them run', async () => {
  let running = 0
  let most = 0
  const done: number[] = []
  await eachAtOnce([1, 2, 3, 4, 5, 6, 7], 3, async (task) => {
    running += 1
    most = Math.max(most, running)
    await Promise.resolve()
    done.push(task)
    running -= 1
  })
  expect(done.toSorted()).toEqual([1, 2, 3, 4, 5, 6, 7])
  expect(most).toBe(3)
})

test('after the first error, running tasks are aborted, no other one starts, and that error is thrown', async () => {
  const started: number[] = []
  const told: unknown[] = []
  const first = new Error('first')
  const work = eachAtOnce([1, 2, 3, 4], 2, async (task, signal) => {
    started.push(task)
    if (task === 2) throw first
    await new Promise<void>((resolve) => {
      signal.addEventListener('abort', () => {
        told.push(signal.reason)
        resolve()
      })
    })
    throw new Error('second')
  })
  await expect(work).rejects.toBe(first)
  expect([started, told]).toEqual([[1, 2], [first]])
})
