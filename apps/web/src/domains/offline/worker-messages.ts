import type { UnkeptAnswer } from './copies/unkept-answers.ts'

/** What pages tell the service worker. */
export type WorkerMessage =
  /** Answers its version on the port that comes with it. */
  | { readonly type: 'version' }
  /** A waiting version takes over. */
  | { readonly type: 'take-over' }
  | { readonly type: 'keep-answers'; readonly answers: readonly UnkeptAnswer[] }
  /** Who is logged in; copies of others go. */
  | { readonly type: 'identity'; readonly authorization: string | null }

export function sendToWorker(
  worker: ServiceWorker,
  message: WorkerMessage,
  ports: readonly MessagePort[] = [],
): void {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker is of this origin
  worker.postMessage(message, [...ports])
}
