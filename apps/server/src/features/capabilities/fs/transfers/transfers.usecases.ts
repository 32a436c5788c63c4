import { fsErrors } from '@dropleaf/contract'
import { removalProbeKey, removeAll } from '@dropleaf/storage'
import type { Needs, WriteNeeds } from '../../../../context.ts'
import type { RunningTask, TaskHandler } from '../../../../jobs/running-task.ts'
import { AppError } from '../../../../lib/app-error.ts'
import { nameAt, parentOf } from '../../../../lib/object-names.ts'
import { shareObjectsAmong } from '../../../foundation/share-objects/share-objects.usecases.ts'
import { sharesCatchUp } from '../../files/objects/shared-objects.usecases.ts'
import { keepFolders } from '../files/folder-markers.usecases.ts'
import { openLeases } from '../leases/key-leases.usecases.ts'
import { moveLate, renameFolder, settleRenamed } from './moving-folders.usecases.ts'
import { requireNamesFit } from './names-fit.usecases.ts'
import { getPlace, holdsHidden, type Place, prefixOf } from '../places/places.usecases.ts'
import { requireNoMountIn } from '../places/mounts-inside.usecases.ts'
import { clearTarget } from './removing.usecases.ts'
import { findTaken, settleTarget } from './transfer-targets.usecases.ts'
import { transferObjects } from './transfer-objects.usecases.ts'
import {
  keyAt,
  noteFailure,
  pathOfKey,
  refusalOf,
  requireTaskActor,
  type TaskPath,
  type TransferRun,
  type TransferStep,
} from './transfer-run.usecases.ts'
import {
  type Conflict,
  type ShownLocks,
  stateOf,
  type TransferCheckpoint,
  type TransferItem,
  type TransferredItem,
  type TransferRequest,
} from './transfers.models.ts'
import { folderExists, walk } from '../../../../storage/walk.ts'
import { requireUnlocked } from '../../../foundation/object-locks/locks.usecases.ts'
import { carryClientProperties } from '../../../foundation/object-properties/properties.usecases.ts'

/**
 * Number of objects that are listed and transferred together. The number is smaller if each object can take a long
 * time.
 */
const PAGE_COPY = 1000
const PAGE_MOVE = 100
const PAGE_ACROSS = 100

const FRESH: TransferCheckpoint = { index: 0, target: null, cursor: null, items: [] }

/** Runs tasks of the types `copy` and `move`. */
export const transferHandler =
  (ctx: WriteNeeds & Needs<'secrets'>, { isMove }: { isMove: boolean }): TaskHandler =>
  async (task) => {
    const request = task.payload as TransferRequest
    const paths = request.items.flatMap(({ source, target }): TaskPath[] => [
      { path: source, intent: isMove ? 'write' : 'read' },
      { path: target, intent: 'write' },
    ])
    const actor = await requireTaskActor(ctx, task, paths)
    await using holds = openLeases(ctx, task.id)
    const run: TransferRun = { ctx, task, isMove, intoFolder: request.intoFolder === true, actor, holds }
    const left = task.checkpoint as (TransferCheckpoint & { again?: true }) | null
    let state = left === null || left.again ? FRESH : left
    if (state === FRESH) await measure(run, request.items)
    for (const [index, item] of request.items.entries()) {
      if (index < state.index) continue
      const former = left?.again ? left.items?.[index] : undefined
      const outcome =
        former?.state === 'completed'
          ? skipDone(task, former)
          : await transferItem(run, {
              item,
              conflict: request.conflict,
              locks: request.locks,
              resumed: { target: begunTarget(left, index), cursor: state.cursor },
              save: (part) => task.saveCheckpoint({ ...state, ...part, index }),
            })
      state = { index: index + 1, target: null, cursor: null, items: [...state.items, outcome] }
      task.setResult({ items: state.items })
      await task.saveCheckpoint(state)
    }
  }

/** Returns the target that an earlier, interrupted run chose for an item. */
function begunTarget(left: TransferCheckpoint | null, index: number): string | null {
  if (left === null) return null
  if (left.index === index) return left.target
  const former = left.items?.[index]
  return former?.state === 'partially_complete' ? former.target : null
}

function skipDone(task: RunningTask, former: TransferredItem): TransferredItem {
  task.progress.skippedItems += 1
  return former
}

/** Counts all objects before the transfer starts. Errors are ignored here, since the transfer reports them. */
async function measure(run: TransferRun, items: readonly TransferItem[]): Promise<void> {
  let objects = 0
  let bytes = 0
  for (const item of items) {
    try {
      const place = await getPlace(run.ctx, run.actor, item.source, 'read')
      if (!place.isFolder) {
        const stat = await place.driver.stat(keyAt(place, { isFolder: false }))
        objects += 1
        bytes += stat?.sizeBytes ?? 0
        continue
      }
      for await (const page of walk(place.driver, { prefix: prefixOf(place), signal: run.task.signal })) {
        objects += page.objects.length + page.unnamed.length
        bytes += page.objects.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0)
      }
    } catch {
      run.task.signal.throwIfAborted()
      objects += 1
    }
  }
  run.task.progress.totalItems = objects
  run.task.progress.totalBytes = bytes
}

interface ItemWork {
  readonly item: TransferItem
  readonly conflict: Conflict
  readonly locks: ShownLocks | undefined
  readonly resumed: Pick<TransferCheckpoint, 'target' | 'cursor'>
  save(part: Partial<TransferCheckpoint>): Promise<void>
}

async function transferItem(run: TransferRun, work: ItemWork): Promise<TransferredItem> {
  const { ctx, actor, task, isMove } = run
  const { item } = work
  const before = { ...task.progress }
  let { target } = item
  let hasMadeFolder = false
  let hasReplaced = false
  try {
    const source = await getPlace(ctx, actor, item.source, isMove ? 'write' : 'read')
    const wanted = await getPlace(ctx, actor, work.resumed.target ?? item.target, 'write')
    if (source.isFolder) await requireNoMountIn(ctx, source)
    const step = await settleTarget(
      { ctx, actor, signal: task.signal, isMove, holds: run.holds },
      { source, wanted, conflict: work.conflict, isResumed: work.resumed.target !== null },
    )
    if (step === null) {
      task.progress.skippedItems += 1
      return { source: item.source, target, state: 'skipped', code: null }
    }
    hasReplaced = step.replaces !== undefined || step.conflict === 'overwrite'
    if (work.locks) await requireUnlockedStill(run, step, work.locks)
    target = step.target.path
    if (isMove) await requireRemovable(source)
    if (step.replaces && !(await makePlace(run, { ...step, replaces: step.replaces }, item)))
      return { source: item.source, target, state: stateOf(before, task.progress), code: null }
    await work.save({ target })
    if (isMove && step.isResumed) await catchUpShares(ctx, step)
    if (!source.isFolder) await transferFile(run, step, item)
    else if ((await transferFolder(run, step, work)) === 'implied') hasMadeFolder = !isMove
    const hasFailed = task.progress.failedItems > before.failedItems
    if (!hasFailed || task.progress.doneItems > before.doneItems)
      await carryClientProperties(ctx, {
        from: nameAt(source),
        to: nameAt(step.target),
        isMove: isMove && !hasFailed,
        isMerge: source.isFolder && step.conflict !== 'fail',
      })
    if (isMove) await keepFolders(ctx, source, [parentOf(source.rest)])
  } catch (error) {
    task.signal.throwIfAborted()
    noteFailure(run, item.source, error)
    return { source: item.source, target, state: stateOf(before, task.progress), ...refusalOf(error) }
  } finally {
    await run.holds.releaseAll()
  }
  const state = stateOf(before, task.progress)
  return {
    source: item.source,
    target,
    state,
    code: null,
    ...(hasMadeFolder && { hasMadeFolder }),
    ...(hasReplaced && { hasReplaced }),
  }
}

/**
 * Before a move copies anything, checks that a storage without rename will allow the deletion of the source. Deletes a
 * key that does not exist: in the folder of a file, or inside a source folder.
 * @throws {StorageError} if deletions are refused
 */
async function requireRemovable(source: Place): Promise<void> {
  if (source.driver.move) return
  const probe = removalProbeKey(source.isFolder ? prefixOf(source) : parentOf(source.rest))
  if (probe) await removeAll(source.driver, [probe])
}

/** Returns whether a folder contains only hidden files of shares, which are not moved. */
async function isAllHidden(
  ctx: Needs<'db' | 'secrets' | 'storage'>,
  source: Place,
  signal: AbortSignal,
): Promise<boolean> {
  if (!(await holdsHidden(ctx, source, signal))) return false
  for await (const { objects } of walk(source.driver, { prefix: prefixOf(source), signal }))
    if (objects.length > 0) return false
  return true
}

/**
 * Checks that no name in a folder is reserved at the target.
 * @throws {AppError} `fs.path_reserved`
 */
async function requireNoneReserved(
  ctx: Needs<'db' | 'secrets' | 'storage'>,
  { source, target }: Pick<TransferStep, 'source' | 'target'>,
  signal: AbortSignal,
): Promise<void> {
  if (!(await holdsHidden(ctx, target, signal))) return
  const storage = { db: ctx.db, configId: target.config.id }
  for await (const { objects } of walk(source.driver, { prefix: prefixOf(source), signal })) {
    const keys = objects.map(({ key }) => prefixOf(target) + key.slice(prefixOf(source).length))
    if ((await shareObjectsAmong(ctx, storage, keys, { isWrite: true })).size > 0)
      throw new AppError(fsErrors.path_reserved)
  }
}

/**
 * Deletes the existing target, but only if the source can be transferred.
 * @returns whether the target is free.
 * @throws {AppError} `fs.not_found`, `fs.changed`, `fs.paths_too_long`, `fs.path_reserved`; as `clearTarget`
 */
async function makePlace(
  run: TransferRun,
  { source, target, replaces }: TransferStep & Required<Pick<TransferStep, 'replaces'>>,
  item: TransferItem,
): Promise<boolean> {
  const { signal } = run.task
  if (!source.isFolder) {
    await findMeant(source, item, signal)
    // Refuses to replace a folder with hidden files of shares by a file.
    if (replaces === 'folder' && (await holdsHidden(run.ctx, target, signal)))
      throw new AppError(fsErrors.path_reserved)
  } else {
    const isThere = await folderExists(source.driver, prefixOf(source), signal)
    if (!isThere || (await isAllHidden(run.ctx, source, signal))) throw new AppError(fsErrors.not_found)
    await requireNamesFit({ source, target }, signal)
    await requireNoneReserved(run.ctx, { source, target }, signal)
  }
  return clearTarget(run, { target, replaces })
}

/**
 * Checks that the source file exists in the expected version.
 * @throws {AppError} `fs.not_found`; `fs.changed` if it is not the expected version
 */
async function findMeant(source: Place, { ifMatch }: Pick<TransferItem, 'ifMatch'>, signal: AbortSignal) {
  const stat = await source.driver.stat(keyAt(source, { isFolder: false }), { signal })
  if (!stat) throw new AppError(fsErrors.not_found)
  if (ifMatch !== undefined && stat.etag !== ifMatch) throw new AppError(fsErrors.changed)
}

/**
 * Checks locks again after the leases are taken. From then on no lock can be added, because adding a lock requires the
 * lease.
 * @throws {AppError} `webdav.locked`
 */
async function requireUnlockedStill(
  { ctx, actor, isMove }: TransferRun,
  { source, target }: TransferStep,
  { tokens }: ShownLocks,
): Promise<void> {
  const shown = new Set(tokens)
  const isTree = source.isFolder
  if (isMove)
    await requireUnlocked(ctx, actor, {
      change: { place: source, isTree, isMembership: true },
      tokens: shown,
    })
  const change = { place: target, isTree: true, isMembership: true }
  await requireUnlocked(ctx, actor, { change, tokens: shown })
}

/**
 * Updates the shares of objects that a previous run renamed right before it was interrupted. A listing of the source no
 * longer contains these objects.
 */
async function catchUpShares(
  ctx: Needs<'clock' | 'database' | 'db' | 'storage'>,
  { source, target }: TransferStep,
): Promise<void> {
  if (source.config.id !== target.config.id) return
  const [from, to] = source.isFolder ? [prefixOf(source), prefixOf(target)] : [source.rest, target.rest]
  await sharesCatchUp(ctx, { configId: source.config.id, from, to })
}

/** @throws {AppError} `fs.not_found`; `fs.changed` if the source is not the expected version */
async function transferFile(
  run: TransferRun,
  step: TransferStep,
  { ifMatch }: Pick<TransferItem, 'ifMatch'>,
): Promise<void> {
  const { source, target } = step
  const key = keyAt(source, { isFolder: false })
  const stat = await source.driver.stat(key, { signal: run.task.signal })
  if (!stat) {
    // An earlier run may have moved the file without recording the move.
    const isThere = step.isResumed && run.isMove && (await findTaken(target, run.task.signal)) !== null
    if (!isThere) throw new AppError(fsErrors.not_found)
    run.task.progress.doneItems += 1
    return
  }
  if (ifMatch !== undefined && stat.etag !== ifMatch) throw new AppError(fsErrors.changed)
  await transferObjects(run, step, [stat], () => target.rest)
}

/**
 * @returns how the target folder was created: `marked` by its marker, which is one of the objects; `implied` by its
 * content; `null` if it existed or was renamed.
 * @throws {AppError} `fs.not_found`, `fs.paths_too_long`; as `renameFolder` and `transferObjects`
 */
async function transferFolder(
  run: TransferRun,
  step: TransferStep,
  work: ItemWork,
): Promise<'marked' | 'implied' | null> {
  const { source, target } = step
  const prefix = prefixOf(source)
  const toPrefix = prefixOf(target)
  const isAcross = source.config.id !== target.config.id
  const toKeyOf = (key: string) => toPrefix + key.slice(prefix.length)
  if (await renameFolder(run, step)) return null
  const isGoingOn = step.isResumed || work.resumed.cursor !== null
  if (!isGoingOn && !step.replaces) await requireNamesFit(step, run.task.signal)
  const { progress } = run.task
  const before = progress.failedItems + progress.skippedItems
  let found = 0
  let isMarked = false
  const pages = walk(source.driver, {
    prefix,
    cursor: work.resumed.cursor ?? undefined,
    signal: run.task.signal,
    pageSize: isAcross ? PAGE_ACROSS : run.isMove ? PAGE_MOVE : PAGE_COPY,
  })
  for await (const page of pages) {
    found += page.objects.length + page.unnamed.length
    isMarked ||= page.objects.some(({ key }) => key === prefix)
    for (const name of page.unnamed)
      noteFailure(run, pathOfKey(source, name), new AppError(fsErrors.names_unusable))
    await transferObjects(run, step, page.objects, toKeyOf)
    // A move deletes the listed objects, so a resumed move lists from the start.
    await work.save({ target: target.path, cursor: run.isMove ? null : page.nextCursor })
  }
  if (found === 0 && !isGoingOn && source.rest !== '') throw new AppError(fsErrors.not_found)
  // An earlier run may have renamed the folder atomically without recording the rename.
  const isRenamed = run.isMove && found === 0 && step.isResumed && !isAcross
  if (isRenamed && source.driver.moveFolder) await settleRenamed(run, step)
  const isWhole = progress.failedItems + progress.skippedItems === before
  if (run.isMove && isWhole && source.rest !== '') await moveLate(run, step, toKeyOf)
  // All conflict modes except `fail` merge into an existing folder.
  return step.conflict === 'fail' ? (isMarked ? 'marked' : 'implied') : null
}
