import { setTimeout as sleep } from 'node:timers/promises'
import { requestErrors, type TaskState } from '@dropleaf/contract'
import type { FastifyBaseLogger } from 'fastify'
import type { Kysely } from 'kysely'
import { databaseTrouble } from '../db/database.ts'
import type { Notices } from '../db/notices.ts'
import { specOf } from '../errors/error-specs.ts'
import { AppError, type ErrorParams } from '../lib/app-error.ts'
import type { Clock } from '../lib/clock.ts'
import { newId } from '../lib/ids.ts'
import { type TaskFilter, taskStore } from './task-store.ts'
import type { TaskRow, TasksTable } from './tasks.table.ts'
import { traced, type Tracing } from '../tracing/tracing.ts'

/** How far a task is. Items and bytes are what its type counts. */
export interface TaskProgress {
  /** `null` while it is not known yet. */
  totalItems: number | null
  doneItems: number
  failedItems: number
  skippedItems: number
  totalBytes: number | null
  doneBytes: number
  /** What is being worked on. */
  current: string | null
}

export interface TaskFailure {
  readonly path: string
  /** Code of the contract's errors. */
  readonly code: string
  /** Figures that its message names. */
  readonly params?: ErrorParams
}

/** A task while its handler works. The handler changes `progress` in place; it is written down twice a second. */
export interface RunningTask {
  readonly id: string
  readonly owner: string
  readonly createdAtMs: number
  readonly payload: unknown
  /** What {@link RunningTask.saveCheckpoint} kept before a restart; `null` at first. Started again after its end, it has `again: true`. */
  readonly checkpoint: unknown
  readonly signal: AbortSignal
  readonly progress: TaskProgress
  /** Counts a failed item and remembers the first ones. */
  fail(failure: TaskFailure): void
  /** Keeps how far it is, with the progress so far. After a restart the task goes on from there. */
  saveCheckpoint(value: unknown): Promise<void>
  setResult(value: unknown): void
  /**
   * Asks from now on once a second whether the task may go on. When that fails with an `AppError` the signal aborts, and the
   * task ends with the error.
   */
  onlyWhile(requireMay: () => Promise<void>): void
  /** Asks so at once. @throws {AppError} as it does */
  requireStill(): Promise<void>
}

/** Does the work of one type of task. It must be able to go on from a checkpoint, and stop when the signal aborts. */
export type TaskHandler = (task: RunningTask) => Promise<void>

export interface NewTask {
  readonly type: string
  readonly owner: string
  readonly payload: unknown
  readonly subject?: string
}

/** Work that outlasts a request: kept in the database, goes on after a restart, can be cancelled from anywhere. */
export interface TaskQueue {
  handle(type: string, handler: TaskHandler): void
  /** Adds a task; it begins when there is room. */
  add(task: NewTask): Promise<TaskRow>
  /** Adds a task, and waits for its end for at most `waitMs`. @returns the task as it is then. */
  run(task: NewTask, waitMs: number): Promise<TaskRow>
  /**
   * Adds a task and begins it here at once, however many run. @returns it at its end, whoever brought it there.
   * @throws {AppError} `request.unavailable` when this process stops: before the task is added, or when it is put down for the next start
   */
  runToEnd(task: NewTask): Promise<TaskRow>
  find(id: string): Promise<TaskRow | undefined>
  findLastOf(subject: string): Promise<TaskRow | undefined>
  /** Whether a task with this subject waits or runs, in any process. */
  isUnderWay(subject: string): Promise<boolean>
  list(filter: TaskFilter, limit: number): Promise<TaskRow[]>
  /** Stops a task; what is done stays done. */
  cancel(id: string): Promise<void>
  /** Starts an ended task anew. @returns whether there was one to start. */
  retry(id: string): Promise<boolean>
  /** Forgets ended tasks. @returns how many. */
  clear(filter: { owner?: string | undefined; id?: string; beforeMs?: number }): Promise<number>
  /** Takes up waiting tasks from now on. `isAlone`: no other process works on this database. */
  start(o: { isAlone: boolean }): Promise<void>
  /** Works until nothing waits; for tests. */
  drain(): Promise<void>
  /** Running tasks stop and wait for the next start. */
  stop(): Promise<void>
}

const TOGETHER = 3
/** Someone waits for these. */
const WAITED_FOR_TOGETHER = 8
const POLL_MS = 5000
/** How often a task is looked at that another process has taken over. */
const LOOK_MS = 100
const RETRY_AFTER_SECONDS = 10
const WRITE_DOWN_MS = 500
const ASK_MS = 1000
const LEASE_MS = 45_000
/** Delay before an unreachable database is asked again. */
const AWAY_MS = 1000
const AWAY_TRIES = 10
/** Starts that ended with the process, with the database, or never: stops that wait for their tasks are not counted. */
const MAX_ATTEMPTS = 10
const MAX_FAILURES = 100

const CANCELLED = Symbol('cancelled')
const STOPPING = Symbol('stopping')
/** Another process holds the task: it took this one for dead. */
const LOST = Symbol('lost')

const noProgress = (): TaskProgress => ({
  totalItems: null,
  doneItems: 0,
  failedItems: 0,
  skippedItems: 0,
  totalBytes: null,
  doneBytes: 0,
  current: null,
})

function outcomeOf(progress: TaskProgress): TaskState {
  if (progress.failedItems === 0) return 'completed'
  return progress.doneItems + progress.skippedItems > 0 ? 'partially_complete' : 'failed'
}

/** What a turn of a task ends with. */
interface TurnEnd {
  readonly state: TaskState
  readonly error_code?: string
  readonly attempts?: number
}

/** Runs repeatable work, again while the database is unreachable. */
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

export interface TaskQueueOptions {
  readonly db: Kysely<{ tasks: TasksTable } & object>
  readonly clock: Clock
  readonly notices: Notices
  readonly log: FastifyBaseLogger
  readonly tracing?: Tracing | null
}

interface Checkpoint {
  readonly value: unknown
  readonly progress: TaskProgress
  readonly failures: readonly TaskFailure[]
}

interface Turn {
  readonly abort: AbortController
  readonly done: Promise<unknown>
  /** Takes nobody's room: its request is one among those that the server answers. */
  readonly isAttended: boolean
}

export function createTaskQueue({ db, clock, notices, log, tracing = null }: TaskQueueOptions): TaskQueue {
  const store = taskStore(db)
  const handlers = new Map<string, TaskHandler>()
  const turns = new Map<string, Turn>()
  const me = newId()
  let isStarted = false
  let isStopping = false
  let poll: NodeJS.Timeout | undefined

  const takenRoom = () => [...turns.values()].filter(({ isAttended }) => !isAttended).length

  const unsubscribe = notices.subscribe('task.cancel', (payload) => {
    turns.get((payload as { id: string }).id)?.abort.abort(CANCELLED)
  })

  /** The columns that say how far a task is. */
  const columnsOf = (task: RunningTask, failures: readonly TaskFailure[]) => ({
    progress: JSON.stringify(task.progress),
    failures: JSON.stringify(failures),
    updated_at_ms: clock.nowMs(),
    lease_until_ms: clock.nowMs() + LEASE_MS,
  })

  /** @returns the task at its end; `null` where it did not come to it here. */
  async function work(row: TaskRow, abort: AbortController): Promise<TaskRow | null> {
    // What was counted after the checkpoint is counted again.
    const kept = row.checkpoint === null ? null : (JSON.parse(row.checkpoint) as Checkpoint)
    const failures = [...(kept?.failures ?? [])]
    let result: string | null = row.result
    let requireMay: (() => Promise<void>) | null = null
    const task: RunningTask = {
      id: row.id,
      owner: row.owner,
      createdAtMs: row.created_at_ms,
      payload: JSON.parse(row.payload),
      checkpoint: kept?.value ?? null,
      signal: abort.signal,
      progress: kept?.progress ?? noProgress(),
      fail(failure) {
        task.progress.failedItems += 1
        if (failures.length < MAX_FAILURES) failures.push(failure)
      },
      async saveCheckpoint(value) {
        const checkpoint: Checkpoint = { value, progress: task.progress, failures }
        await store.update(row.id, me, {
          ...columnsOf(task, failures),
          checkpoint: JSON.stringify(checkpoint),
          result,
        })
      },
      setResult: (value) => void (result = JSON.stringify(value)),
      onlyWhile: (required) => void (requireMay = required),
      requireStill: async () => requireMay?.(),
    }
    const asking = setInterval(() => void ask(), ASK_MS)
    async function ask(): Promise<void> {
      try {
        await task.requireStill()
      } catch (error) {
        // An unreachable database says nothing about permissions.
        if (error instanceof AppError) abort.abort(error)
        else log.warn({ err: error, task: row.id }, 'whether a task may go on could not be asked')
      }
    }
    const beat = setInterval(() => void writeDown(), WRITE_DOWN_MS)
    async function writeDown(): Promise<void> {
      try {
        const held = await store.update(row.id, me, columnsOf(task, failures))
        if (!held) abort.abort(LOST)
        else if (held.cancel_requested === 1) abort.abort(CANCELLED)
      } catch (error) {
        log.warn({ err: error, task: row.id }, 'the progress of a task could not be written down')
      }
    }
    const end = await endOf(row, task)
    clearInterval(beat)
    clearInterval(asking)
    const isOver = end.state !== 'pending'
    const change = {
      ...columnsOf(task, failures),
      ...end,
      ...(isOver && { finished_at_ms: clock.nowMs(), result }),
      lease_owner: null,
      lease_until_ms: null,
    }
    const held = await patiently(() => store.update(row.id, me, change))
    return isOver && held ? { ...row, ...change } : null
  }

  async function endOf(row: TaskRow, task: RunningTask): Promise<TurnEnd> {
    const handler = handlers.get(row.type)
    try {
      if (!handler) throw new Error(`Nobody works on tasks of the type ${row.type}.`)
      if (row.attempts > MAX_ATTEMPTS) throw new Error('The task was begun too often.')
      if (row.cancel_requested === 1) return { state: 'cancelled' }
      await traced(tracing, `task ${row.type}`, () => handler(task))
      // Work that the signal interrupted may have ended without an error.
      task.signal.throwIfAborted()
      return { state: outcomeOf(task.progress) }
    } catch (thrown) {
      const reason: unknown = task.signal.aborted ? task.signal.reason : null
      const isRefused = reason instanceof AppError
      if (reason === CANCELLED) return { state: 'cancelled' }
      // A start interrupted by a stop does not count against the task.
      if (reason !== null && !isRefused) return { state: 'pending', attempts: row.attempts - 1 }
      const error = isRefused ? reason : thrown
      if (databaseTrouble(error) === 'away') {
        log.warn({ err: error, task: row.id, type: row.type }, 'a task waits for the database')
        await sleep(AWAY_MS)
        return { state: 'pending' }
      }
      const { code } = specOf(error)
      if (code === 'request.internal')
        log.error({ err: error, task: row.id, type: row.type }, 'a task failed')
      const isPartly = task.progress.doneItems > 0
      const params = error instanceof AppError ? error.params : {}
      task.fail({ path: task.progress.current ?? '', code, params })
      return { state: isPartly ? 'partially_complete' : 'failed', error_code: code }
    }
  }

  /** Begins a task here; `false` when another process was faster. */
  async function begin(id: string): Promise<boolean> {
    if (turns.has(id)) return true
    const abort = new AbortController()
    // Reserved before the first await, so that nobody begins it twice here.
    const started = Promise.withResolvers<boolean>()
    async function turn(): Promise<void> {
      try {
        const nowMs = clock.nowMs()
        const row = await store.claim(id, { owner: me, nowMs, untilMs: nowMs + LEASE_MS })
        started.resolve(row !== undefined)
        if (row) await work(row, abort)
      } catch (error) {
        started.resolve(false)
        log.error({ err: error, task: id }, 'a task broke off; it is begun again')
      } finally {
        turns.delete(id)
        if (isStarted) void fill()
      }
    }
    turns.set(id, { abort, done: turn(), isAttended: false })
    return started.promise
  }

  /** Begins waiting tasks as far as there is room. */
  async function fill(): Promise<void> {
    if (isStopping || takenRoom() >= TOGETHER) return
    try {
      for (const { id } of await store.findClaimable(clock.nowMs(), TOGETHER)) {
        if (takenRoom() < TOGETHER && !isStopping) await begin(id)
      }
    } catch (error) {
      if (!isStopping) log.warn({ err: error }, 'the tasks could not be looked through')
    }
  }

  function rowOf({ type, owner, payload, subject }: NewTask): TaskRow {
    const nowMs = clock.nowMs()
    return {
      id: newId(),
      type,
      owner,
      subject: subject ?? null,
      state: 'pending',
      payload: JSON.stringify(payload),
      checkpoint: null,
      progress: JSON.stringify(noProgress()),
      failures: '[]',
      result: null,
      error_code: null,
      cancel_requested: 0,
      attempts: 0,
      lease_owner: null,
      lease_until_ms: null,
      created_at_ms: nowMs,
      started_at_ms: null,
      finished_at_ms: null,
      updated_at_ms: nowMs,
    }
  }

  async function insert(row: TaskRow): Promise<TaskRow> {
    await store.insert(row)
    return row
  }

  /** Adds a task that is this process's from the start, so that no other begins it, and does it. @returns as {@link work} */
  async function attend(row: TaskRow, abort: AbortController): Promise<TaskRow | null> {
    try {
      await insert(row)
      return await work(row, abort).catch((error: unknown) => {
        log.error({ err: error, task: row.id }, 'a task broke off; it is begun again')
        return null
      })
    } finally {
      turns.delete(row.id)
      if (isStarted) void fill()
    }
  }

  const away = () => new AppError(requestErrors.unavailable, { retryAfterSeconds: RETRY_AFTER_SECONDS })

  /** Waits for a task that is in other hands, or will be. @throws {AppError} as `runToEnd` */
  async function endElsewhere(id: string): Promise<TaskRow> {
    for (;;) {
      const row = await store.find(id)
      if (row && row.state !== 'pending' && row.state !== 'running') return row
      if (!row || isStopping) throw away()
      await sleep(LOOK_MS)
    }
  }

  async function waitFor(id: string, waitMs: number): Promise<void> {
    const timer = Promise.withResolvers<void>()
    const timeout = setTimeout(timer.resolve, waitMs)
    await Promise.race([turns.get(id)?.done, timer.promise])
    clearTimeout(timeout)
  }

  return {
    handle: (type, handler) => void handlers.set(type, handler),
    async add(task) {
      const row = await insert(rowOf(task))
      if (isStarted) void fill()
      return row
    },
    async run(task, waitMs) {
      const row = await insert(rowOf(task))
      if (takenRoom() < WAITED_FOR_TOGETHER && (await begin(row.id))) await waitFor(row.id, waitMs)
      return (await store.find(row.id)) ?? row
    },
    async runToEnd(task) {
      if (isStopping) throw away()
      const nowMs = clock.nowMs()
      const row: TaskRow = {
        ...rowOf(task),
        state: 'running',
        attempts: 1,
        started_at_ms: nowMs,
        lease_owner: me,
        lease_until_ms: nowMs + LEASE_MS,
      }
      const abort = new AbortController()
      const done = attend(row, abort)
      turns.set(row.id, { abort, done, isAttended: true })
      return (await done) ?? endElsewhere(row.id)
    },
    find: (id) => store.find(id),
    findLastOf: (subject) => store.findLastOf(subject),
    isUnderWay: (subject) => store.isUnderWay(subject),
    list: (filter, limit) => store.list(filter, limit),
    async cancel(id) {
      if (await store.cancelPending(id, clock.nowMs())) return
      await store.requestCancel(id)
      await notices.publish({ topic: 'task.cancel', payload: { id } })
      await waitFor(id, WRITE_DOWN_MS * 2)
    },
    async retry(id) {
      const row = await store.find(id)
      const left = row?.checkpoint ? (JSON.parse(row.checkpoint) as Checkpoint).value : {}
      const checkpoint: Checkpoint = {
        value: { ...(left as object), again: true },
        progress: noProgress(),
        failures: [],
      }
      const isOpen = await store.reopen(id, {
        nowMs: clock.nowMs(),
        progress: JSON.stringify(noProgress()),
        checkpoint: JSON.stringify(checkpoint),
      })
      if (isOpen && isStarted) void fill()
      return isOpen
    },
    clear: (filter) => store.deleteEnded(filter),
    async start({ isAlone }) {
      if (isAlone) await store.releaseAll()
      isStarted = true
      poll = setInterval(() => void fill(), POLL_MS)
      poll.unref()
      void fill()
    },
    async drain() {
      for (;;) {
        const waiting = await store.findClaimable(clock.nowMs(), TOGETHER)
        for (const { id } of waiting) await begin(id)
        await Promise.allSettled([...turns.values()].map((turn) => turn.done))
        if (waiting.length === 0) return
      }
    },
    async stop() {
      isStopping = true
      clearInterval(poll)
      unsubscribe()
      const running = [...turns.values()]
      for (const turn of running) turn.abort.abort(STOPPING)
      await Promise.allSettled(running.map((turn) => turn.done))
    },
  }
}
