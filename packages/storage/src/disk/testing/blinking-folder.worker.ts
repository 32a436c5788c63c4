import { mkdirSync, rmdirSync } from 'node:fs'
import { workerData } from 'node:worker_threads'

for (;;) {
  attempt(mkdirSync)
  attempt(rmdirSync)
}

function attempt(step: (path: string) => void) {
  try {
    step(workerData)
  } catch {
    // The other thread has already created or removed the folder.
  }
}
