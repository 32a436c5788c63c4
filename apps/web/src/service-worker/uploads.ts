import { worker } from './scope.ts'

/** Approximate size of a part of an upload. */
const PART_BYTES = 16 * 1024 ** 2

/**
 * Makes the browser free the bodies of uploads. A service worker retains the body of each request that passes through
 * it until its next garbage collection. The size of these bodies does not trigger a collection, so an encrypted upload
 * of 2 GB left 2 GB in memory. Memory that the worker allocates does trigger a collection. For each PUT request, the
 * worker therefore allocates an unused buffer of the size of a part.
 */
export function freeBodiesOfUploads(): void {
  worker.addEventListener('fetch', ({ request }) => {
    if (request.method === 'PUT' && new ArrayBuffer(PART_BYTES).byteLength < PART_BYTES)
      throw new Error('There is no memory.')
  })
}
