import type { Task } from '@dropleaf/contract'
import { expect, test } from 'vitest'
import { runningOf } from './running-tasks.ts'

const task = (id: string, state: Task['state'], second: number) =>
  ({ id, state, updated_at: `2030-01-01T00:00:0${second}.000Z` }) as Task

test('the newer of two responses counts, and ended tasks are not shown', () => {
  const listed = [task('a', 'running', 1), task('b', 'running', 5), task('c', 'pending', 1)]
  const followed = [task('a', 'cancelled', 2), task('b', 'completed', 4), task('d', 'running', 1)]
  const gone = task('e', 'completed', 9)
  expect(runningOf(listed, [...followed, gone]).map(({ id, state }) => [id, state])).toEqual([
    ['b', 'running'],
    ['c', 'pending'],
    ['d', 'running'],
  ])
})
