import { expect, test } from 'vitest'
import { PARTS_MAX } from '../parts.ts'
import { planWrite } from './part-plan.ts'

const MIB = 1024 ** 2
const GIB = 1024 ** 3
const TIB = 1024 ** 4

test.each([
  ['just above what is gathered', MIB + 1],
  ['the most', 64 * MIB],
])('one streamed request: %s', (_name, sizeBytes) => {
  expect(planWrite({ sizeBytes })).toEqual({ kind: 'stream', sizeBytes })
})

test.each([
  ['small', { sizeBytes: MIB }, 6, 3],
  ['just too large for one request', { sizeBytes: 64 * MIB + 1 }, 6, 3],
  ['10 GiB', { sizeBytes: 10 * GIB }, 6, 3],
  ['100 GiB', { sizeBytes: 100 * GIB }, 11, 2],
  ['1 TiB, in parts that are not gathered', { sizeBytes: TIB }, 105, 1],
  ['unknown with a limit', { maxBytes: 100 * GIB }, 11, 2],
  ['unknown with a limit above what gathered parts hold', { maxBytes: TIB }, 16, 2],
  ['unknown without a limit', {}, 16, 2],
  ['unknown with an endless limit', { maxBytes: Infinity }, 16, 2],
])('parts: %s', (_name, limits, partSizeMib, partsAtOnce) => {
  const partSizeBytes = partSizeMib * MIB
  expect(planWrite(limits)).toMatchObject({ kind: 'parts', partSizeBytes, partsAtOnce })
})

test('the parts in memory, including the one being buffered, never exceed 48 MiB', () => {
  for (let sizeBytes = 65 * MIB; sizeBytes < 48 * TIB; sizeBytes = Math.ceil(sizeBytes * 1.3)) {
    const plan = planWrite({ sizeBytes })
    if (plan.kind !== 'parts') throw new Error('Not in parts.')
    expect(plan.partSizeBytes * PARTS_MAX).toBeGreaterThanOrEqual(sizeBytes)
    if (plan.isGathered) expect((plan.partsAtOnce + 1) * plan.partSizeBytes).toBeLessThanOrEqual(48 * MIB)
    else expect(plan.partsAtOnce).toBe(1)
  }
})
