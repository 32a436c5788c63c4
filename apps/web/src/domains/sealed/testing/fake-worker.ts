import { derivePassword } from '@dropleaf/seal'
import type { KdfAnswer, KdfRequest } from '../kdf/kdf-messages.ts'
import { createPartService, type PartReply, type PartRequest } from '../sending/part-service.ts'

/** Replaces the workers that encrypt and that derive keys. Runs the same code on this thread. */
export class FakeSealWorker extends EventTarget {
  readonly #serve = createPartService((reply: PartReply) => this.#answer(reply))
  #isStopped = false

  postMessage(request: PartRequest | KdfRequest): void {
    if ('password' in request) {
      void this.#derive(request)
      return
    }
    // Clones the state, as a message to a worker does. Files cannot be cloned in this environment.
    this.#serve(request.kind === 'open' ? { ...request, state: structuredClone(request.state) } : request)
  }

  async #derive({ password, kdf }: KdfRequest): Promise<void> {
    try {
      this.#answer({ key: await derivePassword(password, kdf) })
    } catch {
      this.#answer({ failure: null })
    }
  }

  #answer(reply: PartReply | KdfAnswer): void {
    if (!this.#isStopped) this.dispatchEvent(new MessageEvent('message', { data: reply }))
  }

  terminate(): void {
    this.#isStopped = true
  }
}
