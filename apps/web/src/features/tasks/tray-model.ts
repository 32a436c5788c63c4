import { hasEnded } from '../../domains/transfers/tasks/server-tasks.ts'
import type { LocalJob } from '../../domains/transfers/tasks/local-jobs.ts'
import type { UploadBatch, UploadEntry } from '../../domains/transfers/uploads/upload-store.ts'
import { type FileStatus, statusOf } from '../../domains/transfers/uploads/upload-status.ts'
import type { Task } from '@dropleaf/contract'

const RUNNING: ReadonlySet<FileStatus> = new Set([
  'waiting',
  'starting',
  'initializing',
  'uploading',
  'offline',
  'still',
  'processing',
  'completing',
  'retrying',
])
const isRunning = (entry: UploadEntry) => RUNNING.has(statusOf(entry))
const isHeld = (entry: UploadEntry) => entry.state === 'paused' && !entry.isWaiting

/** Files that were added together, with their totals. */
export interface BatchView {
  readonly batch: UploadBatch
  readonly entries: readonly UploadEntry[]
  readonly running: readonly UploadEntry[]
  readonly held: readonly UploadEntry[]
  readonly failed: readonly UploadEntry[]
  readonly doneCount: number
  readonly cancelledCount: number
  readonly sizeBytes: number
  readonly sentBytes: number
  readonly bytesPerSecond: number | null
  readonly remainingSeconds: number | null
}

const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0)

function summarise(batch: UploadBatch, all: readonly UploadEntry[]): BatchView {
  const entries = all.filter(({ state }) => state !== 'aborted')
  const rates = entries.map(({ bytesPerSecond }) => bytesPerSecond).filter((rate) => rate !== null)
  const bytesPerSecond = rates.length === 0 ? null : sum(rates)
  const sizeBytes = sum(entries.map((entry) => entry.sizeBytes))
  const sentBytes = sum(entries.map((entry) => entry.sentBytes))
  const remainingSeconds = bytesPerSecond ? Math.ceil((sizeBytes - sentBytes) / bytesPerSecond) : null
  return {
    batch,
    entries: all,
    running: entries.filter(isRunning),
    held: entries.filter(isHeld),
    failed: entries.filter((entry) => statusOf(entry) === 'failed'),
    doneCount: entries.filter(({ state }) => state === 'completed').length,
    cancelledCount: all.length - entries.length,
    sizeBytes,
    sentBytes,
    bytesPerSecond,
    remainingSeconds,
  }
}

export const isBatchActive = ({ running, held }: BatchView): boolean => running.length + held.length > 0

export type TrayGroup = 'waiting' | 'active' | 'paused' | 'ended'

/** Returns the group of a batch in the tray. */
export function groupOf(view: BatchView): TrayGroup {
  if (!isBatchActive(view)) return 'ended'
  if (view.running.length > 0) return 'active'
  return needingFile(view).length > 0 ? 'waiting' : 'paused'
}

/** Returns the common status if all running files of a batch stand still, apart from queued files; otherwise `null`. */
export function standstillOf({ running }: BatchView): 'offline' | 'still' | null {
  const statuses = new Set(running.map(statusOf).filter((status) => status !== 'waiting'))
  const [status] = statuses
  return statuses.size === 1 && (status === 'offline' || status === 'still') ? status : null
}

/** Returns the files that the user has to choose again. */
export const needingFile = ({ held }: Pick<BatchView, 'held'>): readonly UploadEntry[] =>
  held.filter((entry) => statusOf(entry) === 'needsFile')

/** Returns the batches in the order of their start. */
export const batchesOf = (entries: readonly UploadEntry[]): BatchView[] =>
  [...Map.groupBy(entries, ({ batch }) => batch)].map(([batch, inside]) => summarise(batch, inside))

/** Returns the progress of a task from 0 to 1; `null` if unknown. */
export function taskShare({ progress, state }: Task): number | null {
  if (state === 'completed') return 1
  const { totalBytes, doneBytes, totalItems, doneItems, failedItems, skippedItems } = progress
  if (totalBytes !== null && totalBytes > 0) return Math.min(1, doneBytes / totalBytes)
  if (totalItems !== null && totalItems > 0)
    return Math.min(1, (doneItems + failedItems + skippedItems) / totalItems)
  return null
}

export const batchShare = ({ sizeBytes, sentBytes, entries, doneCount }: BatchView): number =>
  sizeBytes > 0 ? sentBytes / sizeBytes : doneCount / Math.max(1, entries.length)

export interface TrayTotals {
  readonly activeCount: number
  /** Number of uploads that need the user. */
  readonly problemCount: number
  /** Number of paused uploads, in batches in which nothing runs and no file has to be chosen again. */
  readonly pausedCount: number
  /** Mean progress of all active batches, tasks and jobs, from 0 to 1. */
  readonly share: number
}

interface TrayContent {
  readonly batches: readonly BatchView[]
  readonly tasks: readonly Task[]
  readonly jobs: readonly LocalJob[]
}

const jobShare = ({ doneBytes, totalBytes }: LocalJob) =>
  totalBytes ? Math.min(1, doneBytes / totalBytes) : null

export function totalsOf({ batches, tasks, jobs }: TrayContent): TrayTotals {
  const running = batches.filter((view) => view.running.length > 0)
  const activeTasks = tasks.filter((task) => !hasEnded(task))
  const activeJobs = jobs.filter(({ state }) => state === 'running')
  const shares = [...running.map(batchShare), ...activeTasks.map(taskShare), ...activeJobs.map(jobShare)]
  const known = shares.map((share) => share ?? 0)
  const needing = batches.flatMap(({ held, failed }) => [...needingFile({ held }), ...failed])
  return {
    activeCount: running.flatMap((view) => view.running).length + activeTasks.length + activeJobs.length,
    problemCount: needing.length,
    pausedCount: batches.filter((view) => groupOf(view) === 'paused').flatMap(({ held }) => held).length,
    share: known.length === 0 ? 0 : sum(known) / known.length,
  }
}

const lastName = (path: string) => path.replace(/\/+$/, '').split('/').at(-1) || path

/** Returns the subject of a task: a name, or a number of items. */
export function subjectOf({ request }: Pick<Task, 'request'>): { name: string } | { count: number } {
  const { items, paths, url, filename } = (request ?? {}) as Record<string, unknown>
  if (typeof filename === 'string' && filename !== '') return { name: filename }
  if (typeof url === 'string') return { name: url }
  const list = Array.isArray(items)
    ? (items as Record<string, unknown>[]).map(({ source }) => source)
    : Array.isArray(paths)
      ? (paths as unknown[])
      : []
  const [first] = list
  return list.length === 1 && typeof first === 'string' ? { name: lastName(first) } : { count: list.length }
}

/** Returns the slug of the share that a task has created. */
export function sharedSlugOf({ result }: Pick<Task, 'result'>): string | null {
  const { slug } = (result ?? {}) as Record<string, unknown>
  return typeof slug === 'string' ? slug : null
}
