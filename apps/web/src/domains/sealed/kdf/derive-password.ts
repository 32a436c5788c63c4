import { type Bytes, type DerivePassword, parseKdf, SealError } from '@dropleaf/seal'
import type { KdfAnswer, KdfRequest } from './kdf-messages.ts'

/** The methods of a worker that this module uses. */
export type KdfWorker = Pick<Worker, 'addEventListener' | 'postMessage' | 'terminate'>

const startWorker = (): KdfWorker =>
  new Worker(new URL('./kdf-worker.ts', import.meta.url), { type: 'module', name: 'kdf' })

/** The error for a failed derivation. In a worker, Argon2id fails if there is not enough memory. */
const failed = () => new Error('The key could not be derived from the password.')

/** @param start starts a worker for one password. Ending the worker removes the password from memory. */
export function createPasswordDerivation(start: () => KdfWorker = startWorker): DerivePassword {
  return async (password, kdf, onProgress) => {
    const request: KdfRequest = { password, kdf: parseKdf(kdf) }
    const worker = start()
    try {
      return await new Promise<Bytes>((resolve, reject) => {
        worker.addEventListener('message', ({ data }: MessageEvent<KdfAnswer>) => {
          if ('key' in data) resolve(data.key)
          else if ('progress' in data) onProgress?.(data.progress)
          else reject(data.failure === null ? failed() : new SealError(data.failure))
        })
        worker.addEventListener('error', () => reject(failed()))
        // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker has the same origin as this page
        worker.postMessage(request)
      })
    } finally {
      worker.terminate()
    }
  }
}

/** Derives the key of a password in a new worker. */
export const derivePassword: DerivePassword = createPasswordDerivation()
