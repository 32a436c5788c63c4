import { expect, test } from 'vitest'
import { torture } from './testing/torture/torture.ts'

const KILLS = Number(process.env.TORTURE_KILLS ?? 2)

// `npm run torture` runs longer, on both databases and storages.
test('a server that is killed under a load of everything loses nothing acknowledged and leaves nothing', async () => {
  const figures = await torture({
    kills: KILLS,
    seed: 1,
    databaseUrl: null,
    bucket: null,
    clients: 4,
    livesMs: [600, 1200],
    auditEvery: KILLS,
  })
  expect([figures.faults, figures.refusals, figures.bytesLost]).toEqual([[], {}, 0])
  expect(figures.acknowledged).toBeGreaterThanOrEqual(KILLS)
})
