import cluster, { type Worker } from 'node:cluster'
import { setTimeout as sleep } from 'node:timers/promises'
import { answerMetrics } from './shared-metrics.ts'

/** A process that crashes at once is not restarted in a loop. */
const RESTART_MS = 1000

/** Signals that tell a server to stop. The last one comes when its terminal is closed, or the line to it breaks. */
export const STOP_SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/** What a worker says when it serves. */
const READY = 'dropleaf: ready'

/** Tells the supervisor, if there is one, that this process serves. */
export function sayReady(): void {
  if (cluster.isWorker) process.send?.(READY)
}

/** Lets this process end: the line to the supervisor would keep it. */
export function leaveSupervisor(): void {
  if (cluster.isWorker) cluster.worker?.disconnect()
}

/** Whether this process prints messages for all workers. */
export const speaksForAll = (): boolean => !cluster.isWorker || cluster.worker?.id === 1

/** Waits until a worker serves. @returns its exit code when it ends before that, otherwise `null`. */
const whenReady = (worker: Worker): Promise<number | null> =>
  new Promise((resolve) => {
    worker.on('message', (message) => {
      if (message === READY) resolve(null)
    })
    worker.once('exit', (code) => resolve(code === 0 ? 1 : code))
  })

/**
 * Runs `count` processes that serve on one port, and starts those again that end by themselves. The first brings the database
 * up to date before the others begin. Ends when all of them have ended: each drains by itself.
 */
export async function superviseWorkers(count: number): Promise<void> {
  // Workers accept connections themselves: one passed on by the supervisor would hang forever when its worker dies.
  cluster.schedulingPolicy = cluster.SCHED_NONE
  let isStopping = false
  const stop = (signal: NodeJS.Signals) => {
    isStopping = true
    for (const worker of Object.values(cluster.workers ?? {})) worker?.process.kill(signal)
  }
  // A terminal tells all of its processes by itself; a second word to a worker that stops changes nothing.
  for (const signal of STOP_SIGNALS) process.on(signal, () => stop(signal))
  const serving = new Set<Worker>()
  cluster.on('message', (worker, message) => {
    if (message === READY) serving.add(worker)
  })
  cluster.on('exit', (worker) => serving.delete(worker))
  answerMetrics(serving)

  const failed = await whenReady(cluster.fork())
  if (failed !== null) {
    process.exitCode = isStopping ? 0 : failed
    return
  }
  cluster.on('exit', (worker, code, signal) => {
    if (isStopping) return
    process.stderr.write(`Worker ${worker.process.pid} ended (${signal ?? code}); another takes its place.\n`)
    void sleep(RESTART_MS).then(() => (isStopping ? undefined : void cluster.fork()))
  })
  if (isStopping) return
  for (let more = 1; more < count; more += 1) cluster.fork()
}
