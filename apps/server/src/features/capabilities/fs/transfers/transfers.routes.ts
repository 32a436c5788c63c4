import { type CopyOutcome, fsErrors, fsTransferRoutes, type ParsedOf, taskErrors } from '@dropleaf/contract'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { AppContext } from '../../../../context.ts'
import { type Language, languageOf, messageFor } from '../../../../messages/index.ts'
import { fromContract } from '../../../../http/core/route-adapter.ts'
import { publicUrlOf } from '../../../../http/core/urls.ts'
import type { TaskFailure } from '../../../../jobs/tasks.models.ts'
import type { TaskRow } from '../../../../jobs/tasks.table.ts'
import { actorOf } from '../../../foundation/identity/request-actor.http.ts'
import { presentTask } from '../../../foundation/tasks/tasks.presenters.ts'
import { commitCopies, copyItems } from './copying.usecases.ts'
import { failuresOf, isRunning, moveItems, progressOf, renamePath } from './moving.usecases.ts'
import { type RemovalResult, removePaths } from './removing.usecases.ts'
import type { TransferItem, TransferredItem } from './transfers.models.ts'

const languageFor = (request: FastifyRequest): Language => languageOf(request.headers['accept-language'])

/** Adds the task to the response if the task is still running (status 202) or was cancelled. */
function presentRunning(row: TaskRow | null, request: FastifyRequest, reply: FastifyReply) {
  if (row === null || !(isRunning(row) || row.state === 'cancelled')) return {}
  if (isRunning(row)) reply.code(202)
  return { task: presentTask(row, languageFor(request)) }
}

/** Adds the message for a task that was cancelled while the request waited for it. */
function presentCancelled(row: TaskRow | null, language: Language) {
  if (row?.state !== 'cancelled') return {}
  return { success: false, message: messageFor(taskErrors.cancelled.code, language) }
}

const resultOf = (row: TaskRow): unknown => (row.result === null ? null : JSON.parse(row.result))

/**
 * Returns the result of a deletion that has not recorded a result. If the task failed, its progress is unknown, so all
 * paths count as failed. If the task is running or was cancelled, no path counts as failed.
 */
const unendedRemoval = ({ error_code: code }: TaskRow, paths: readonly string[]): RemovalResult => ({
  removed: 0,
  failed: code === null ? [] : paths.map((path) => ({ path, code, params: {} })),
})

type WireItems = ParsedOf<typeof fsTransferRoutes.batchMove, 'body'>['items']

/** Separates items that have a source and a target from invalid items. Each invalid item gets an error. */
function sortOut(items: WireItems, language: Language) {
  const isNamed = ({ sourcePath, targetPath }: WireItems[number]) => sourcePath !== '' && targetPath !== ''
  const { code } = fsErrors.path_missing
  return {
    named: items
      .filter(isNamed)
      .map(({ sourcePath, targetPath }) => ({ source: sourcePath, target: targetPath })),
    unnamed: items
      .filter((item) => !isNamed(item))
      .map((item) => ({ ...item, code, error: messageFor(code, language) })),
  }
}

/** Returns why an item failed: its own error, or the error of its first failed entry if nothing was transferred. */
function reasonOf({ source, state, code, params }: TransferredItem, failures: readonly TaskFailure[]) {
  if (code !== null) return { code, params }
  const inside = source.endsWith('/') ? source : `${source}/`
  const isOfIt = ({ path }: TaskFailure) => path === source || path.startsWith(inside)
  return (state === 'failed' && failures.find(isOfIt)) || { code: fsErrors.partly_done.code, params }
}

/** Counts the results of a copy or move. Items that an interrupted run did not reach count as failed. */
function presentTransfer(row: TaskRow | null, asked: readonly TransferItem[], language: Language) {
  if (row === null) return { success: 0, skipped: 0, failed: 0, details: [] }
  const { doneItems, skippedItems, failedItems } = progressOf(row)
  const items = (resultOf(row) as { items: TransferredItem[] } | null)?.items ?? []
  const folders = items.filter(({ hasMadeFolder }) => hasMadeFolder).length
  const { error_code: brokenBy } = row
  const left = brokenBy === null ? [] : asked.slice(items.length)
  const failed = [
    ...items.filter((item) => item.state === 'failed' || item.state === 'partially_complete'),
    ...left.map((item): TransferredItem => ({ ...item, state: 'failed', code: brokenBy })),
  ]
  const failures = failuresOf(row)
  return {
    success: doneItems + folders,
    skipped: skippedItems,
    // Subtracts one item, because `failedItems` already counts the item that was interrupted.
    failed: failedItems + Math.max(0, left.length - 1),
    details: failed.map((item) => {
      const { code, params } = reasonOf(item, failures)
      const counts = { done: doneItems, total: doneItems + failedItems }
      return {
        sourcePath: item.source,
        targetPath: item.target,
        code,
        error: messageFor(code, language, { ...counts, ...params }),
      }
    }),
  }
}

function moveRoutes(app: FastifyInstance, ctx: AppContext): void {
  app.route(
    fromContract(fsTransferRoutes.rename, async ({ body, request, reply }) => {
      const row = await renamePath(ctx, actorOf(request), body)
      return { data: presentRunning(row, request, reply) }
    }),
  )
  app.route(
    fromContract(fsTransferRoutes.batchMove, async ({ body, request, reply }) => {
      const language = languageFor(request)
      const { named, unnamed } = sortOut(body.items, language)
      const order = { items: named, conflict: body.conflict ?? ('fail' as const) }
      const row = named.length === 0 ? null : await moveItems(ctx, actorOf(request), order)
      const { failed, details, ...counts } = presentTransfer(row, named, language)
      return {
        ...presentCancelled(row, language),
        data: {
          ...counts,
          failed: failed + unnamed.length,
          details: [...details, ...unnamed],
          ...presentRunning(row, request, reply),
        },
      }
    }),
  )
  app.route(
    fromContract(fsTransferRoutes.batchRemove, async ({ body, request, reply }) => {
      const row = await removePaths(ctx, actorOf(request), body.paths)
      const language = languageFor(request)
      const result = (resultOf(row) as RemovalResult | null) ?? unendedRemoval(row, body.paths)
      const failed = result.failed.map(({ path, code, params }) => ({
        path,
        code,
        error: messageFor(code, language, params),
      }))
      return {
        ...presentCancelled(row, language),
        data: { success: result.removed, failed, ...presentRunning(row, request, reply) },
        failed,
      }
    }),
  )
}

function copyRoutes(app: FastifyInstance, ctx: AppContext): void {
  app.route(
    fromContract(fsTransferRoutes.batchCopy, async ({ body, request, reply }) => {
      const language = languageFor(request)
      const { named, unnamed } = sortOut(body.items, language)
      const { row, across } = await copyItems(ctx, actorOf(request), {
        items: named,
        conflict: body.conflict ?? (body.skipExisting ? 'skip' : 'rename'),
        isServerSide: body.server,
        origin: publicUrlOf(request, ctx.config),
      })
      const running = presentRunning(row, request, reply)
      const cancelled = presentCancelled(row, language)
      const done = presentTransfer(row, named, language)
      const details = [...done.details, ...unnamed]
      const counts = { success: done.success, skipped: done.skipped, failed: done.failed + unnamed.length }
      if (across.results.length === 0 && across.failed.length === 0)
        return {
          ...cancelled,
          data: { crossStorage: false, ...counts, details, ...running } satisfies CopyOutcome,
        }
      const failed = across.failed.map(({ source, target, code, params }) => ({
        sourcePath: source,
        targetPath: target,
        code,
        error: messageFor(code, language, params),
      }))
      return {
        ...cancelled,
        data: {
          crossStorage: true,
          requiresClientSideCopy: true,
          standardCopyResults: counts,
          crossStorageResults: across.results,
          skipped: across.skipped,
          failed: [...details, ...failed],
          details: [...details, ...failed],
          ...running,
        } satisfies CopyOutcome,
      }
    }),
  )
  app.route(
    fromContract(fsTransferRoutes.batchCopyCommit, async ({ body, request, reply }) => {
      const { committed, failed } = await commitCopies(ctx, actorOf(request), body)
      if (committed.length === 0) reply.code(202)
      const language = languageFor(request)
      const reported = failed.map(({ targetPath, code, params }) => ({
        targetPath,
        code,
        error: messageFor(code, language, params),
      }))
      return {
        success: committed.length > 0,
        ...(committed.length === 0 && reported[0] && { message: reported[0].error }),
        data: { success: committed, failed: reported },
      }
    }),
  )
}

export async function fsTransfersPlugin(app: FastifyInstance, { ctx }: { ctx: AppContext }): Promise<void> {
  moveRoutes(app, ctx)
  copyRoutes(app, ctx)
}
