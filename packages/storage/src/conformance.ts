import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Bench, type Harness } from './conformance/fixture.ts'
import { folderCases } from './conformance/folders.ts'
import { listingCases } from './conformance/listing.ts'
import { moveCases } from './conformance/moves.ts'
import { multipartCases } from './conformance/multipart.ts'
import { objectCases } from './conformance/objects.ts'
import { removalCases } from './conformance/removal.ts'
import { writeCases } from './conformance/writes.ts'

export type { Harness }

/**
 * Declares the test cases that every driver must pass. Call it in a Vitest file. If drivers can differ in a case, the
 * case checks the driver's capabilities. Without a driver, the cases count as skipped. The storage can contain other
 * objects, because the cases use only their own folders.
 */
export function storageConformance(name: string, makeDriver: (() => Promise<Harness>) | null): void {
  describe.skipIf(makeDriver === null)(`storage: ${name}`, () => {
    let harness: Harness | undefined
    const bench = () => {
      if (!harness) throw new Error('The storage did not start.')
      return new Bench(harness)
    }
    beforeAll(async () => {
      harness = await makeDriver?.()
    })
    afterAll(async () => {
      await harness?.driver.close()
      await harness?.cleanup()
    })

    test('probe proves that the storage can be written, and leaves nothing', async () => {
      const { driver, harness } = bench()
      const { freeBytes } = await driver.probe()
      expect(freeBytes === null || freeBytes > 0).toBe(true)
      expect(await harness.leftovers?.()).toEqual(harness.leftovers && [])
    })
    objectCases(bench)
    writeCases(bench)
    folderCases(bench)
    listingCases(bench)
    removalCases(bench)
    moveCases(bench)
    multipartCases(bench)
  })
}
