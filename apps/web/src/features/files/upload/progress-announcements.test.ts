import { expect, test } from 'vitest'
import { ApiError } from '../../../lib/api-error.ts'
import { announceProgress } from './progress-announcements.ts'
import { newUploadItem, type UploadItem } from './upload-item.ts'

const file = new File([new Uint8Array(100)], 'a.bin')
const item = (id: string, change: Partial<UploadItem>): UploadItem => ({
  ...newUploadItem(id, file),
  ...change,
})
const sent = (id: string, sentBytes: number) => item(id, { status: 'uploading', sentBytes })
const cancelled = (id: string) =>
  item(id, {
    status: 'error',
    error: new ApiError({ kind: 'cancelled', code: 'client.cancelled', message: '' }),
  })

function start() {
  let nowMs = 0
  const tell = announceProgress(() => nowMs)
  return (items: readonly UploadItem[], passedMs = 0) => {
    nowMs += passedMs
    return tell(items)
  }
}

test('a run is told when it begins, at each quarter, and no more when it is over', () => {
  const tell = start()
  expect(tell([item('1', {}), item('2', {})])).toBeNull()
  const began = tell([sent('1', 0), sent('2', 0)])
  expect(began).toEqual({ kind: 'started', count: 2 })
  expect(tell([sent('1', 20), sent('2', 20)], 5000)).toBe(began)
  expect(tell([sent('1', 40), sent('2', 20)], 5000)).toEqual({ kind: 'part', share: 0.25 })
  expect(tell([item('1', { status: 'success' }), sent('2', 60)], 5000)).toEqual({ kind: 'part', share: 0.75 })
  expect(tell([item('1', { status: 'success' }), sent('2', 100)], 5000)).toEqual({
    kind: 'part',
    share: 0.75,
  })
  expect(tell([item('1', { status: 'success' }), item('2', { status: 'success' })])).toBeNull()
  expect(tell([item('1', { status: 'success' }), sent('3', 0)])).toEqual({ kind: 'started', count: 1 })
})

test('what is sent from the beginning again is told so', () => {
  const tell = start()
  tell([sent('1', 0)])
  expect(tell([sent('1', 80)], 5000)).toEqual({ kind: 'part', share: 0.75 })
  expect(tell([sent('1', 5)], 1000)).toEqual({ kind: 'started', count: 1 })
  expect(tell([sent('1', 60)], 5000)).toEqual({ kind: 'part', share: 0.5 })
})

test('what goes fast is not talked over', () => {
  const tell = start()
  const began = tell([sent('1', 0)])
  expect(tell([sent('1', 30)], 1000)).toBe(began)
  expect(tell([sent('1', 60)], 1000)).toBe(began)
  expect(tell([sent('1', 60)], 1000)).toEqual({ kind: 'part', share: 0.5 })
})

test('what was cancelled is told, one by one and all together', () => {
  const tell = start()
  tell([sent('1', 0), sent('2', 0), sent('3', 0)])
  expect(tell([cancelled('1'), sent('2', 0), sent('3', 0)])).toEqual({ kind: 'cancelled', count: 1 })
  const all = tell([cancelled('1'), cancelled('2'), cancelled('3')])
  expect(all).toEqual({ kind: 'cancelled', count: 3 })
  expect(tell([cancelled('1'), cancelled('2'), cancelled('3')])).toBe(all)
  expect(tell([sent('1', 0), cancelled('2'), cancelled('3')])).toEqual({ kind: 'started', count: 1 })
})
