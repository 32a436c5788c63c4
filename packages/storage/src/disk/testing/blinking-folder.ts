import { Worker } from 'node:worker_threads'

/** Starts a thread that creates and removes an empty folder in a loop, until the returned object goes out of scope. */
export function blinkingFolder(path: string) {
  const thread = new Worker(new URL('./blinking-folder.worker.ts', import.meta.url), { workerData: path })
  return { [Symbol.asyncDispose]: async () => void (await thread.terminate()) }
}
