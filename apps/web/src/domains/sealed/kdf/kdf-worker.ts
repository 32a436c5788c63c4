import { derivePassword, SealError } from '@dropleaf/seal'
import type { KdfAnswer, KdfRequest } from './kdf-messages.ts'

/**
 * This worker derives the key of a password. The CSP of pages forbids WebAssembly, but a worker has the CSP of its own
 * response. The server recognises this file by its name.
 */
const send = (answer: KdfAnswer) => postMessage(answer)

async function answer({ password, kdf }: KdfRequest): Promise<void> {
  try {
    send({ key: await derivePassword(password, kdf, (share) => send({ progress: share })) })
  } catch (error) {
    send({ failure: error instanceof SealError ? error.code : null })
  }
}

addEventListener('message', ({ data }: MessageEvent<KdfRequest>) => void answer(data))
