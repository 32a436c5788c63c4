import { expect, test } from 'vitest'
import type { BasketItem } from '../../domains/transfers/archives/basket.ts'
import { groupByFolder, packingRisk } from './basket-groups.ts'

const item = (path: string): BasketItem => ({ path, name: '', size: 0, isDirectory: path.endsWith('/') })

test('items are grouped by their folder', () => {
  const groups = groupByFolder(['/m/a/1', '/m/2', '/m/a/d/', '/m'].map(item))
  expect(groups.map(({ folder, items }) => [folder, items.map(({ path }) => path)])).toEqual([
    ['/m/a', ['/m/a/1', '/m/a/d/']],
    ['/m', ['/m/2']],
    ['/', ['/m']],
  ])
})

const MIB = 1024 * 1024
test.each([
  ['server', 900, true, null],
  ['browser', 100, true, null],
  ['browser', 101, true, 'large'],
  ['browser', 500, false, 'large'],
  ['browser', 501, false, 'huge'],
  ['browser', 501, true, 'memory'],
] as const)('packed by the %s, %d MB, in memory %s: %s', (packer, mib, isInMemory, risk) => {
  expect(packingRisk({ packer, totalBytes: mib * MIB, isInMemory })).toBe(risk)
})
