import type { FastifyBaseLogger } from 'fastify'
import { traced, type Tracing } from '../tracing/tracing.ts'

/** Work that comes again. It must be safe to repeat, bounded in one turn, and stop when `signal` aborts. */
export interface Job {
  readonly name: string
  readonly everyMinutes: number
  run(signal: AbortSignal): Promise<void>
}

interface Exclusive {
  exclusively<T>(name: string, work: () => Promise<T>): Promise<T | undefined>
}

/**
 * With PostgreSQL a job holds one connection, or two, and works with another: as many jobs at once as the pool has connections
 * would wait for each other, and everybody else with them.
 */
const JOBS_AT_ONCE = 2

async function after(before: Promise<void>, work: () => Promise<void>): Promise<void> {
  await before
  await work()
}

/** Runs jobs at the start and then on their schedule. One process at a time runs a job of a name. */
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

  /** Starts the schedule; the first turn of every job begins at once. */
  start(): void {
    for (const job of this.#jobs) {
      this.#runInBackground(job)
      const timer = setInterval(() => this.#runInBackground(job), job.everyMinutes * 60_000)
      timer.unref()
      this.#timers.push(timer)
    }
  }

  /** Runs work that nobody waits for: it is logged when it fails, and waited for at the stop. */
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
   * Runs work that may take long, and that nobody waits for, beside the jobs. One piece of it goes on at a time, so that however
   * much was asked for, jobs have their turns and everybody has connections; one piece of a subject waits or goes on.
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

  /** Runs every job once, now, and waits. For tests, and for the audit after kills. */
  async drain(): Promise<void> {
    await Promise.allSettled(this.#running)
    for (const job of this.#jobs) await this.#runOnce(job)
    await Promise.allSettled(this.#running)
  }

  /** Waits for the work in the background, and for what it begins in turn. */
  async settle(): Promise<void> {
    while (this.#running.size > 0) await Promise.allSettled(this.#running)
  }

  /** Tells running jobs to stop and waits for them. */
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
