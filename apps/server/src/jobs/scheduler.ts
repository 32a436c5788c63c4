import type { FastifyBaseLogger } from 'fastify'
import { traced, type Tracing } from '../tracing/tracing.ts'

/** A periodic job. Each run must be idempotent and bounded, and stop when `signal` aborts. */
export interface Job {
  readonly name: string
  readonly everyMinutes: number
  run(signal: AbortSignal): Promise<void>
}

interface Exclusive {
  exclusively<T>(name: string, work: () => Promise<T>): Promise<T | undefined>
}

/**
 * Maximum number of concurrent jobs. On PostgreSQL, a job holds up to two connections and needs another connection.
 * Many jobs could occupy the whole connection pool and block all requests.
 */
const JOBS_AT_ONCE = 2

async function after(before: Promise<void>, work: () => Promise<void>): Promise<void> {
  await before
  await work()
}

/** Runs jobs at the start and then periodically. Only one process at a time runs a job with a given name. */
export class Scheduler {
  readonly #database: Exclusive
  readonly #log: FastifyBaseLogger
  readonly #tracing: Tracing | null
  readonly #jobs: Job[] = []
  readonly #timers: NodeJS.Timeout[] = []
  readonly #running = new Set<Promise<void>>()
  readonly #stopping = new AbortController()
  readonly #waiting: Array<() => void> = []
  readonly #subjects = new Set<string>()
  #freeTurns = JOBS_AT_ONCE
  #lastSoon: Promise<void> = Promise.resolve()

  constructor({
    database,
    log,
    tracing = null,
  }: {
    database: Exclusive
    log: FastifyBaseLogger
    tracing?: Tracing | null
  }) {
    this.#database = database
    this.#log = log
    this.#tracing = tracing
  }

  add(job: Job): void {
    this.#jobs.push(job)
  }

  /** Starts the schedule. Every job runs immediately. */
  start(): void {
    for (const job of this.#jobs) {
      this.#runInBackground(job)
      const timer = setInterval(() => this.#runInBackground(job), job.everyMinutes * 60_000)
      timer.unref()
      this.#timers.push(timer)
    }
  }

  /** Runs work in the background and logs its failure. A stop waits for the work. */
  background(name: string, work: (signal: AbortSignal) => Promise<void>): void {
    const { signal } = this.#stopping
    if (signal.aborted) return
    const turn = work(signal).catch((error: unknown) => {
      if (!signal.aborted) this.#log.error({ err: error, job: name }, 'background work failed')
    })
    this.#running.add(turn)
    void turn.finally(() => this.#running.delete(turn))
  }

  /**
   * Queues long work in the background, separately from the jobs. Runs one piece of work at a time, so that jobs and
   * requests still get connections. At most one piece of work per subject is queued or running.
   */
  soon(
    { name, subject }: { name: string; subject: string },
    work: (signal: AbortSignal) => Promise<void>,
  ): void {
    if (this.#subjects.has(subject)) return
    this.#subjects.add(subject)
    this.background(name, (signal) => {
      const run = after(this.#lastSoon, async () => {
        try {
          if (!signal.aborted) await traced(this.#tracing, `job ${name}`, () => work(signal))
        } finally {
          this.#subjects.delete(subject)
        }
      })
      this.#lastSoon = run.catch(() => undefined)
      return run
    })
  }

  /** Runs every job once. Used by tests, and by the checks after crash tests. */
  async drain(): Promise<void> {
    await Promise.allSettled(this.#running)
    for (const job of this.#jobs) await this.#runOnce(job)
    await Promise.allSettled(this.#running)
  }

  /** Waits for background work, and for further work that it starts. */
  async settle(): Promise<void> {
    while (this.#running.size > 0) await Promise.allSettled(this.#running)
  }

  /** Aborts running jobs and waits for them. */
  async stop(): Promise<void> {
    for (const timer of this.#timers) clearInterval(timer)
    this.#stopping.abort()
    await Promise.allSettled(this.#running)
  }

  #runInBackground(job: Job): void {
    this.background(job.name, () => this.#runOnce(job))
  }

  #runOnce(job: Job): Promise<void> {
    return this.#inTurn(() =>
      traced(this.#tracing, `job ${job.name}`, () =>
        this.#database.exclusively(`job:${job.name}`, () => job.run(this.#stopping.signal)),
      ),
    )
  }

  async #inTurn(work: () => Promise<unknown>): Promise<void> {
    await this.#takeTurn()
    try {
      if (!this.#stopping.signal.aborted) await work()
    } finally {
      this.#passTurn()
    }
  }

  async #takeTurn(): Promise<void> {
    if (this.#freeTurns > 0) this.#freeTurns -= 1
    else await new Promise<void>((resolve) => void this.#waiting.push(resolve))
  }

  #passTurn(): void {
    const next = this.#waiting.shift()
    if (next) next()
    else this.#freeTurns += 1
  }
}
