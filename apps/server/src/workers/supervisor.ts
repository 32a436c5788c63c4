import cluster, { type Worker } from 'node:cluster'
import { setTimeout as sleep } from 'node:timers/promises'
import { answerMetrics } from './shared-metrics.ts'

/** Delay before a restart, so that a process that crashes right after its start is not restarted in a tight loop. */
const RESTART_MS = 1000

/** Signals that stop a server. SIGHUP is sent when the terminal of the server closes or disconnects. */
export const STOP_SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/** Message of a worker that serves requests. */
const READY = 'dropleaf: ready'

/** Reports to the supervisor, if there is one, that this process serves requests. */
export function sayReady(): void {
  if (cluster.isWorker) process.send?.(READY)
}

/** Lets this process exit, because the channel to the supervisor would keep it alive. */
export function leaveSupervisor(): void {
  if (cluster.isWorker) cluster.worker?.disconnect()
}

/** Whether this process prints messages on behalf of all workers. */
export const speaksForAll = (): boolean => !cluster.isWorker || cluster.worker?.id === 1

/**
 * Waits until a worker serves requests.
 * @returns `null`; if the worker exits before that, its exit code, or 1 instead of 0
 */
const whenReady = (worker: Worker): Promise<number | null> =>
  new Promise((resolve) => {
    worker.on('message', (message) => {
      if (message === READY) resolve(null)
    })
    worker.once('exit', (code) => resolve(code === 0 ? 1 : code))
  })

/**
 * Runs `count` workers on one port, and replaces workers that exit before a stop. The first worker migrates the
 * database before the others start. Returns when the workers have been started, or when the first one has failed. At a
 * stop, each worker finishes its requests before it exits.
 */
export async function superviseWorkers(count: number): Promise<void> {
  // Workers accept connections themselves. A connection that the supervisor passed on would hang forever if its worker
  // died.
  cluster.schedulingPolicy = cluster.SCHED_NONE
  let isStopping = false
  const stop = (signal: NodeJS.Signals) => {
    isStopping = true
    for (const worker of Object.values(cluster.workers ?? {})) worker?.process.kill(signal)
  }
  // A terminal also signals the workers directly. Workers count two signals in quick succession as one.
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
