import type { UncachedAnswer } from './copies/uncached-answers.ts'

/** Messages from pages to the service worker. */
export type WorkerMessage =
  /** Asks whether the service worker serves decrypted files at virtual URLs, and which downloads it is forwarding. */
  | { readonly type: 'virtual-ping' }
  /** Asks the worker to post its version to the port of the message. */
  | { readonly type: 'version' }
  /** Activates a waiting version. */
  | { readonly type: 'take-over' }
  | { readonly type: 'keep-answers'; readonly answers: readonly UncachedAnswer[] }
  /** Announces the current user. The worker removes cached responses of other users. */
  | { readonly type: 'identity'; readonly authorization: string | null }

export function sendToWorker(
  worker: ServiceWorker,
  message: WorkerMessage,
  ports: readonly MessagePort[] = [],
): void {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker has the same origin as this page
  worker.postMessage(message, [...ports])
}
