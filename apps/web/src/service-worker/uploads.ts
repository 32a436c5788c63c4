import { worker } from './scope.ts'

/** About the size of a part of an upload. */
const PART_BYTES = 16 * 1024 ** 2

/**
 * Makes the browser free the bodies of uploads. A service worker keeps the body of each request that passes through it
 * until its next garbage collection, but the size of the body does not count towards starting one: after an encrypted
 * upload of 2 GB, 2 GB were left. Memory that the worker allocates does count, so it allocates as much, unused.
 */
export function freeBodiesOfUploads(): void {
  worker.addEventListener('fetch', ({ request }) => {
    if (request.method === 'PUT' && new ArrayBuffer(PART_BYTES).byteLength < PART_BYTES)
      throw new Error('There is no memory.')
  })
}
