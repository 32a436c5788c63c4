import { fsErrors } from '@dropleaf/contract'
import { type ObjectStat, parseFolderKey, parseStorageKey, StorageError } from '@dropleaf/storage'
import { AppError } from '../../../../lib/app-error.ts'
import { parentOf } from '../../../../lib/object-names.ts'
import { claimKeys } from '../../files/objects/shared-objects.usecases.ts'
import { settleWriters } from '../files/folder-above.usecases.ts'
import { inFsTerms } from '../fs-terms.models.ts'
import { prefixOf } from '../places/places.usecases.ts'
import { settleMoved, transferObjects } from './transfer-objects.usecases.ts'
import {
  keyAt,
  noteFailure,
  pathOfKey,
  type TransferRun,
  type TransferStep,
} from './transfer-run.usecases.ts'
import { walk } from '../../../../storage/walk.ts'

/**
 * Other requests can write into a folder while it moves. Storages with real folders rename it atomically. In other
 * storages, objects that are written during the move are moved too, or reported as failed. So a folder that still
 * contains objects does not count as moved.
 */

const keyOf = (key: string) => (key.endsWith('/') ? parseFolderKey(key) : parseStorageKey(key))

/**
 * Claims the new keys of all objects in the folder.
 * @throws {AppError} `fs.paths_too_long`
 */
async function prepareKeys({ ctx, task }: TransferRun, { source, target }: TransferStep): Promise<void> {
  const prefix = prefixOf(source)
  for await (const { objects } of walk(source.driver, { prefix, signal: task.signal }))
    await claimKeys(ctx, { configId: target.config.id, keys: objects.map(({ key }) => newKeyOf(key)) })

  function newKeyOf(key: string) {
    try {
      return keyOf(prefixOf(target) + key.slice(prefix.length))
    } catch (error) {
      // A storage error means that a path is too long, because each segment is a valid name.
      throw error instanceof StorageError ? new AppError(fsErrors.paths_too_long, { cause: error }) : error
    }
  }
}

/**
 * Renames a folder atomically, if its storage can rename folders, and updates all references to its files.
 * @returns whether the folder was renamed; if not, nothing changed.
 * @throws {AppError} `fs.not_found`, `fs.exists`, `fs.parent_missing`, `fs.paths_too_long`
 */
export async function renameFolder(run: TransferRun, step: TransferStep): Promise<boolean> {
  const { source, target } = step
  const { driver } = source
  const isNew = step.conflict === 'fail' && !step.isResumed
  const isInStorage = source.config.id === target.config.id && source.rest !== ''
  if (!run.isMove || !isNew || !isInStorage || !driver.moveFolder) return false
  await prepareKeys(run, step)
  run.task.signal.throwIfAborted()
  const [from, to] = [keyAt(source, { isFolder: true }), keyAt(target, { isFolder: true })]
  const intoFolder = run.intoFolder ? parentOf(target.rest) : undefined
  const isRenamed = await inFsTerms(async () => driver.moveFolder?.(from, to, { intoFolder }))
  if (!isRenamed) return false
  await settleRenamed(run, step)
  return true
}

/**
 * Updates shares, properties and the index for the objects of a renamed folder, even if the task is being cancelled.
 */
export async function settleRenamed(run: TransferRun, step: TransferStep): Promise<void> {
  const [from, to] = [prefixOf(step.source), prefixOf(step.target)]
  for await (const { objects } of walk(step.target.driver, { prefix: to })) {
    run.task.progress.doneBytes += objects.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0)
    const moved = objects.map((copy) => {
      const key = keyOf(from + copy.key.slice(to.length))
      return { from: { ...copy, key }, toKey: copy.key, copy, isRenamed: true }
    })
    await settleMoved(run, step, moved)
  }
}

/** Maximum number of passes that move objects written during the move. */
const LOOKS = 20

/** @returns the first objects in the folder. */
async function findLeft(run: TransferRun, { source }: TransferStep): Promise<readonly ObjectStat[]> {
  for await (const { objects } of walk(source.driver, { prefix: prefixOf(source), signal: run.task.signal }))
    if (objects.length > 0) return objects
  return []
}

/**
 * Moves objects that were written into a folder during its move. Objects that arrive after the last pass stay at the
 * source, and count as failed.
 */
export async function moveLate(
  run: TransferRun,
  step: TransferStep,
  toKeyOf: (key: string) => string,
): Promise<void> {
  const { progress } = run.task
  const failedBefore = progress.failedItems
  let isSettled = false
  for (let look = 0; ;) {
    const late = await findLeft(run, step)
    if (late.length === 0 && isSettled) return
    if (late.length > 0) look += 1
    if (look > LOOKS) {
      for (const { key } of late)
        noteFailure(run, pathOfKey(step.source, key), new AppError(fsErrors.changed))
      return
    }
    if (late.length > 0) {
      isSettled = false
      await transferObjects(run, step, late, toKeyOf)
      if (progress.failedItems > failedBefore) return
    } else {
      isSettled = true
      await settleWriters(run.ctx, step.source)
    }
  }
}
