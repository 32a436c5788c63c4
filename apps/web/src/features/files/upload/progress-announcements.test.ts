import { expect, test } from 'vitest'
import type { UploadEntry } from '../../../domains/transfers/uploads/upload-store.ts'
import { announceProgress } from './progress-announcements.ts'

const item = (key: string, change: Partial<UploadEntry>): UploadEntry => ({
  key,
  batch: { id: 'b1', kind: 'share', directory: '', addedAtMs: 0 },
  name: 'a.bin',
  folder: '',
  file: { name: 'a.bin', size: 100, lastModified: 1 },
  handle: null,
  isWaiting: false,
  retryAtMs: null,
  canContinue: true,
  isCut: false,
  state: 'paused',
  stage: null,
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
  ...change,
})
const sent = (id: string, sentBytes: number) =>
  item(id, { state: 'uploading', stage: 'uploading', sentBytes })
const cancelled = (id: string) => item(id, { state: 'aborted' })

function start() {
  let nowMs = 0
  const tell = announceProgress(() => nowMs)
  return (items: readonly UploadEntry[], passedMs = 0) => {
    nowMs += passedMs
    return tell(items)
  }
}

test('an upload is announced at its start and at each quarter, and not after its end', () => {
  const tell = start()
  expect(tell([item('1', {}), item('2', {})])).toBeNull()
  const began = tell([sent('1', 0), sent('2', 0)])
  expect(began).toEqual({ kind: 'started', count: 2 })
  expect(tell([sent('1', 20), sent('2', 20)], 5000)).toBe(began)
  expect(tell([sent('1', 40), sent('2', 20)], 5000)).toEqual({ kind: 'part', share: 0.25 })
  expect(tell([item('1', { state: 'completed' }), sent('2', 60)], 5000)).toEqual({
    kind: 'part',
    share: 0.75,
  })
  expect(tell([item('1', { state: 'completed' }), sent('2', 100)], 5000)).toEqual({
    kind: 'part',
    share: 0.75,
  })
  expect(tell([item('1', { state: 'completed' }), item('2', { state: 'completed' })])).toBeNull()
  expect(tell([item('1', { state: 'completed' }), sent('3', 0)])).toEqual({ kind: 'started', count: 1 })
})

test('a restart of an upload is announced', () => {
  const tell = start()
  tell([sent('1', 0)])
  expect(tell([sent('1', 80)], 5000)).toEqual({ kind: 'part', share: 0.75 })
  expect(tell([sent('1', 5)], 1000)).toEqual({ kind: 'started', count: 1 })
  expect(tell([sent('1', 60)], 5000)).toEqual({ kind: 'part', share: 0.5 })
})

test('a fast upload is not announced in steps', () => {
  const tell = start()
  const began = tell([sent('1', 0)])
  expect(tell([sent('1', 30)], 1000)).toBe(began)
  expect(tell([sent('1', 60)], 1000)).toBe(began)
  expect(tell([sent('1', 60)], 1000)).toEqual({ kind: 'part', share: 0.5 })
})

test('cancellations are announced, individually and all together', () => {
  const tell = start()
  tell([sent('1', 0), sent('2', 0), sent('3', 0)])
  expect(tell([cancelled('1'), sent('2', 0), sent('3', 0)])).toEqual({ kind: 'cancelled', count: 1 })
  const all = tell([cancelled('1'), cancelled('2'), cancelled('3')])
  expect(all).toEqual({ kind: 'cancelled', count: 3 })
  expect(tell([cancelled('1'), cancelled('2'), cancelled('3')])).toBe(all)
  expect(tell([sent('1', 0), cancelled('2'), cancelled('3')])).toEqual({ kind: 'started', count: 1 })
})
