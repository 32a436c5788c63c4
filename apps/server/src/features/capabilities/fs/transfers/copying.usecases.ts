import { type CopyOutcome, fsErrors, type fsTransferRoutes, type ParsedOf } from '@dropleaf/contract'
import type { Needs, PlaceNeeds, WriteNeeds } from '../../../../context.ts'
import type { TaskRow } from '../../../../jobs/tasks.table.ts'
import { AppError } from '../../../../lib/app-error.ts'
import { nameOf } from '../../../../lib/object-names.ts'
import type { Actor } from '../../../foundation/identity/actor.models.ts'
import { claimKeys, sharesReplaced } from '../../files/objects/shared-objects.usecases.ts'
import { visibleMounts } from '../../../foundation/mounts/mounts.usecases.ts'
import { indexedBytesOf } from '../../../foundation/object-index/object-index.usecases.ts'
import { noteChange } from '../../../foundation/object-index/storage-changes.usecases.ts'
import { requireCapacity } from '../../../foundation/storage-usage/storage-usage.usecases.ts'
import { planAcross } from './copying-across.usecases.ts'
import { type WaitOptions, requireItems, runWhileWaiting } from './moving.usecases.ts'
import { getPlace } from '../places/places.usecases.ts'
import { keyAt, type Refusal, refusalOf } from './transfer-run.usecases.ts'
import type { Conflict, TransferItem, TransferRequest } from './transfers.models.ts'

export interface CopyRequest {
  readonly items: readonly TransferItem[]
  readonly conflict: Conflict
  /** Whether the server also carries out copies between storages. */
  readonly isServerSide: boolean
  /** Origin of the URLs in the plan. */
  readonly origin: string
}

export interface FailedItem extends TransferItem, Refusal {}

/** A copy between storages that the client carries out. */
export interface AcrossPlan {
  readonly results: NonNullable<CopyOutcome['crossStorageResults']>
  readonly failed: readonly FailedItem[]
  readonly skipped: number
}

/**
 * Returns whether source and target are in one storage. Also `true` if a path cannot be resolved, because the task then
 * reports the error.
 */
async function staysInStorage(ctx: PlaceNeeds, actor: Actor, item: TransferItem): Promise<boolean> {
  try {
    const source = await getPlace(ctx, actor, item.source, 'read')
    const target = await getPlace(ctx, actor, item.target, 'write')
    return source.config.id === target.config.id
  } catch {
    return true
  }
}

/**
 * Copies items within a storage in a task. Copies between storages are planned for the client, unless `isServerSide` is
 * true.
 * @throws {AppError} as `requireItems`
 */
export async function copyItems(
  ctx: PlaceNeeds & Needs<'tasks'>,
  actor: Actor,
  { items, conflict, isServerSide, origin }: CopyRequest,
): Promise<{ row: TaskRow | null; across: AcrossPlan }> {
  requireItems(actor, items, { isMove: false })
  const own: TransferItem[] = []
  const foreign: TransferItem[] = []
  for (const item of items)
    (isServerSide || (await staysInStorage(ctx, actor, item)) ? own : foreign).push(item)
  const row =
    own.length === 0
      ? null
      : await runWhileWaiting(ctx, actor, { type: 'copy', payload: { items: own, conflict } })
  return { row, across: await planAcross(ctx, actor, { items: foreign, conflict, origin }) }
}

/**
 * Copies items on the server, even between storages.
 * @returns the task, which might still be running.
 * @throws {AppError} as `requireItems`
 */
export async function copyOnServer(
  ctx: Needs<'tasks'>,
  actor: Actor,
  { isToEnd, ...payload }: TransferRequest & WaitOptions,
): Promise<TaskRow> {
  requireItems(actor, payload.items, { isMove: false })
  return runWhileWaiting(ctx, actor, { type: 'copy', payload }, { isToEnd })
}

interface Committed {
  readonly targetPath: string
  readonly fileName: string
}

/**
 * Registers objects that a client copied. Checks for each file that its path and key belong together and that the
 * object exists.
 * @throws {AppError} `fs.no_mount`; as `requireAccess` for any inaccessible path
 */
export async function commitCopies(
  ctx: WriteNeeds & Needs<'secrets'>,
  actor: Actor,
  { targetMountId, files }: ParsedOf<typeof fsTransferRoutes.batchCopyCommit, 'body'>,
): Promise<{ committed: Committed[]; failed: Array<{ targetPath: string } & Refusal> }> {
  requireItems(
    actor,
    files.map(({ targetPath }) => ({ source: targetPath, target: targetPath })),
    { isMove: true },
  )
  if (!(await visibleMounts(ctx, actor)).some((mount) => mount.id === targetMountId))
    throw new AppError(fsErrors.no_mount)
  const committed: Committed[] = []
  const failed: Array<{ targetPath: string } & Refusal> = []
  for (const file of files) {
    try {
      committed.push(await commitCopy(ctx, actor, file))
    } catch (error) {
      failed.push({ targetPath: file.targetPath, ...refusalOf(error) })
    }
  }
  return { committed, failed }
}

async function commitCopy(
  ctx: WriteNeeds & Needs<'secrets'>,
  actor: Actor,
  { targetPath, s3Path }: { targetPath: string; s3Path: string },
): Promise<Committed> {
  const place = await getPlace(ctx, actor, targetPath, 'write')
  const key = keyAt(place, { isFolder: false })
  if (key !== s3Path) throw new AppError(fsErrors.key_mismatch, { params: { key: s3Path, expected: key } })
  const stat = await place.driver.stat(key)
  if (!stat) throw new AppError(fsErrors.not_found)
  const configId = place.config.id
  const replacesBytes = await indexedBytesOf(ctx, { configId, keys: [key] })
  await claimKeys(ctx, { configId, keys: [key] })
  await sharesReplaced(ctx, { configId, objects: [stat] })
  // The object already exists. So an exceeded capacity is reported, but the object is registered anyway.
  const check = requireCapacity(ctx, { config: place.config, sizeBytes: stat.sizeBytes, replacesBytes })
  const [verdict] = await Promise.allSettled([check])
  await noteChange(ctx, { configId, written: [stat] })
  if (verdict.status === 'rejected') throw verdict.reason
  return { targetPath, fileName: nameOf(key) }
}
