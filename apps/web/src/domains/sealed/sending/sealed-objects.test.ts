// @vitest-environment jsdom
import { expect, test, vi } from 'vitest'
import { FakeSealWorker } from '../testing/fake-worker.ts'
import { SealedObjects } from './sealed-objects.ts'

const fileOf = (name: string) => ({
  path: name,
  file: new File(['text'], name, { type: 'text/plain', lastModified: 1 }),
  handle: null,
})

test('a file that waits for a new object is saved too', () => {
  vi.stubGlobal('Worker', FakeSealWorker)
  const setting = {
    batch: { id: 'bundle-one', kind: 'bundle', directory: '', addedAtMs: 0 } as const,
    bundleId: 'one',
    place: { configId: 'storage', folder: '' },
    keepAttempt: () => async () => undefined,
  }
  const objects = new SealedObjects(setting)
  objects.add([fileOf('a.txt'), fileOf('b.txt')])
  objects.plan()
  expect(objects.saved().pieces).toMatchObject([
    { path: 'a.txt', object: 0 },
    { path: 'b.txt', object: 0 },
  ])
  // The other file of the same object must be sent again, under a new key.
  objects.remove(0)
  expect(objects.saved()).toMatchObject({ pieces: [{ path: 'b.txt', object: null }], objects: [] })
  vi.unstubAllGlobals()
})
