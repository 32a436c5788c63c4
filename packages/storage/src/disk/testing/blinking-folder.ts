import { Worker } from 'node:worker_threads'

/** A thread that makes and removes an empty folder without rest, until it goes out of scope. */
export function blinkingFolder(path: string) {
  const thread = new Worker(new URL('./blinking-folder.worker.ts', import.meta.url), { workerData: path })
  return { [Symbol.asyncDispose]: async () => void (await thread.terminate()) }
}
