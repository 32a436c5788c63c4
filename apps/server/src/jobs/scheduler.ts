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

/** Runs jobs at the start and then on their schedule. One process at a time runs a job of a name. */
export interface Scheduler {
  add(job: Job): void
  /** Starts the schedule; the first turn of every job begins at once. */
  start(): void
  /** Runs work that nobody waits for: it is logged when it fails, and waited for at the stop. */
  background(name: string, work: (signal: AbortSignal) => Promise<void>): void
  /**
   * Runs work that may take long, and that nobody waits for, beside the jobs. One piece of it goes on at a time, so that however
   * much was asked for, jobs have their turns and everybody has connections; one piece of a subject waits or goes on.
   */
  soon(asked: { name: string; subject: string }, work: (signal: AbortSignal) => Promise<void>): void
  /** Runs every job once, now, and waits. For tests, and for the audit after kills. */
  drain(): Promise<void>
  /** Waits for the work in the background, and for what it begins in turn. */
  settle(): Promise<void>
  /** Tells running jobs to stop and waits for them. */
  stop(): Promise<void>
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

export function createScheduler({
  database,
  log,
  tracing = null,
}: {
  database: Exclusive
  log: FastifyBaseLogger
  tracing?: Tracing | null
}): Scheduler {
  const jobs: Job[] = []
  const timers: NodeJS.Timeout[] = []
  const running = new Set<Promise<void>>()
  const stopping = new AbortController()

  let freeTurns = JOBS_AT_ONCE
  const waiting: Array<() => void> = []

  async function takeTurn(): Promise<void> {
    if (freeTurns > 0) freeTurns -= 1
    else await new Promise<void>((resolve) => void waiting.push(resolve))
  }

  function passTurn(): void {
    const next = waiting.shift()
    if (next) next()
    else freeTurns += 1
  }

  async function inTurn(work: () => Promise<unknown>): Promise<void> {
    await takeTurn()
    try {
      if (!stopping.signal.aborted) await work()
    } finally {
      passTurn()
    }
  }

  const runOnce = (job: Job) =>
    inTurn(() =>
      traced(tracing, `job ${job.name}`, () =>
        database.exclusively(`job:${job.name}`, () => job.run(stopping.signal)),
      ),
    )

  function background(name: string, work: (signal: AbortSignal) => Promise<void>): void {
    if (stopping.signal.aborted) return
    const turn = work(stopping.signal).catch((error: unknown) => {
      if (!stopping.signal.aborted) log.error({ err: error, job: name }, 'background work failed')
    })
    running.add(turn)
    void turn.finally(() => running.delete(turn))
  }

  let lastSoon: Promise<void> = Promise.resolve()
  const subjects = new Set<string>()

  const soon: Scheduler['soon'] = ({ name, subject }, work) => {
    if (subjects.has(subject)) return
    subjects.add(subject)
    background(name, (signal) => {
      const run = after(lastSoon, async () => {
        try {
          if (!signal.aborted) await traced(tracing, `job ${name}`, () => work(signal))
        } finally {
          subjects.delete(subject)
        }
      })
      lastSoon = run.catch(() => undefined)
      return run
    })
  }

  async function settle(): Promise<void> {
    while (running.size > 0) await Promise.allSettled(running)
  }

  const runInBackground = (job: Job) => background(job.name, () => runOnce(job))

  return {
    add: (job) => void jobs.push(job),
    background,
    soon,
    start() {
      for (const job of jobs) {
        runInBackground(job)
        const timer = setInterval(() => runInBackground(job), job.everyMinutes * 60_000)
        timer.unref()
        timers.push(timer)
      }
    },
    settle,
    async drain() {
      await Promise.allSettled(running)
      for (const job of jobs) await runOnce(job)
      await Promise.allSettled(running)
    },
    async stop() {
      for (const timer of timers) clearInterval(timer)
      stopping.abort()
      await Promise.allSettled(running)
    },
  }
}
