import { fsErrors } from '@dropleaf/contract'
import {
  isFolderKey,
  type ObjectStat,
  parseFolderKey,
  parseStorageKey,
  removeAll,
  StorageError,
  type StorageErrorCode,
  type StorageKey,
} from '@dropleaf/storage'
import type { Needs } from '../../../../context.ts'
import { AppError } from '../../../../lib/app-error.ts'
import { eachOf } from '../../../../lib/concurrency.ts'
import { parentOf } from '../../../../lib/object-names.ts'
import { publishObjects } from '../../files/objects/publish.usecases.ts'
import { claimKeys, sharesMoved } from '../../files/objects/shared-objects.usecases.ts'
import { indexedBytesOf } from '../../../foundation/object-index/object-index.usecases.ts'
import { noteChange } from '../../../foundation/object-index/storage-changes.usecases.ts'
import { withCapacity } from '../../../foundation/storage-usage/storage-usage.usecases.ts'
import {
  carryTimes,
  forgetClientPropertiesOf,
} from '../../../foundation/object-properties/properties.usecases.ts'
import { copyObject, type CopyObjectOptions, isSameObject, type ObjectPlace } from './copy-object.usecases.ts'
import { isGoneAbove, requireAbove } from '../files/folder-above.usecases.ts'
import { noteFailure, pathOfKey, type TransferRun, type TransferStep } from './transfer-run.usecases.ts'

const TOGETHER = 8

interface Pair {
  readonly from: ObjectStat
  readonly toKey: StorageKey
}

interface Arrived {
  readonly copy: ObjectStat
  /** Whether a rename has removed the source atomically. */
  readonly isRenamed: boolean
}

export type Transferred = Pair & Arrived

const hasCode = (code: StorageErrorCode) => (error: unknown) =>
  error instanceof StorageError && error.code === code
const isExists = hasCode('storage.exists')
const isMissing = hasCode('storage.not_found')
const isFolderMissing = hasCode('storage.folder_missing')

/**
 * Copies or moves the objects of one item. A move renames objects if the storage can rename them. Otherwise, it copies
 * all objects, checks each copy, updates shares, and then removes the sources. After an interruption, every object is
 * at its source or its target, and the same call continues the move.
 * @param toKeyOf returns the target key of an object.
 * @throws {AppError} `fs.parent_missing` if the target folder is required and missing; `file.storage_full`; as
 * `claimKeys`
 */
export async function transferObjects(
  run: TransferRun,
  step: TransferStep,
  objects: readonly ObjectStat[],
  toKeyOf: (key: string) => string,
): Promise<void> {
  const { ctx, task } = run
  const pairs = objects.flatMap((from) => {
    try {
      const to = toKeyOf(from.key)
      return [{ from, toKey: isFolderKey(from.key) ? parseFolderKey(to) : parseStorageKey(to) }]
    } catch (error) {
      noteFailure(run, pathOfKey(step.source, from.key), error)
      return []
    }
  })
  const configId = step.target.config.id
  const keys = pairs.map((pair) => pair.toKey)
  await run.holds.during(configId, { keys, signal: task.signal }, async () => {
    if (run.intoFolder) await requireAbove(step.target.driver, parentOf(step.target.rest))
    await claimKeys(ctx, { configId, keys })
    await withRoomFor(run, step, { objects, keys, work: () => transferPairs(run, step, pairs) })
  })
  task.signal.throwIfAborted()
}

async function transferPairs(run: TransferRun, step: TransferStep, pairs: readonly Pair[]): Promise<void> {
  const { task } = run
  const done: Transferred[] = []
  let isFolderGone = false
  try {
    await eachOf(pairs, TOGETHER, async (pair) => {
      if (task.signal.aborted || isFolderGone) return
      task.progress.current = pathOfKey(step.source, pair.from.key)
      try {
        const arrived = await transferOne(run, step, pair)
        if (arrived) done.push({ ...pair, ...arrived })
        else task.progress.skippedItems += 1
      } catch (error) {
        if (isFolderMissing(error)) isFolderGone = true
        else noteFailure(run, pathOfKey(step.source, pair.from.key), error)
      }
    })
    isFolderGone ||= await undoWithoutFolder(run, step, done)
  } finally {
    // Finishes the objects that were copied, even if the task is being cancelled.
    await (run.isMove ? settleMoved(run, step, done) : settleCopied(run, step, done))
  }
  if (isFolderGone) throw new AppError(fsErrors.parent_missing)
}

/**
 * Deletes new objects if their bucket folder disappeared during the transfer.
 * @returns whether the objects were deleted.
 */
async function undoWithoutFolder(
  { ctx, intoFolder }: TransferRun,
  { target, conflict, isResumed }: TransferStep,
  done: Transferred[],
): Promise<boolean> {
  const isNew = conflict === 'fail' && !isResumed
  const above = { prefix: parentOf(target.rest), key: target.rest }
  if (!intoFolder || !isNew || done.length === 0 || !(await isGoneAbove(target.driver, above))) return false
  const keys = done.splice(0).map(({ copy }) => copy.key)
  await removeAll(target.driver, keys)
  await noteChange(ctx, { configId: target.config.id, removed: keys })
  return true
}

/**
 * Reserves the space that the targets need. A move within a storage needs no additional space, and replaced objects
 * free space.
 * @param keys of the targets.
 * @throws {AppError} `file.storage_full`
 */
async function withRoomFor(
  run: TransferRun,
  step: TransferStep,
  {
    objects,
    keys,
    work,
  }: { objects: readonly ObjectStat[]; keys: readonly string[]; work: () => Promise<void> },
): Promise<void> {
  if (run.isMove && step.source.config.id === step.target.config.id) return work()
  const sizeBytes = objects.reduce((sum, object) => sum + object.sizeBytes, 0)
  const { config } = step.target
  const mayReplace = step.conflict === 'overwrite' && config.total_storage_bytes !== null
  const replacesBytes = mayReplace ? await indexedBytesOf(run.ctx, { configId: config.id, keys }) : 0
  return withCapacity(run.ctx, { config, sizeBytes, replacesBytes }, work)
}

/** @returns the object at the target, or `null` if it was skipped. */
async function transferOne(run: TransferRun, step: TransferStep, pair: Pair): Promise<Arrived | null> {
  const from = placeOf(step, 'source', pair.from.key)
  const to = placeOf(step, 'target', pair.toKey)
  const { signal, progress } = run.task
  const ifAbsent = step.conflict !== 'overwrite'
  const intoFolder = run.intoFolder ? parentOf(step.target.rest) : undefined
  let passedBytes = 0
  const onBytes = (bytes: number) => {
    passedBytes += bytes
    progress.doneBytes += bytes
  }
  const options = { ifAbsent, intoFolder, signal, onBytes }
  try {
    return await placeObject(run, { from, to, pair }, options)
  } catch (error) {
    if (isMissing(error)) throw new AppError(fsErrors.not_found, { cause: error })
    if (!isExists(error)) throw error
    // In a resumed task, an identical target counts as transferred in every conflict mode, because an earlier run may
    // have written it.
    const isOurs = step.isResumed && (await isSameObject({ ...from, ...pair.from }, to, signal))
    if (!isOurs && step.conflict === 'skip') return null
    if (!isOurs) throw new AppError(fsErrors.exists, { cause: error })
    const copy = await to.driver.stat(to.key, { signal })
    if (copy) onBytes(copy.sizeBytes - passedBytes)
    return copy && { copy, isRenamed: false }
  }
}

interface Placing {
  readonly from: ObjectPlace
  readonly to: ObjectPlace
  readonly pair: Pair
}

/** Renames the object if the storage can rename objects, otherwise copies it. */
async function placeObject(
  { isMove }: TransferRun,
  { from, to, pair }: Placing,
  options: CopyObjectOptions,
): Promise<Arrived> {
  const canRename = isMove && from.configId === to.configId && !isFolderKey(from.key)
  if (!canRename || !from.driver.move) {
    const copy = await copyObject({ ...from, sizeBytes: pair.from.sizeBytes }, to, options)
    return { copy, isRenamed: false }
  }
  const copy = await from.driver.move(from.key, to.key, options)
  options.onBytes(copy.sizeBytes)
  return { copy, isRenamed: true }
}

function placeOf(step: TransferStep, side: 'source' | 'target', key: StorageKey): ObjectPlace {
  const { config, driver } = step[side]
  return { configId: config.id, driver, key }
}

async function settleCopied(
  { ctx, task }: TransferRun,
  step: TransferStep,
  done: readonly Transferred[],
): Promise<void> {
  if (done.length === 0) return
  const { target } = step
  await carryTimesOf(ctx, step, done)
  const objects = done.map((one) => one.copy)
  await publishObjects(ctx, target.config.id, objects)
  task.progress.doneItems += done.length
}

const carryTimesOf = (ctx: Needs<'db'>, { source, target }: TransferStep, done: readonly Transferred[]) =>
  carryTimes(ctx, {
    configId: source.config.id,
    toConfigId: target.config.id,
    files: done.map(({ from, copy }) => ({
      from: from.key,
      fromEtag: from.etag,
      to: copy.key,
      etag: copy.etag,
    })),
  })

/** Maximum number of times a changed source is copied before it counts as failed. */
const LOOKS = 3
/** How long a move waits for leases on its sources before it deletes them, in milliseconds. */
const SOURCE_WAIT_MS = 10_000

interface Looked {
  /** Transfers whose copy is verified to equal the current source. */
  readonly sure: Transferred[]
  /** New objects at the keys of renamed sources. */
  readonly came: ObjectStat[]
  /** Transfers whose source changed after it was copied; `from` is the current version of the source. */
  readonly changed: Transferred[]
}

/**
 * Compares sources and copies a last time before the sources are deleted. A transfer counts as failed if its target is
 * no longer the copy.
 */
async function lookAgain(
  run: TransferRun,
  step: TransferStep,
  held: readonly Transferred[],
): Promise<Looked> {
  const looked: Looked = { sure: [], came: [], changed: [] }
  await eachOf(held, TOGETHER, async (one) => {
    const source = placeOf(step, 'source', one.from.key)
    if (one.isRenamed) {
      const now = await source.driver.stat(source.key)
      if (now) looked.came.push(now)
      return void looked.sure.push(one)
    }
    const target = placeOf(step, 'target', one.toKey)
    try {
      const [now, there] = await Promise.all([source.driver.stat(source.key), target.driver.stat(target.key)])
      const from = { ...source, ...one.from }
      if (!there || !(await isCopy(there, { copy: one.copy, from, target })))
        throw new AppError(fsErrors.changed)
      const isFresh = now?.etag === from.etag && now.sizeBytes === there.sizeBytes
      if (!now || isFresh || isFolderKey(source.key)) looked.sure.push({ ...one, copy: there })
      else looked.changed.push({ ...one, from: now })
    } catch (error) {
      noteFailure(run, pathOfKey(step.source, one.from.key), error)
    }
  })
  return looked
}

/**
 * Copies changed sources again, over their earlier copies.
 * @returns the transfers that succeeded; the others count as failed.
 */
async function copyAgain(
  run: TransferRun,
  step: TransferStep,
  changed: readonly Transferred[],
): Promise<Transferred[]> {
  const { signal } = run.task
  const copied: Transferred[] = []
  await eachOf(changed, TOGETHER, async (one) => {
    const source = placeOf(step, 'source', one.from.key)
    const target = placeOf(step, 'target', one.toKey)
    const options = { ifAbsent: false, signal, onBytes: () => undefined }
    try {
      signal.throwIfAborted()
      const copy = await copyObject({ ...source, sizeBytes: one.from.sizeBytes }, target, options)
      copied.push({ ...one, copy })
    } catch (error) {
      noteFailure(run, pathOfKey(step.source, one.from.key), error)
    }
  })
  return copied
}

/**
 * Returns whether the object at the target is still the copy that this transfer made. If the etag differs from that of
 * the copy, compares the bytes of source and target.
 */
async function isCopy(
  there: ObjectStat,
  { copy, from, target }: { copy: ObjectStat; from: ObjectPlace & ObjectStat; target: ObjectPlace },
): Promise<boolean> {
  return there.etag === copy.etag || isFolderKey(from.key) || isSameObject(from, target)
}

/**
 * Deletes the sources of moved objects. A source that has changed is copied again, and remains if it keeps changing.
 */
export async function settleMoved(
  run: TransferRun,
  step: TransferStep,
  copied: readonly Transferred[],
): Promise<void> {
  const failChanged = (ones: readonly Transferred[]) => {
    for (const { from } of ones)
      noteFailure(run, pathOfKey(step.source, from.key), new AppError(fsErrors.changed))
  }
  let left = copied
  for (let look = 1; left.length > 0; look += 1) {
    const isOwn = (one: Transferred) => !one.isRenamed && !isFolderKey(one.from.key)
    const keys = left.map(({ from }) => from.key).filter((key) => !isFolderKey(key))
    const wanted = { keys, waitMs: SOURCE_WAIT_MS }
    const changed = await run.holds.duringMost(step.source.config.id, wanted, async (isHeld) => {
      failChanged(left.filter((one) => isOwn(one) && !isHeld(one.from.key)))
      return takeAway(
        run,
        step,
        left.filter((one) => !isOwn(one) || isHeld(one.from.key)),
      )
    })
    if (look === LOOKS) return failChanged(changed)
    left = await copyAgain(run, step, changed)
  }
}

/** Undoes the move of sources that could not be deleted: their shares move back, and new copies are deleted. */
async function putBack({ ctx }: TransferRun, step: TransferStep, stayed: readonly Transferred[]) {
  if (stayed.length === 0) return
  const { source, target } = step
  const configId = target.config.id
  const moves = stayed.map(({ from, copy }) => ({ from: copy.key, to: from.key, etag: from.etag }))
  await sharesMoved(ctx, { configId, toConfigId: source.config.id, moves })
  const isNew = step.conflict === 'fail' && !step.isResumed
  const copies = isNew ? stayed.map(({ copy }) => copy.key) : []
  const { failed } = await target.driver.remove(copies)
  const left = new Set<string>(failed.map(({ key }) => key))
  const removed = copies.filter((key) => !left.has(key))
  const written = stayed.map(({ copy }) => copy).filter(({ key }) => !isNew || left.has(key))
  await forgetClientPropertiesOf(ctx, { configId, keys: removed }, { isReplaced: true })
  await noteChange(ctx, { configId, written, removed })
}

/**
 * Deletes the sources. The caller holds leases on them, so that no write happens between the last check and the
 * deletion.
 * @returns the transfers whose source changed after it was copied; these sources remain.
 */
async function takeAway(
  run: TransferRun,
  step: TransferStep,
  held: readonly Transferred[],
): Promise<Transferred[]> {
  const { source, target } = step
  const { sure: done, came, changed } = await lookAgain(run, step, held)
  if (done.length === 0) return changed
  const { ctx, task } = run
  const configId = source.config.id
  const toConfigId = target.config.id
  const moves = done.map(({ from, copy }) => ({ from: from.key, to: copy.key, etag: copy.etag }))
  await sharesMoved(ctx, { configId, toConfigId, moves })
  await carryTimesOf(ctx, step, done)
  const left = done.filter((one) => !one.isRenamed).map(({ from }) => from.key)
  const { failed } = await source.driver.remove(left)
  const kept = new Set<string>(failed.map(({ key }) => key))
  for (const { key, error } of failed) noteFailure(run, pathOfKey(source, key), error)
  const isKept = ({ from }: Transferred) => kept.has(from.key)
  await putBack(run, step, done.filter(isKept))
  const moved = done.filter((one) => !isKept(one))
  await noteChange(ctx, { configId: toConfigId, written: moved.map((one) => one.copy) })
  const gone = moved.map(({ from }) => from.key)
  // New objects at the keys of renamed sources are already indexed, and must stay in the index.
  const names = new Set(came.map(({ key }) => key))
  await noteChange(ctx, { configId, written: came, removed: gone.filter((key) => !names.has(key)) })
  task.progress.doneItems += gone.length
  return changed
}
