import type { FastifyBaseLogger } from 'fastify'
import { AppError } from '../lib/app-error.ts'
import type { Clock } from '../lib/clock.ts'
import type { TaskStore } from './task-store.ts'
import { type Checkpoint, noProgress, type TaskFailure, type TaskProgress } from './tasks.models.ts'
import type { TaskRow } from './tasks.table.ts'

/** A task while its handler runs. The handler changes `progress` in place; it is saved twice a second. */
export interface RunningTask {
  readonly id: string
  readonly owner: string
  readonly createdAtMs: number
  readonly payload: unknown
  /**
   * Last value that {@link RunningTask.saveCheckpoint} saved before a restart; `null` at first. A task that is
   * restarted after its end has `again: true`.
   */
  readonly checkpoint: unknown
  readonly signal: AbortSignal
  readonly progress: TaskProgress
  /** Counts a failed item, and records the first failures. */
  fail(failure: TaskFailure): void
  /** Saves a checkpoint and the progress. After a restart the task resumes from the checkpoint. */
  saveCheckpoint(value: unknown): Promise<void>
  setResult(value: unknown): void
  /**
   * Checks once a second, from this call on, whether the task is allowed to continue. If the check fails with an
   * `AppError`, the signal aborts and the task ends with that error.
   */
  onlyWhile(requireMay: () => Promise<void>): void
  /** Runs the check of `onlyWhile` now. @throws {AppError} the error of the check */
  requireStill(): Promise<void>
}

/**
 * Does the work of one type of task. A handler must be able to resume from a checkpoint, and stop when the signal
 * aborts.
 */
export type TaskHandler = (task: RunningTask) => Promise<void>

export const CANCELLED = Symbol('cancelled')
/** Reason of an abort: another process has taken over the task. */
const LOST = Symbol('lost')

export const WRITE_DOWN_MS = 500
const ASK_MS = 1000
export const LEASE_MS = 45_000
const MAX_FAILURES = 100

interface Surroundings {
  readonly store: TaskStore
  /** Process that has claimed the task. */
  readonly holder: string
  readonly abort: AbortController
  readonly clock: Clock
  readonly log: FastifyBaseLogger
}

/** A task that this process has claimed. */
export class HeldTask implements RunningTask {
  readonly id: string
  readonly owner: string
  readonly createdAtMs: number
  readonly payload: unknown
  readonly checkpoint: unknown
  readonly signal: AbortSignal
  readonly progress: TaskProgress
  readonly #around: Surroundings
  readonly #failures: TaskFailure[]
  #result: string | null
  #requireMay: (() => Promise<void>) | null = null

  constructor(row: TaskRow, around: Surroundings) {
    // Items after the checkpoint are counted again.
    const saved = row.checkpoint === null ? null : (JSON.parse(row.checkpoint) as Checkpoint)
    this.id = row.id
    this.owner = row.owner
    this.createdAtMs = row.created_at_ms
    this.payload = JSON.parse(row.payload)
    this.checkpoint = saved?.value ?? null
    this.signal = around.abort.signal
    this.progress = saved?.progress ?? noProgress()
    this.#around = around
    this.#failures = [...(saved?.failures ?? [])]
    this.#result = row.result
  }

  get result(): string | null {
    return this.#result
  }

  fail(failure: TaskFailure): void {
    this.progress.failedItems += 1
    if (this.#failures.length < MAX_FAILURES) this.#failures.push(failure)
  }

  async saveCheckpoint(value: unknown): Promise<void> {
    const { store, holder } = this.#around
    const checkpoint: Checkpoint = { value, progress: this.progress, failures: this.#failures }
    await store.update(this.id, holder, {
      ...this.columns(),
      checkpoint: JSON.stringify(checkpoint),
      result: this.#result,
    })
  }

  setResult(value: unknown): void {
    this.#result = JSON.stringify(value)
  }

  onlyWhile(requireMay: () => Promise<void>): void {
    this.#requireMay = requireMay
  }

  async requireStill(): Promise<void> {
    await this.#requireMay?.()
  }

  /** Returns the columns that store the progress. */
  columns() {
    const nowMs = this.#around.clock.nowMs()
    return {
      progress: JSON.stringify(this.progress),
      failures: JSON.stringify(this.#failures),
      updated_at_ms: nowMs,
      lease_until_ms: nowMs + LEASE_MS,
    }
  }

  /** Saves the progress and checks the permission at intervals while `work` runs. */
  async during<T>(work: () => Promise<T>): Promise<T> {
    const asking = setInterval(() => void this.#ask(), ASK_MS)
    const beat = setInterval(() => void this.#writeDown(), WRITE_DOWN_MS)
    try {
      return await work()
    } finally {
      clearInterval(beat)
      clearInterval(asking)
    }
  }

  async #ask(): Promise<void> {
    const { abort, log } = this.#around
    try {
      await this.requireStill()
    } catch (error) {
      // Continues if the database is unreachable, because such an error does not show that a permission was lost.
      if (error instanceof AppError) abort.abort(error)
      else log.warn({ err: error, task: this.id }, 'whether a task may go on could not be asked')
    }
  }

  async #writeDown(): Promise<void> {
    const { store, holder, abort, log } = this.#around
    try {
      const held = await store.update(this.id, holder, this.columns())
      if (!held) abort.abort(LOST)
      else if (held.cancel_requested === 1) abort.abort(CANCELLED)
    } catch (error) {
      log.warn({ err: error, task: this.id }, 'the progress of a task could not be written down')
    }
  }
}
