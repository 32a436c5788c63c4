import { setTimeout as sleep } from 'node:timers/promises'
import { requestErrors, type TaskState } from '@dropleaf/contract'
import type { FastifyBaseLogger } from 'fastify'
import type { Kysely } from 'kysely'
import { databaseTrouble } from '../db/database.ts'
import type { Notices } from '../db/notices.ts'
import { specOf } from '../errors/error-specs.ts'
import { AppError } from '../lib/app-error.ts'
import type { Clock } from '../lib/clock.ts'
import { newId } from '../lib/ids.ts'
import { traced, type Tracing } from '../tracing/tracing.ts'
import { CANCELLED, HeldTask, LEASE_MS, type TaskHandler, WRITE_DOWN_MS } from './running-task.ts'
import { type TaskFilter, TaskStore } from './task-store.ts'
import { type Checkpoint, type NewTask, noProgress, outcomeOf, rowOf } from './tasks.models.ts'
import type { TaskRow, TasksTable } from './tasks.table.ts'

const TOGETHER = 3
/** A task that a request waits for starts immediately if fewer tasks than this run, even if no slot is free. */
const WAITED_FOR_TOGETHER = 8
const POLL_MS = 5000
/** Polling interval for a task that another process runs. */
const LOOK_MS = 100
const RETRY_AFTER_SECONDS = 10
/** Delay before a retry while the database is unreachable. */
const AWAY_MS = 1000
const AWAY_TRIES = 10
/**
 * Maximum number of runs of a task that did not end cleanly, for example because of a crash or an unreachable database.
 */
const MAX_ATTEMPTS = 10

const STOPPING = Symbol('stopping')

/** The outcome of one run of a task. */
interface RunEnd {
  readonly state: TaskState
  readonly error_code?: string
  readonly attempts?: number
}

/** Runs work that is safe to repeat, and retries while the database is unreachable. */
async function patiently<T>(work: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await work()
    } catch (error) {
      if (tries === AWAY_TRIES || databaseTrouble(error) !== 'away') throw error
      await sleep(AWAY_MS)
    }
  }
}

const away = () => new AppError(requestErrors.unavailable, { retryAfterSeconds: RETRY_AFTER_SECONDS })

export interface TaskQueueOptions {
  readonly db: Kysely<{ tasks: TasksTable } & object>
  readonly clock: Clock
  readonly notices: Notices
  readonly log: FastifyBaseLogger
  readonly tracing?: Tracing | null
}

interface TaskRun {
  readonly abort: AbortController
  readonly done: Promise<unknown>
  /** Whether the task runs within a request, and so does not count against the limit. */
  readonly isAttended: boolean
}

/**
 * Runs background work that outlasts a request. Tasks are stored in the database, resume after a restart, and can be
 * cancelled from any replica.
 */
export class TaskQueue {
  readonly #store: TaskStore
  readonly #clock: Clock
  readonly #notices: Notices
  readonly #log: FastifyBaseLogger
  readonly #tracing: Tracing | null
  readonly #handlers = new Map<string, TaskHandler>()
  readonly #runs = new Map<string, TaskRun>()
  readonly #me = newId()
  readonly #unsubscribe: () => void
  #isStarted = false
  #isStopping = false
  #poll: NodeJS.Timeout | undefined

  constructor({ db, clock, notices, log, tracing = null }: TaskQueueOptions) {
    this.#store = new TaskStore(db)
    this.#clock = clock
    this.#notices = notices
    this.#log = log
    this.#tracing = tracing
    this.#unsubscribe = notices.subscribe('task.cancel', (payload) => {
      this.#runs.get((payload as { id: string }).id)?.abort.abort(CANCELLED)
    })
  }

  handle(type: string, handler: TaskHandler): void {
    this.#handlers.set(type, handler)
  }

  /** Adds a task; it starts when a slot is free. */
  async add(task: NewTask): Promise<TaskRow> {
    const row = rowOf(task, this.#clock.nowMs())
    await this.#store.insert(row)
    this.#fillSoon()
    return row
  }

  /**
   * Adds a task, and waits at most `waitMs` for its end. Does not wait if too many tasks run.
   * @returns the task in its state after the wait
   */
  async run(task: NewTask, waitMs: number): Promise<TaskRow> {
    const row = rowOf(task, this.#clock.nowMs())
    await this.#store.insert(row)
    if (this.#takenRoom() < WAITED_FOR_TOGETHER && (await this.#begin(row.id)))
      await this.#waitFor(row.id, waitMs)
    return (await this.#store.find(row.id)) ?? row
  }

  /**
   * Adds a task and immediately starts it in this process, regardless of the limit.
   * @returns the ended task, whichever process ended it
   * @throws {AppError} `request.unavailable` if this process is stopping, either before it adds the task, or when it
   * leaves the task for the next start; also if the interrupted task has been deleted
   */
  async runToEnd(task: NewTask): Promise<TaskRow> {
    if (this.#isStopping) throw away()
    const nowMs = this.#clock.nowMs()
    const row: TaskRow = {
      ...rowOf(task, nowMs),
      state: 'running',
      attempts: 1,
      started_at_ms: nowMs,
      lease_owner: this.#me,
      lease_until_ms: nowMs + LEASE_MS,
    }
    const abort = new AbortController()
    const done = this.#attend(row, abort)
    this.#runs.set(row.id, { abort, done, isAttended: true })
    return (await done) ?? this.#endElsewhere(row.id)
  }

  find(id: string): Promise<TaskRow | undefined> {
    return this.#store.find(id)
  }

  findLastOf(subject: string): Promise<TaskRow | undefined> {
    return this.#store.findLastOf(subject)
  }

  /** Whether a task with this subject is pending or running, in any process. */
  isUnderWay(subject: string): Promise<boolean> {
    return this.#store.isUnderWay(subject)
  }

  list(filter: TaskFilter, limit: number): Promise<TaskRow[]> {
    return this.#store.list(filter, limit)
  }

  /** Cancels a task; finished work is not undone. */
  async cancel(id: string): Promise<void> {
    if (await this.#store.cancelPending(id, this.#clock.nowMs())) return
    await this.#store.requestCancel(id)
    await this.#notices.publish({ topic: 'task.cancel', payload: { id } })
    await this.#waitFor(id, WRITE_DOWN_MS * 2)
  }

  /** Restarts a failed, cancelled or partially complete task. @returns whether the task was in such a state */
  async retry(id: string): Promise<boolean> {
    const row = await this.#store.find(id)
    const left = row?.checkpoint ? (JSON.parse(row.checkpoint) as Checkpoint).value : {}
    const checkpoint: Checkpoint = {
      value: { ...(left as object), again: true },
      progress: noProgress(),
      failures: [],
    }
    const isOpen = await this.#store.reopen(id, {
      nowMs: this.#clock.nowMs(),
      progress: JSON.stringify(noProgress()),
      checkpoint: JSON.stringify(checkpoint),
    })
    if (isOpen) this.#fillSoon()
    return isOpen
  }

  /** Deletes ended tasks. @returns the number of deleted tasks */
  clear(filter: { owner?: string | undefined; id?: string; beforeMs?: number }): Promise<number> {
    return this.#store.deleteEnded(filter)
  }

  /** Begins to run pending tasks. `isAlone` means that no other process uses this database. */
  async start({ isAlone }: { isAlone: boolean }): Promise<void> {
    if (isAlone) await this.#store.releaseAll()
    this.#isStarted = true
    this.#poll = setInterval(() => void this.#fill(), POLL_MS)
    this.#poll.unref()
    void this.#fill()
  }

  /** Runs until no task is pending. Used by tests and benchmarks. */
  async drain(): Promise<void> {
    for (;;) {
      const waiting = await this.#store.findClaimable(this.#clock.nowMs(), TOGETHER)
      for (const { id } of waiting) await this.#begin(id)
      await Promise.allSettled([...this.#runs.values()].map((run) => run.done))
      if (waiting.length === 0) return
    }
  }

  /** Stops running tasks, which resume at the next start. */
  async stop(): Promise<void> {
    this.#isStopping = true
    clearInterval(this.#poll)
    this.#unsubscribe()
    const running = [...this.#runs.values()]
    for (const run of running) run.abort.abort(STOPPING)
    await Promise.allSettled(running.map((run) => run.done))
  }

  /** @returns the ended task, or `null` if it did not end in this process */
  async #work(row: TaskRow, abort: AbortController): Promise<TaskRow | null> {
    const task = new HeldTask(row, {
      store: this.#store,
      holder: this.#me,
      abort,
      clock: this.#clock,
      log: this.#log,
    })
    const end = await task.during(() => this.#endOf(row, task))
    const isOver = end.state !== 'pending'
    const change = {
      ...task.columns(),
      ...end,
      ...(isOver && { finished_at_ms: this.#clock.nowMs(), result: task.result }),
      lease_owner: null,
      lease_until_ms: null,
    }
    const held = await patiently(() => this.#store.update(row.id, this.#me, change))
    return isOver && held ? { ...row, ...change } : null
  }

  async #endOf(row: TaskRow, task: HeldTask): Promise<RunEnd> {
    const handler = this.#handlers.get(row.type)
    try {
      if (!handler) throw new Error(`Nobody works on tasks of the type ${row.type}.`)
      if (row.attempts > MAX_ATTEMPTS) throw new Error('The task was begun too often.')
      if (row.cancel_requested === 1) return { state: 'cancelled' }
      await traced(this.#tracing, `task ${row.type}`, () => handler(task))
      // Throws if the signal has aborted, because a handler that the signal interrupted can return without an error.
      task.signal.throwIfAborted()
      return { state: outcomeOf(task.progress) }
    } catch (error) {
      return await this.#endOfBroken(row, task, error)
    }
  }

  async #endOfBroken(row: TaskRow, task: HeldTask, thrown: unknown): Promise<RunEnd> {
    const reason: unknown = task.signal.aborted ? task.signal.reason : null
    const isRefused = reason instanceof AppError
    if (reason === CANCELLED) return { state: 'cancelled' }
    // A run that a stop interrupted does not count as an attempt.
    if (reason !== null && !isRefused) return { state: 'pending', attempts: row.attempts - 1 }
    const error = isRefused ? reason : thrown
    if (databaseTrouble(error) === 'away') {
      this.#log.warn({ err: error, task: row.id, type: row.type }, 'a task waits for the database')
      await sleep(AWAY_MS)
      return { state: 'pending' }
    }
    const { code } = specOf(error)
    if (code === 'request.internal')
      this.#log.error({ err: error, task: row.id, type: row.type }, 'a task failed')
    const isPartly = task.progress.doneItems > 0
    const params = error instanceof AppError ? error.params : {}
    task.fail({ path: task.progress.current ?? '', code, params })
    return { state: isPartly ? 'partially_complete' : 'failed', error_code: code }
  }

  #takenRoom(): number {
    return [...this.#runs.values()].filter(({ isAttended }) => !isAttended).length
  }

  /** Starts a task in this process. Returns `false` if this process could not claim the task. */
  async #begin(id: string): Promise<boolean> {
    if (this.#runs.has(id)) return true
    const abort = new AbortController()
    // Registers the run before the first `await`, so that this process does not start the task twice.
    const started = Promise.withResolvers<boolean>()
    this.#runs.set(id, { abort, done: this.#runOnce(id, abort, started), isAttended: false })
    return started.promise
  }

  async #runOnce(id: string, abort: AbortController, started: PromiseWithResolvers<boolean>): Promise<void> {
    try {
      const nowMs = this.#clock.nowMs()
      const row = await this.#store.claim(id, { owner: this.#me, nowMs, untilMs: nowMs + LEASE_MS })
      started.resolve(row !== undefined)
      if (row) await this.#work(row, abort)
    } catch (error) {
      started.resolve(false)
      this.#log.error({ err: error, task: id }, 'a task was interrupted; it restarts')
    } finally {
      this.#runs.delete(id)
      this.#fillSoon()
    }
  }

  #fillSoon(): void {
    if (this.#isStarted) void this.#fill()
  }

  /** Starts pending tasks while slots are free. */
  async #fill(): Promise<void> {
    if (this.#isStopping || this.#takenRoom() >= TOGETHER) return
    try {
      for (const { id } of await this.#store.findClaimable(this.#clock.nowMs(), TOGETHER)) {
        if (this.#takenRoom() < TOGETHER && !this.#isStopping) await this.#begin(id)
      }
    } catch (error) {
      if (!this.#isStopping) this.#log.warn({ err: error }, 'pending tasks could not be read')
    }
  }

  /** Adds and runs a task that this process has claimed. @returns the ended task, or `null` if it was interrupted */
  async #attend(row: TaskRow, abort: AbortController): Promise<TaskRow | null> {
    try {
      await this.#store.insert(row)
      return await this.#work(row, abort).catch((error: unknown) => {
        this.#log.error({ err: error, task: row.id }, 'a task was interrupted; it restarts')
        return null
      })
    } finally {
      this.#runs.delete(row.id)
      this.#fillSoon()
    }
  }

  /**
   * Waits for the end of a task that was interrupted here and can resume in any process.
   * @throws {AppError} `request.unavailable` if this process stops first, or if the task has been deleted
   */
  async #endElsewhere(id: string): Promise<TaskRow> {
    for (;;) {
      const row = await this.#store.find(id)
      if (row && row.state !== 'pending' && row.state !== 'running') return row
      if (!row || this.#isStopping) throw away()
      await sleep(LOOK_MS)
    }
  }

  async #waitFor(id: string, waitMs: number): Promise<void> {
    const timer = Promise.withResolvers<void>()
    const timeout = setTimeout(timer.resolve, waitMs)
    await Promise.race([this.#runs.get(id)?.done, timer.promise])
    clearTimeout(timeout)
  }
}
