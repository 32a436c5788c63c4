// @vitest-environment jsdom
import type { Task, TaskState } from '@dropleaf/contract'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { endSession, startSession } from '../../session/session.ts'
import { onFolderChanged } from './changes.ts'
import {
  cancelTask,
  followTask,
  foldersOf,
  forgetTasks,
  getTasks,
  onTaskEnded,
  refreshTasks,
  retryTask,
  watchTasks,
} from './server-tasks.ts'

const taskOf = (state: TaskState, doneItems = 0): Task => ({
  id: 't1',
  type: 'copy',
  state,
  created_by: 'admin',
  progress: {
    totalItems: 4,
    doneItems,
    failedItems: 0,
    skippedItems: 0,
    totalBytes: null,
    doneBytes: 0,
    current: null,
  },
  request: { items: [{ source: '/m/a/x.txt', target: '/m/b/x.txt' }], conflict: 'rename' },
  failures: [],
  result: null,
  error: null,
  created_at: '2030-01-01T00:00:00Z',
  started_at: null,
  finished_at: null,
  updated_at: '2030-01-01T00:00:00Z',
})

let onServer: Task[] = []
const calls: string[] = []

beforeEach(() => {
  vi.useFakeTimers()
  onServer = []
  calls.length = 0
  startSession({ kind: 'admin', token: 'token' })
  vi.stubGlobal('fetch', (url: string, { method }: RequestInit) => {
    calls.push(`${method} ${url}`)
    if (method === 'DELETE') onServer = []
    if (url.endsWith('/cancel')) onServer = [taskOf('cancelled')]
    if (url.endsWith('/retry')) onServer = [taskOf('running')]
    const data = url.endsWith('/api/tasks') ? { tasks: onServer } : onServer[0]
    return Promise.resolve(Response.json({ code: 200, message: '', success: true, data }))
  })
})
afterEach(async () => {
  onServer = []
  await refreshTasks()
  vi.clearAllTimers()
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

test('a followed task is requested every two seconds until it ends, and its folders are reported as changed', async () => {
  const changed: string[] = []
  const stop = onFolderChanged((directory) => changed.push(directory))
  followTask(taskOf('pending'))
  onServer = [taskOf('running', 2)]
  await vi.advanceTimersByTimeAsync(2000)
  expect(getTasks()[0]).toMatchObject({ state: 'running' })
  expect(changed).toEqual(['/m/a', '/m/b'])
  onServer = [taskOf('completed', 4)]
  await vi.advanceTimersByTimeAsync(2000)
  expect(getTasks()[0]).toMatchObject({ state: 'completed' })
  const asked = calls.length
  await vi.advanceTimersByTimeAsync(60_000)
  expect(calls).toHaveLength(asked)
  stop()
})

test('while the page is visible, tasks of other devices are loaded every twenty seconds', async () => {
  const stop = watchTasks()
  await vi.advanceTimersByTimeAsync(0)
  expect(getTasks()).toEqual([])
  onServer = [taskOf('completed')]
  await vi.advanceTimersByTimeAsync(19_000)
  expect(getTasks()).toEqual([])
  await vi.advanceTimersByTimeAsync(1000)
  expect(getTasks()).toHaveLength(1)
  stop()
})

test('each task that ends is reported once, except those that had ended before the first list', async () => {
  endSession('logout')
  startSession({ kind: 'admin', token: 'token' })
  const ended: string[] = []
  const stop = onTaskEnded(({ id, state }) => ended.push(`${id} ${state}`))
  onServer = [{ ...taskOf('completed'), id: 'old' }]
  await refreshTasks()
  followTask(taskOf('running'))
  expect(ended).toEqual([])
  onServer = [taskOf('completed'), { ...taskOf('failed'), id: 'quick' }]
  await refreshTasks()
  await refreshTasks()
  expect(ended).toEqual(['t1 completed', 'quick failed'])
  stop()
  followTask({ ...taskOf('running'), id: 'later' })
  await cancelTask('later')
  expect(ended).toHaveLength(2)
})

test('cancelling, retrying and deleting call the server', async () => {
  followTask(taskOf('running'))
  await cancelTask('t1')
  expect(getTasks()[0]?.state).toBe('cancelled')
  await retryTask('t1')
  expect(getTasks()[0]?.state).toBe('running')
  await forgetTasks(['t1'])
  expect(getTasks()).toEqual([])
  expect(calls).toEqual(['POST /api/tasks/t1/cancel', 'POST /api/tasks/t1/retry', 'DELETE /api/tasks/t1'])
})

test('the folders of each kind of request', () => {
  expect(foldersOf({ request: { paths: ['/m/a/b/', '/m/c.txt'] } })).toEqual(['/m/a', '/m'])
  expect(foldersOf({ request: { url: 'https://example.com/x', target_path: '/m/in' } })).toEqual(['/m/in'])
  expect(foldersOf({ request: null })).toEqual([])
})
