import { derivePassword, SealError } from '@dropleaf/seal'
import type { KdfAnswer, KdfRequest } from './kdf-messages.ts'

/**
 * Computes the key of a password in a file of its own: the policy of pages forbids WebAssembly, and a worker takes the
 * policy of its own response. The server finds this file by its name.
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
