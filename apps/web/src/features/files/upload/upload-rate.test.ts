import { expect, test } from 'vitest'
import { createRateMeter } from './upload-rate.ts'

test('speed and time left come from the last seconds', () => {
  const meter = createRateMeter(10_000)
  expect(meter.add({ atMs: 0, sentBytes: 0 })).toEqual({ bytesPerSecond: null, remainingSeconds: null })
  expect(meter.add({ atMs: 1000, sentBytes: 1000 })).toEqual({ bytesPerSecond: 1000, remainingSeconds: 9 })
  // The slow start has left the window.
  expect(meter.add({ atMs: 5000, sentBytes: 9000 })).toEqual({ bytesPerSecond: 2000, remainingSeconds: 1 })
})

test('a stalled upload has no time left to tell', () => {
  const meter = createRateMeter(10_000)
  meter.add({ atMs: 0, sentBytes: 500 })
  expect(meter.add({ atMs: 2000, sentBytes: 500 })).toEqual({ bytesPerSecond: 0, remainingSeconds: null })
})
