import { reconciliationErrors, type ReconciliationReport } from '@dropleaf/contract'
import type { Needs } from '../../../context.ts'
import { databaseTrouble } from '../../../db/database.ts'
import { specOf } from '../../../errors/error-specs.ts'
import type { RunningTask, TaskHandler } from '../../../jobs/running-task.ts'
import type { TaskRow } from '../../../jobs/tasks.table.ts'
import { AppError } from '../../../lib/app-error.ts'
import { type Actor, creatorOf } from '../../foundation/identity/actor.models.ts'
import { allConfigs } from '../../foundation/storage-configs/storage-configs.usecases.ts'
import { beginAlone } from '../../foundation/tasks/tasks.usecases.ts'
import { emptyReport, phasesLeft, type Position, type ReconciliationOrder } from './reconciliation.models.ts'
import { type Check, lookAt, lookAtReservations } from './looking.usecases.ts'

const TASK_TYPE = 'reconcile'
/** Task subject, which allows one check at a time. */
const SUBJECT = 'reconciliation'
const WAIT_MS = 1000

const isUnderWay = (row: TaskRow | undefined): boolean => row?.state === 'pending' || row?.state === 'running'

/** Starts a check. @throws {AppError} `reconciliation.running` */
export async function beginReconciliation(
  ctx: Needs<'database' | 'tasks'>,
  actor: Actor,
  order: ReconciliationOrder,
): Promise<TaskRow> {
  const begun = await beginAlone(ctx, SUBJECT, () =>
    ctx.tasks.run({ type: TASK_TYPE, owner: creatorOf(actor), subject: SUBJECT, payload: order }, WAIT_MS),
  )
  if (!begun) throw new AppError(reconciliationErrors.running)
  return begun
}

/** Returns the last check. The report is `null` until the check has ended. */
export async function lastReconciliation(
  ctx: Needs<'tasks'>,
): Promise<{ task: TaskRow | null; report: ReconciliationReport | null }> {
  const task = (await ctx.tasks.findLastOf(SUBJECT)) ?? null
  const hasReport = task !== null && task.result !== null && !isUnderWay(task)
  return { task, report: hasReport ? (JSON.parse(task.result ?? '') as ReconciliationReport) : null }
}

interface Checkpoint {
  readonly report: ReconciliationReport
  readonly position: Position | null
  readonly again?: boolean
}

/** Returns the state of an interrupted check, or an empty state for a new check. */
function checkOf(task: RunningTask): Check & { readonly from: Position | null } {
  const order = task.payload as ReconciliationOrder
  const kept = task.checkpoint as Checkpoint | null
  if (kept === null || kept.again) return { task, order, report: emptyReport(order), from: null }
  return { task, order, report: kept.report, from: kept.position }
}

/** Checks every storage, page by page. An unreachable storage is reported, and the others are still checked. */
export const reconciliationHandler =
  (ctx: Needs<'clock' | 'database' | 'db' | 'log' | 'secrets' | 'storage'>): TaskHandler =>
  async (task) => {
    const check = checkOf(task)
    const configs = (await allConfigs(ctx)).toSorted((a, b) => (a.id < b.id ? -1 : 1))
    for (const config of configs) {
      task.progress.current = config.name
      try {
        for (const [phase, after] of phasesLeft(config.id, check.from)) {
          await lookAt(ctx, check, {
            config,
            phase,
            after,
            savePosition: (next) =>
              task.saveCheckpoint({
                report: check.report,
                position: { configId: config.id, phase, after: next },
              } satisfies Checkpoint),
          })
        }
      } catch (error) {
        task.signal.throwIfAborted()
        if (databaseTrouble(error) === 'away') throw error
        ctx.log.warn({ err: error, config: config.id }, 'a storage could not be checked')
        task.fail({ path: config.name, code: specOf(error).code })
      }
    }
    await lookAtReservations(ctx, check)
    task.setResult(check.report)
  }
