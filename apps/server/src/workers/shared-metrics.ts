import { randomUUID } from 'node:crypto'
import cluster, { type Worker } from 'node:cluster'
import type { MetricObjectWithValues, MetricValue, Registry } from 'prom-client'

/**
 * Sums the metrics of all workers, because any worker can receive the request for `/metrics`. The worker sends a
 * request to the supervisor, which collects the metrics of all workers and adds them up.
 */

/** Timeout after which a busy or stopping worker is skipped. */
const COLLECT_MS = 2000

type Counted = Array<MetricObjectWithValues<MetricValue<string>>>

type Message =
  | { readonly metrics: 'wanted'; readonly id: string }
  | { readonly metrics: 'collect'; readonly id: string }
  | { readonly metrics: 'collected'; readonly id: string; readonly counted: Counted }
  | { readonly metrics: 'sum'; readonly id: string; readonly text: string }

const isMessage = (message: unknown): message is Message =>
  typeof message === 'object' && message !== null && 'metrics' in message

async function addUp(all: readonly Counted[]): Promise<Registry> {
  const { AggregatorRegistry } = await import('prom-client')
  return AggregatorRegistry.aggregate([...all])
}

/** Metric types that only grow. Prometheus would treat a smaller value as a reset and count everything again. */
const GROWING: ReadonlySet<string> = new Set(['counter', 'histogram'])

const growing = (counted: Counted): Counted => counted.filter(({ type }) => GROWING.has(String(type)))

/**
 * Answers requests of workers for the metrics. Runs in the supervisor.
 * @param serving the workers whose metrics are collected.
 */
export function answerMetrics(serving: ReadonlySet<Worker>): void {
  const open = new Map<
    string,
    { readonly all: Counted[]; readonly finish: () => void; readonly wanted: number }
  >()
  /** The last known metrics of each running worker. */
  const last = new Map<Worker, Counted>()
  /** The sum of the last known growing metrics of all workers that have exited. */
  let ended: Promise<Counted> = Promise.resolve([])

  async function collect(id: string): Promise<string> {
    const asked = [...serving].filter((worker) => worker.isConnected())
    const all: Counted[] = []
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, COLLECT_MS)
      const finish = () => {
        clearTimeout(timer)
        resolve()
      }
      open.set(id, { all, finish, wanted: asked.length })
      for (const worker of asked) worker.send({ metrics: 'collect', id } satisfies Message)
    })
    open.delete(id)
    return (await addUp([...all, await ended])).metrics()
  }

  cluster.on('exit', (worker) => {
    const counted = last.get(worker)
    last.delete(worker)
    if (!counted) return
    ended = ended.then(async (before) => (await addUp([before, growing(counted)])).getMetricsAsJSON())
  })

  cluster.on('message', (worker: Worker, message: unknown) => {
    if (!isMessage(message)) return
    if (message.metrics === 'wanted') {
      void (async () => {
        const text = await collect(message.id)
        if (worker.isConnected()) worker.send({ metrics: 'sum', id: message.id, text } satisfies Message)
      })()
    } else if (message.metrics === 'collected') {
      last.set(worker, message.counted)
      const one = open.get(message.id)
      one?.all.push(message.counted)
      if (one?.all.length === one?.wanted) one?.finish()
    }
  })
}

/**
 * Runs in a worker, and adds the registry of the worker to the sums.
 * @returns a function that renders the sums in Prometheus' text format; without a supervisor, the metrics of this
 * process
 */
export function shareMetrics(registry: Registry): () => Promise<string> {
  if (!cluster.isWorker) return () => registry.metrics()
  const waiting = new Map<string, (text: string) => void>()
  process.on('message', (message: unknown) => {
    if (!isMessage(message)) return
    if (message.metrics === 'collect') {
      void (async () => {
        const counted = await registry.getMetricsAsJSON()
        process.send?.({ metrics: 'collected', id: message.id, counted } satisfies Message)
      })()
    } else if (message.metrics === 'sum') {
      waiting.get(message.id)?.(message.text)
      waiting.delete(message.id)
    }
  })
  return () =>
    new Promise((resolve) => {
      const id = randomUUID()
      waiting.set(id, resolve)
      process.send?.({ metrics: 'wanted', id } satisfies Message)
    })
}
