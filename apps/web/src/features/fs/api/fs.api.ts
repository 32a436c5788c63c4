import type { COPY_CONFLICTS, Task } from '@dropleaf/contract'
import { BATCH_PATHS_MAX, fsFileRoutes, fsRoutes, fsTransferRoutes } from '@dropleaf/contract'
import { api } from '../../../domains/api/api-client.ts'
import { serverAddress } from '../../../lib/server-address.ts'
import { ApiError } from '../../../lib/api-error.ts'
import { errorText } from '../../../i18n/error-text.ts'
import { downloadArchive, openDownload } from '../../../domains/transfers/archives/downloads.ts'
import { followTask } from '../../../domains/transfers/tasks/server-tasks.ts'
import type { Entry } from '../models/entries.ts'
import { parentOf } from '../models/fs-paths.ts'

/** A failed item of a batch, with the reason as text. */
export interface Failure {
  readonly path: string
  readonly reason: string
}

/** Result of a batch. The counts exclude items that a task still has to process. */
export interface Outcome {
  readonly doneCount: number
  readonly skippedCount: number
  readonly failures: readonly Failure[]
  /** Whether a server task continues the work; the task tray shows the task. */
  readonly isRunning: boolean
}

export type Conflict = (typeof COPY_CONFLICTS)[number]
export type TransferMode = 'move' | 'copy'

const NOTHING: Outcome = { doneCount: 0, skippedCount: 0, failures: [], isRunning: false }
/** Maximum wait for a response. The server responds sooner, because it continues a long batch as a task. */
const BATCH_TIMEOUT_MS = 60_000
/** In UTF-16 units, which need up to 3 bytes each. Browsers limit the body of a keepalive request to 64 KiB. */
const KEEPALIVE_MAX_LENGTH = 15_000

const wordsOf = ({ code, error }: { code: string; error: string }) =>
  errorText(new ApiError({ kind: 'http', code, message: error }))

const join = (a: Outcome, b: Outcome): Outcome => ({
  doneCount: a.doneCount + b.doneCount,
  skippedCount: a.skippedCount + b.skippedCount,
  failures: [...a.failures, ...b.failures],
  isRunning: a.isRunning || b.isRunning,
})

/**
 * Shows the task in the tray.
 * @returns whether the task continues
 * @throws {ApiError} if the task was cancelled meanwhile
 */
function follow(task: Task | undefined): boolean {
  if (task) followTask(task)
  if (task?.state === 'cancelled')
    throw new ApiError({ kind: 'http', code: 'task.cancelled', message: 'The task was cancelled.' })
  return task !== undefined
}

/**
 * Calls `call` for batches of at most `BATCH_PATHS_MAX` items, one after the other.
 * @returns the combined outcomes
 */
async function inBatches<T>(items: readonly T[], call: (batch: T[]) => Promise<Outcome>): Promise<Outcome> {
  let outcome = NOTHING
  for (let start = 0; start < items.length; start += BATCH_PATHS_MAX)
    outcome = join(outcome, await call(items.slice(start, start + BATCH_PATHS_MAX)))
  return outcome
}

/**
 * @returns the outcome, including the failures of single paths
 * @throws {ApiError} if a request failed, or its task was cancelled. Earlier batches may already be removed.
 */
export const removePaths = (paths: readonly string[]): Promise<Outcome> =>
  inBatches(paths, async (batch) => {
    const keepalive = JSON.stringify(batch).length < KEEPALIVE_MAX_LENGTH
    const body = { paths: batch }
    const { data } = await api(fsTransferRoutes.batchRemove, { body, keepalive, timeoutMs: BATCH_TIMEOUT_MS })
    const failures = data.failed.map((item) => ({ path: item.path, reason: wordsOf(item) }))
    return { doneCount: data.success, skippedCount: 0, failures, isRunning: follow(data.task) }
  })

const targetIn = (folder: string, { name, isFolder }: Entry) => `${folder}${name}${isFolder ? '/' : ''}`

interface Transfer {
  mode: TransferMode
  entries: readonly Entry[]
  target: string
  conflict: Conflict
}

/** Moves or copies into a folder, also across storages. @throws {ApiError} like {@link removePaths} */
export const transfer = ({ mode, entries, target, conflict }: Transfer): Promise<Outcome> =>
  inBatches(entries, async (batch) => {
    const items = batch.map((entry) => ({ sourcePath: entry.path, targetPath: targetIn(target, entry) }))
    const settings = { timeoutMs: BATCH_TIMEOUT_MS }
    const { data } = await (mode === 'move'
      ? api(fsTransferRoutes.batchMove, { body: { items, conflict }, ...settings })
      : api(fsTransferRoutes.batchCopy, { body: { items, conflict, server: true }, ...settings }))
    const failures = data.details.map((item) => ({ path: item.sourcePath, reason: wordsOf(item) }))
    return {
      doneCount: data.success ?? 0,
      skippedCount: data.skipped ?? 0,
      failures,
      isRunning: follow(data.task),
    }
  })

/** @throws {ApiError} */
export const makeFolder = (path: string) => api(fsFileRoutes.mkdir, { body: { path } })

/**
 * @returns whether a server task continues the work
 * @throws {ApiError}
 */
export async function renameEntry(entry: Entry, name: string): Promise<boolean> {
  const newPath = targetIn(parentOf(entry.path), { ...entry, name })
  const body = { oldPath: entry.path, newPath }
  const { data } = await api(fsTransferRoutes.rename, { body, timeoutMs: BATCH_TIMEOUT_MS })
  return follow(data.task)
}

/**
 * @param options `seconds` is the lifetime of the URL
 * @throws {ApiError}
 */
export async function linkTo(path: string, options: { seconds: number; isDownload: boolean }) {
  const query = { path, expires_in: options.seconds, force_download: options.isDownload }
  const { data } = await api(fsRoutes.link, { query })
  return { url: new URL(data.presignedUrl, serverAddress()).href, expiresAt: data.expiresAt }
}

/**
 * Downloads a single file directly and anything else as an archive, with the browser's download.
 * @throws {ApiError}
 */
export async function download(entries: readonly Entry[], archiveName: string): Promise<void> {
  const [only] = entries
  if (only && entries.length === 1 && !only.isFolder) {
    const { data } = await api(fsFileRoutes.get, { query: { path: only.path } })
    if (data.download_url) openDownload(data.download_url)
    return
  }
  const name = only && entries.length === 1 ? only.name : archiveName
  await downloadArchive({ paths: entries.map(({ path }) => path), name })
}
