import { derivePassword } from '@dropleaf/seal'
import { put } from '../../api/put-request.ts'
import type { BytesToPut, PutMessage } from '../../api/put.worker.ts'
import type { KdfAnswer, KdfRequest } from '../kdf/kdf-messages.ts'
import { createPartService, type PartReply, type PartRequest } from '../sending/part-service.ts'

/** Replaces the workers that encrypt, derive keys and send parts. Runs the same code on this thread. */
export class FakeSealWorker extends EventTarget {
  readonly #serve = createPartService((reply: PartReply) => this.#answer(reply))
  #isStopped = false

  postMessage(request: PartRequest | KdfRequest | BytesToPut): void {
    if ('bytes' in request) {
      void this.#put(request)
      return
    }
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

  async #put({ request, bytes }: BytesToPut): Promise<void> {
    const { signal } = new AbortController()
    const onProgress = (sentBytes: number) => this.#answer({ sentBytes })
    this.#answer({ reply: await put(request, new Blob([bytes]), { signal, onProgress }) })
  }

  #answer(reply: PartReply | KdfAnswer | PutMessage): void {
    if (!this.#isStopped) this.dispatchEvent(new MessageEvent('message', { data: reply }))
  }

  terminate(): void {
    this.#isStopped = true
  }
}
