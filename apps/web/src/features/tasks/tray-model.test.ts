import type { Task } from '@dropleaf/contract'
import { expect, test } from 'vitest'
import { forgetJobs, getJobs, registerJob } from '../../domains/transfers/tasks/local-jobs.ts'
import { matchFiles } from '../../domains/transfers/uploads/continue-upload.ts'
import type { UploadEntry } from '../../domains/transfers/uploads/upload-store.ts'
import { statusOf } from '../../domains/transfers/uploads/upload-status.ts'
import {
  batchesOf,
  groupOf,
  isBatchActive,
  needingFile,
  sharedSlugOf,
  standstillOf,
  subjectOf,
  taskShare,
  totalsOf,
} from './tray-model.ts'

const batch = { id: 'b1', kind: 'mount', directory: '/m', addedAtMs: 0 } as const

const entryOf = (fields: Partial<UploadEntry>): UploadEntry => ({
  key: 'k',
  batch,
  name: 'a.txt',
  folder: '',
  file: { name: 'a.txt', size: 100, lastModified: 1 },
  handle: null,
  isWaiting: false,
  retryAtMs: null,
  canContinue: true,
  isCut: false,
  state: 'uploading',
  stage: 'uploading',
  id: 'id',
  sizeBytes: 100,
  sentBytes: 0,
  parts: [],
  hasSource: true,
  fingerprint: null,
  error: null,
  result: null,
  bytesPerSecond: null,
  remainingSeconds: null,
  isStill: false,
  ...fields,
})

const taskOf = (fields: Partial<Task['progress']>, state: Task['state'] = 'running'): Task => ({
  id: 't',
  type: 'copy',
  state,
  created_by: 'admin',
  progress: {
    totalItems: null,
    doneItems: 0,
    failedItems: 0,
    skippedItems: 0,
    totalBytes: null,
    doneBytes: 0,
    current: null,
    ...fields,
  },
  request: null,
  failures: [],
  result: null,
  error: null,
  created_at: '',
  started_at: null,
  finished_at: null,
  updated_at: '',
})

test('an upload is described by what it waits for', () => {
  expect(statusOf(entryOf({ stage: 'processing' }))).toBe('processing')
  expect(statusOf(entryOf({ state: 'paused', stage: null }))).toBe('paused')
  expect(statusOf(entryOf({ state: 'paused', stage: null, isWaiting: true }))).toBe('waiting')
  expect(statusOf(entryOf({ state: 'paused', stage: null, hasSource: false }))).toBe('needsFile')
  expect(statusOf(entryOf({ state: 'failed', stage: null, retryAtMs: 5 }))).toBe('retrying')
  expect(statusOf(entryOf({ state: 'aborted', stage: null }))).toBe('cancelled')
  expect(statusOf(entryOf({ isStill: true }))).toBe('still')
  expect(statusOf(entryOf({ isStill: true, stage: 'processing' }))).toBe('processing')
  expect(statusOf(entryOf({ state: 'failed', stage: null, retryAtMs: 5, isCut: true }))).toBe('offline')
})

test('a batch has the common reason for which all its running uploads wait', () => {
  const standstill = (...all: Partial<UploadEntry>[]) => batchesOf(all.map(entryOf)).map(standstillOf)
  expect(standstill({ isCut: true }, { isCut: true }, { isWaiting: true })).toEqual(['offline'])
  expect(standstill({ isStill: true })).toEqual(['still'])
  expect(standstill({ isStill: true }, {})).toEqual([null])
})

test('a batch sums up its files, without those that were cancelled', () => {
  const [view] = batchesOf([
    entryOf({ state: 'completed', stage: 'completed', sentBytes: 100 }),
    entryOf({ sentBytes: 20, bytesPerSecond: 10 }),
    entryOf({ sentBytes: 30, bytesPerSecond: 30 }),
    entryOf({ state: 'aborted', stage: null }),
  ])
  expect(view).toMatchObject({
    doneCount: 1,
    cancelledCount: 1,
    sizeBytes: 300,
    sentBytes: 150,
    bytesPerSecond: 40,
    remainingSeconds: 4,
  })
})

test('a batch is active while one of its uploads runs or can be resumed', () => {
  const isActive = (fields: Partial<UploadEntry>) => batchesOf([entryOf(fields)]).some(isBatchActive)
  expect(isActive({})).toBe(true)
  expect(isActive({ state: 'paused', stage: null })).toBe(true)
  expect(isActive({ state: 'failed', stage: null, retryAtMs: 5 })).toBe(true)
  expect(isActive({ state: 'failed', stage: null })).toBe(false)
  expect(isActive({ state: 'completed', stage: 'completed' })).toBe(false)
})

test('an upload that needs its file waits for the user, until part of its batch runs', () => {
  const needing = { state: 'paused', stage: null, hasSource: false } as const
  const groups = (...all: Partial<UploadEntry>[]) => batchesOf(all.map(entryOf)).map(groupOf)
  expect(groups(needing)).toEqual(['waiting'])
  expect(groups(needing, { state: 'completed', stage: 'completed' })).toEqual(['waiting'])
  expect(groups(needing, {})).toEqual(['active'])
  expect(groups({ ...needing, hasSource: true })).toEqual(['paused'])
  expect(groups({ ...needing, hasSource: true }, needing)).toEqual(['waiting'])
  expect(groups({ ...needing, hasSource: true }, {})).toEqual(['active'])
  expect(groups({ ...needing, isWaiting: true })).toEqual(['active'])
  expect(groups({ state: 'failed', stage: null })).toEqual(['ended'])
  expect(batchesOf([entryOf(needing), entryOf({})]).map((view) => needingFile(view).length)).toEqual([1])
})

test('files that are chosen again go to the uploads that began with them', () => {
  const file = (name: string, size = 100) => ({ name, size, lastModified: 1 })
  const entries = [
    entryOf({ key: 'a', file: file('a') }),
    entryOf({ key: 'b', file: file('b') }),
    entryOf({ key: 'b2', file: file('b') }),
  ]
  const { found, others } = matchFiles(entries, [file('b'), file('b'), file('a', 99), file('c')])
  expect(found.map(({ entry }) => entry.key)).toEqual(['b', 'b2'])
  expect(others).toEqual([file('a', 99), file('c')])
})

test('the button counts running uploads and those that need the user', () => {
  const batches = batchesOf([
    entryOf({ sentBytes: 50 }),
    entryOf({ state: 'paused', stage: null, hasSource: false, batch: { ...batch, id: 'b2' } }),
    entryOf({ state: 'failed', stage: null, batch: { ...batch, id: 'b3' } }),
  ])
  const tasks = [
    taskOf({ totalItems: 4, doneItems: 1, failedItems: 1, skippedItems: 1 }),
    taskOf({}, 'failed'),
  ]
  const totals = { activeCount: 2, problemCount: 2, pausedCount: 0, share: 0.625 }
  expect(totalsOf({ batches, tasks, jobs: [] })).toEqual(totals)
  const paused = batchesOf([entryOf({ state: 'paused', stage: null }), entryOf({ state: 'completed' })])
  expect(totalsOf({ batches: paused, tasks: [], jobs: [] })).toMatchObject({ activeCount: 0, pausedCount: 1 })
})

test('the progress of a task is by bytes, otherwise by items, otherwise unknown', () => {
  expect(taskShare(taskOf({ totalBytes: 200, doneBytes: 50, totalItems: 2 }))).toBe(0.25)
  expect(taskShare(taskOf({ totalItems: 4, doneItems: 2 }))).toBe(0.5)
  expect(taskShare(taskOf({}))).toBeNull()
  expect(taskShare(taskOf({}, 'completed'))).toBe(1)
})

test('what a task is about', () => {
  const about = (request: unknown) => subjectOf({ request })
  expect(about({ items: [{ source: '/m/photos/', target: '/n/photos/' }] })).toEqual({ name: 'photos' })
  expect(about({ paths: ['/m/a', '/m/b'] })).toEqual({ count: 2 })
  expect(about({ url: 'https://example.com/x.iso', filename: null })).toEqual({
    name: 'https://example.com/x.iso',
  })
  expect(about(null)).toEqual({ count: 0 })
  expect(sharedSlugOf({ result: { slug: 'abc' } })).toBe('abc')
  expect(sharedSlugOf({ result: null })).toBeNull()
})

test('work of this tab is registered, reports progress, ends, and is removed only then', () => {
  const job = registerJob({ kind: 'pack', name: 'basket.zip', cancel: null, totalBytes: 10 })
  job.update({ doneBytes: 5, stage: 'downloading' })
  const [shown] = getJobs()
  expect(shown).toMatchObject({ state: 'running', doneBytes: 5, totalBytes: 10 })
  forgetJobs([shown?.id ?? ''])
  expect(getJobs()).toHaveLength(1)
  job.end('failed', { failures: ['a.txt'] })
  expect(getJobs()[0]).toMatchObject({ state: 'failed', failures: ['a.txt'] })
  forgetJobs([shown?.id ?? ''])
  expect(getJobs()).toEqual([])
})
