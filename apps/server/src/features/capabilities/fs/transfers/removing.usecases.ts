import { fsErrors, requestErrors } from '@dropleaf/contract'
import { isFolderKey, type ObjectStat, type StorageKey } from '@dropleaf/storage'
import type { IndexNeeds, Needs, WriteNeeds } from '../../../../context.ts'
import type { RunningTask, TaskHandler } from '../../../../jobs/running-task.ts'
import type { TaskRow } from '../../../../jobs/tasks.table.ts'
import { AppError } from '../../../../lib/app-error.ts'
import { nameAt, parentOf } from '../../../../lib/object-names.ts'
import type { Actor } from '../../../foundation/identity/actor.models.ts'
import { sharesRemoved } from '../../files/objects/shared-objects.usecases.ts'
import { noteChange } from '../../../foundation/object-index/storage-changes.usecases.ts'
import { requireAccess } from '../places/access.models.ts'
import { settleWriters } from '../files/folder-above.usecases.ts'
import { keepFolders } from '../files/folder-markers.usecases.ts'
import { type KeyLeases, openLeases } from '../leases/key-leases.usecases.ts'
import { requireNoMountIn } from '../places/mounts-inside.usecases.ts'
import { type WaitOptions, runWhileWaiting } from './moving.usecases.ts'
import { holdsHidden, getPlace, type Place, prefixOf } from '../places/places.usecases.ts'
import {
  keyAt,
  noteFailure,
  pathOfKey,
  type Refusal,
  refusalOf,
  requireTaskActor,
} from './transfer-run.usecases.ts'
import type { ShownLocks } from './transfers.models.ts'
import { folderExists, walk } from '../../../../storage/walk.ts'
import { requireUnlocked } from '../../../foundation/object-locks/locks.usecases.ts'
import {
  forgetClientProperties,
  forgetClientPropertiesOf,
} from '../../../foundation/object-properties/properties.usecases.ts'

interface RemovalRequest {
  readonly paths: readonly string[]
  /** Lock tokens of the WebDAV request. If set, the locks on deleted folders are checked again. */
  readonly locks?: ShownLocks | undefined
  /** Owner of the lease that the deletion takes over. */
  readonly holdsOwner?: string | undefined
  /** Whether the deleted entry is being replaced. */
  readonly isReplaced?: boolean | undefined
}

/** Result of a deletion: the number of deleted paths, and the errors of the paths that were not deleted. */
export interface RemovalResult {
  readonly removed: number
  readonly failed: ReadonlyArray<{ readonly path: string } & Refusal>
}

/** Maximum number of requested files that are deleted by one call. */
const TOGETHER = 1000

/**
 * Deletes files and folders.
 * @returns the task, which might still be running; its result is a {@link RemovalResult}.
 * @throws {AppError} as `requireAccess`, before anything is deleted
 */
export async function removePaths(
  ctx: Needs<'tasks'>,
  actor: Actor,
  paths: readonly string[],
  { isToEnd, ...o }: WaitOptions & Omit<RemovalRequest, 'paths'> = {},
): Promise<TaskRow> {
  for (const path of paths) requireAccess(actor, path, 'write')
  const payload = { paths, ...o } satisfies RemovalRequest
  return runWhileWaiting(ctx, actor, { type: 'delete', payload }, { isToEnd })
}

/** Runs tasks of the type `delete`. Missing files count as deleted, so an interrupted task can restart. */
export const removalHandler =
  (ctx: WriteNeeds & Needs<'secrets'>): TaskHandler =>
  async (task) => {
    const { paths, locks, holdsOwner, isReplaced = false } = task.payload as RemovalRequest
    const written = paths.map((path) => ({ path, intent: 'write' as const }))
    const actor = await requireTaskActor(ctx, task, written)
    await using holds = openLeases(ctx, holdsOwner ?? task.id)
    const failed = new Map<string, Refusal>()
    task.progress.totalItems = paths.length
    const files = new Map<string, { place: Place; keys: Map<StorageKey, string> }>()
    const run = { ctx, task, holds, failed, isReplaced }
    for (const path of paths) {
      task.signal.throwIfAborted()
      try {
        const place = await getPlace(ctx, actor, path, 'write')
        const key = keyAt(place, { isFolder: place.isFolder })
        if (!place.isFolder) {
          await collectFile(run, { place, key, path, files })
          continue
        }
        await requireNoMountIn(ctx, place)
        const name = nameAt(place)
        await holds.takeInTurn([name], task.signal)
        try {
          if (locks) {
            const change = { place, isTree: true, isMembership: true }
            await requireUnlocked(ctx, actor, { change, tokens: new Set(locks.tokens) })
          }
          const around = { place, prefixes: [parentOf(place.rest)] }
          await keepingFolders(ctx, around, () => removeFolder(run, { place, path }))
        } finally {
          await holds.release(name)
        }
      } catch (error) {
        task.signal.throwIfAborted()
        noteFailure({ ctx, task }, path, error)
        failed.set(path, refusalOf(error))
      }
    }
    for (const { place, keys } of files.values()) {
      task.signal.throwIfAborted()
      await removeFiles(run, { place, keys })
    }
    const result: RemovalResult = {
      removed: paths.length - failed.size,
      failed: [...failed].map(([path, refusal]) => ({ path, ...refusal })),
    }
    task.setResult(result)
  }

/**
 * Runs `work`, which deletes entries of folders, but preserves the folders themselves.
 * @param prefixes of the folders to preserve if they exist.
 */
async function keepingFolders(
  ctx: IndexNeeds & Needs<'secrets'>,
  { place, prefixes }: { place: Place; prefixes: Iterable<string> },
  work: () => Promise<void>,
): Promise<void> {
  const there: string[] = []
  for (const prefix of new Set(prefixes))
    if (prefix !== '' && (await folderExists(place.driver, prefix))) there.push(prefix)
  await work()
  await keepFolders(ctx, place, there)
}

interface RemovalRun {
  readonly ctx: WriteNeeds & Needs<'secrets'>
  readonly task: RunningTask
  readonly holds: KeyLeases
  /** Requested paths that were not deleted, with the reasons. */
  readonly failed: Map<string, Refusal>
  /** Whether the deleted entry is being replaced. */
  readonly isReplaced: boolean
}

interface Collected {
  readonly place: Place
  readonly key: StorageKey
  readonly path: string
  readonly files: Map<string, { place: Place; keys: Map<StorageKey, string> }>
}

async function collectFile(run: RemovalRun, o: Collected): Promise<void> {
  const { config } = o.place
  const group = o.files.get(config.id) ?? { place: o.place, keys: new Map<StorageKey, string>() }
  o.files.set(config.id, group)
  group.keys.set(o.key, o.path)
  if (group.keys.size < TOGETHER) return
  await removeFiles(run, group)
  o.files.delete(config.id)
}

/**
 * Deletes the existing target of a copy or move. The caller holds the target's lease.
 * @returns whether the target was deleted completely; entries that remain count as failed.
 * @throws {AppError} as `removeFolder`; `fs.holds_mount`
 */
export async function clearTarget(
  o: Pick<RemovalRun, 'ctx' | 'task' | 'holds'>,
  { target, replaces }: { target: Place; replaces: 'file' | 'folder' },
): Promise<boolean> {
  const run: RemovalRun = { ...o, failed: new Map(), isReplaced: true }
  const { doneItems, totalItems } = o.task.progress
  const { path } = target
  if (replaces === 'file')
    await removeFiles(run, { place: target, keys: new Map([[keyAt(target, { isFolder: false }), path]]) })
  else {
    await requireNoMountIn(o.ctx, target)
    const around = { place: target, prefixes: [parentOf(target.rest)] }
    await keepingFolders(o.ctx, around, () => removeFolder(run, { place: target, path }))
  }
  Object.assign(o.task.progress, { doneItems, totalItems })
  return run.failed.size === 0
}

interface FileGroup {
  readonly place: Place
  readonly keys: ReadonlyMap<StorageKey, string>
}

async function removeFiles(run: RemovalRun, { place, keys }: FileGroup): Promise<void> {
  const { ctx, task, failed } = run
  const prefixes = [...keys.keys()].map(parentOf)
  const all = [...keys.keys()]
  // Catches the error, because a failing storage must not prevent deletions in the other storages.
  const faults = await removeKeys(run, place, { keys: all, prefixes }).catch((error: unknown) => {
    task.signal.throwIfAborted()
    return new Map(all.map((key) => [key, error]))
  })
  for (const [key, error] of faults) {
    const path = keys.get(key) ?? key
    noteFailure({ ctx, task }, path, error)
    failed.set(path, refusalOf(error))
  }
  task.progress.doneItems += keys.size - faults.size
}

/** How long a deletion waits for leases on its keys, in milliseconds. */
const NAMES_WAIT_MS = 20_000

/**
 * Deletes objects and all data that refers to them. Holds leases on their keys, so that no write happens during the
 * deletion.
 * @param prefixes of parent folders to preserve.
 * @returns the keys that could not be deleted, with the errors.
 */
async function removeKeys(
  { ctx, holds, isReplaced }: Pick<RemovalRun, 'ctx' | 'holds' | 'isReplaced'>,
  place: Place,
  { keys, prefixes = [] }: { keys: readonly StorageKey[]; prefixes?: readonly string[] },
): Promise<Map<StorageKey, unknown>> {
  const { config, driver } = place
  const faults = new Map<StorageKey, unknown>()
  const wanted = { keys: keys.filter((key) => !isFolderKey(key)), waitMs: NAMES_WAIT_MS }
  await holds.duringMost(config.id, wanted, (isHeld) =>
    keepingFolders(ctx, { place, prefixes }, async () => {
      const held = keys.filter((key) => isFolderKey(key) || isHeld(key))
      const result = await driver.remove(held)
      for (const key of keys)
        if (!isFolderKey(key) && !isHeld(key)) faults.set(key, new AppError(requestErrors.unavailable))
      for (const { key, error } of result.failed) faults.set(key, error)
      const removed = keys.filter((key) => !faults.has(key))
      await sharesRemoved(ctx, { configId: config.id, keys: removed })
      await forgetClientPropertiesOf(ctx, { configId: config.id, keys: removed }, { isReplaced })
      await noteChange(ctx, { configId: config.id, removed })
    }),
  )
  return faults
}

interface FolderRemoval {
  readonly place: Place
  readonly path: string
}

/** Maximum number of passes over a folder. Later passes delete objects that were written during the deletion. */
const LOOKS = 3

/**
 * Deletes a folder. If new objects keep arriving, the remaining objects count as failed.
 * @throws {AppError} `fs.names_unusable`, `fs.holds_shares`
 */
async function removeFolder(run: RemovalRun, removal: FolderRemoval): Promise<void> {
  const { ctx, task, failed } = run
  const { place, path } = removal
  for (let look = 1; ; look += 1) {
    await removeWhatIsIn(run, removal)
    if (failed.has(path)) return
    await forgetClientProperties(ctx, nameAt(place), run)
    await settleWriters(ctx, place)
    const left = await findLeft(place)
    if (left === null) break
    if (left === 'unnamed') throw new AppError(fsErrors.names_unusable)
    if (look < LOOKS) continue
    const error = new AppError(fsErrors.written_meanwhile)
    for (const { key } of left) noteFailure({ ctx, task }, pathOfKey(place, key), error)
    failed.set(path, refusalOf(error))
    return
  }
  // If the folder is being replaced, hidden files of shares can remain in it. They become part of the new folder.
  const isStaying = !run.isReplaced && (await folderExists(place.driver, prefixOf(place)))
  if (isStaying && (await holdsHidden(ctx, place, task.signal))) throw new AppError(fsErrors.holds_shares)
  task.progress.doneItems += 1
}

async function removeWhatIsIn(run: RemovalRun, { place, path }: FolderRemoval): Promise<void> {
  const { ctx, task, failed } = run
  const prefix = prefixOf(place)
  for await (const { objects } of walk(place.driver, { prefix, signal: task.signal })) {
    task.signal.throwIfAborted()
    task.progress.totalItems = (task.progress.totalItems ?? 0) + objects.length
    task.progress.current = path
    const faults = await removeKeys(run, place, { keys: objects.map(({ key }) => key) })
    for (const [key, error] of faults) {
      noteFailure({ ctx, task }, pathOfKey(place, key), error)
      failed.set(path, refusalOf(error))
    }
    task.progress.doneItems += objects.length - faults.size
  }
}

/**
 * Returns the first objects that remain in a folder; `'unnamed'` if only keys remain that no path can address; `null`
 * if nothing remains.
 */
async function findLeft(place: Place): Promise<readonly ObjectStat[] | 'unnamed' | null> {
  let hasUnnamed = false
  for await (const { objects, unnamed } of walk(place.driver, { prefix: prefixOf(place) })) {
    if (objects.length > 0) return objects
    hasUnnamed ||= unnamed.length > 0
  }
  return hasUnnamed ? 'unnamed' : null
}
