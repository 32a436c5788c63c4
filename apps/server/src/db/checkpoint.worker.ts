import { DatabaseSync } from 'node:sqlite'
import { parentPort, workerData } from 'node:worker_threads'

/** The thread of `checkpoints.ts`: brings the log of a database into its file as far as nobody is in the way. */
const database = new DatabaseSync(workerData as string)
const checkpoint = database.prepare('PRAGMA wal_checkpoint(PASSIVE)')

parentPort?.on('message', () => {
  checkpoint.get()
  parentPort?.postMessage(null, [])
})
