import { fsErrors, requestErrors } from '@dropleaf/contract'
import type { StorageKey } from '@dropleaf/storage'
import type { AppContext } from '../../context.ts'
import type { RunningTask, TaskHandler } from '../../jobs/task-queue.ts'
import type { TaskRow } from '../../jobs/tasks.table.ts'
import { AppError } from '../../lib/app-error.ts'
import type { Actor } from '../auth/actor.models.ts'
import { sharesRemoved } from '../files/shared-objects.usecases.ts'
import { noteChange } from '../search/storage-changes.usecases.ts'
import { requireAccess } from './access.models.ts'
import { keepFolders } from './folder-markers.usecases.ts'
import { openHolds } from './key-holds.usecases.ts'
import { requireNoMountIn } from './mounts-inside.usecases.ts'
import { runWhileWaiting } from './moving.usecases.ts'
import { parentOf } from './names.models.ts'
import { getPlace, type Place } from './places.usecases.ts'
import {
  keyAt,
  nameAt,
  noteFailure,
  pathOfKey,
  prefixOf,
  type Refusal,
  refusalOf,
  requireTaskActor,
} from './transfer-run.usecases.ts'
import type { ShownLocks } from './transfers.models.ts'
import { folderExists, walk } from './walk.usecases.ts'
import { requireUnlocked } from '../webdav/locks.usecases.ts'
import { forgetTold, forgetToldOf } from '../webdav/properties.usecases.ts'

interface RemovalRequest {
  readonly paths: readonly string[]
  /** Locks of the network drive are held against the removal of folders. */
  readonly locks?: ShownLocks | undefined
}

/** What a removal did: how many of the asked paths are gone, and why the others are not. */
export interface RemovalResult {
  readonly removed: number
  readonly failed: ReadonlyArray<{ readonly path: string } & Refusal>
}

/** Files of one storage that are removed with one call. */
const TOGETHER = 1000

/**
 * Removes files and folders, each on its own storage.
 * @returns the task, which may still run; its result is a {@link RemovalResult}.
 * @throws {AppError} as `requireAccess`, before anything is removed
 */
export async function removePaths(
  ctx: AppContext,
  actor: Actor,
  paths: readonly string[],
  { waitMs, locks }: { waitMs?: number; locks?: ShownLocks } = {},
): Promise<TaskRow> {
  for (const path of paths) requireAccess(actor, path, 'write')
  const payload = { paths, locks } satisfies RemovalRequest
  return runWhileWaiting(ctx, actor, { type: 'delete', payload }, waitMs)
}

/** Works on tasks of the type delete. What is gone already counts as removed, so that it may be begun again. */
export const removalHandler =
  (ctx: AppContext): TaskHandler =>
  async (task) => {
    const { paths, locks } = task.payload as RemovalRequest
    const written = paths.map((path) => ({ path, intent: 'write' as const }))
    const actor = await requireTaskActor(ctx, task, written)
    await using holds = openHolds(ctx, task.id)
    const failed = new Map<string, Refusal>()
    task.progress.totalItems = paths.length
    const files = new Map<string, { place: Place; keys: Map<StorageKey, string> }>()
    const emptied = createEmptied()
    for (const path of paths) {
      task.signal.throwIfAborted()
      try {
        const place = await getPlace(ctx, actor, path, 'write')
        const key = keyAt(place, { isFolder: place.isFolder })
        await emptied.add(place)
        if (place.isFolder) await requireNoMountIn(ctx, place)
        if (place.isFolder && locks) {
          await holds.takeInTurn([nameAt(place)], task.signal)
          const change = { place, isTree: true, isMembership: !locks.isReplacing }
          await requireUnlocked(ctx, actor, { change, tokens: new Set(locks.tokens) })
        }
        if (place.isFolder) await removeFolder(ctx, task, { place, path, failed })
        else await collectFile(ctx, task, { place, key, path, files, failed })
      } catch (error) {
        task.signal.throwIfAborted()
        noteFailure({ ctx, task }, path, error)
        failed.set(path, refusalOf(error))
      }
    }
    for (const { place, keys } of files.values()) {
      task.signal.throwIfAborted()
      await removeFiles(ctx, task, { place, keys, failed })
    }
    for (const { place, prefixes } of emptied.folders()) await keepFolders(ctx, place, prefixes)
    const result: RemovalResult = {
      removed: paths.length - failed.size,
      failed: [...failed].map(([path, refusal]) => ({ path, ...refusal })),
    }
    task.setResult(result)
  }

/** Folders that something is taken out of: those that are there before, and are not asked to go themselves. */
function createEmptied() {
  const storages = new Map<string, { place: Place; around: Map<string, boolean>; removed: string[] }>()
  return {
    /** Called before anything is taken out of the place. */
    async add(place: Place): Promise<void> {
      const storage = storages.get(place.config.id) ?? {
        place,
        around: new Map<string, boolean>(),
        removed: Array.of<string>(),
      }
      storages.set(place.config.id, storage)
      const parent = parentOf(place.rest)
      if (!storage.around.has(parent))
        storage.around.set(parent, parent !== '' && (await folderExists(place.driver, parent)))
      if (place.isFolder) storage.removed.push(prefixOf(place))
    },
    folders: () =>
      [...storages.values()].map(({ place, around, removed }) => ({
        place,
        prefixes: [...around]
          .filter(([folder, wasThere]) => wasThere && !removed.some((gone) => folder.startsWith(gone)))
          .map(([folder]) => folder),
      })),
  }
}

interface Collected {
  readonly place: Place
  readonly key: StorageKey
  readonly path: string
  readonly files: Map<string, { place: Place; keys: Map<StorageKey, string> }>
  readonly failed: Map<string, Refusal>
}

async function collectFile(ctx: AppContext, task: RunningTask, o: Collected): Promise<void> {
  const { config } = o.place
  const group = o.files.get(config.id) ?? { place: o.place, keys: new Map<StorageKey, string>() }
  o.files.set(config.id, group)
  group.keys.set(o.key, o.path)
  if (group.keys.size < TOGETHER) return
  await removeFiles(ctx, task, { ...group, failed: o.failed })
  o.files.delete(config.id)
}

interface FileGroup {
  readonly place: Place
  readonly keys: ReadonlyMap<StorageKey, string>
  readonly failed: Map<string, Refusal>
}

async function removeFiles(
  ctx: AppContext,
  task: RunningTask,
  { place, keys, failed }: FileGroup,
): Promise<void> {
  const faults = await removeKeys(ctx, place, [...keys.keys()])
  for (const [key, error] of faults) {
    const path = keys.get(key) ?? key
    noteFailure({ ctx, task }, path, error)
    failed.set(path, refusalOf(error))
  }
  task.progress.doneItems += keys.size - faults.size
}

/** Removes objects and all that knows of them. @returns what could not be removed, and why. */
async function removeKeys(
  ctx: AppContext,
  { config, driver }: Place,
  keys: readonly StorageKey[],
): Promise<Map<StorageKey, unknown>> {
  const result = await driver.remove(keys)
  const faults = new Map<StorageKey, unknown>(result.failed.map(({ key, error }) => [key, error]))
  const removed = keys.filter((key) => !faults.has(key))
  await sharesRemoved(ctx, { configId: config.id, keys: removed })
  await forgetToldOf(ctx, config.id, removed)
  await noteChange(ctx, { configId: config.id, removed })
  return faults
}

interface FolderRemoval {
  readonly place: Place
  readonly path: string
  readonly failed: Map<string, Refusal>
}

/** How often a folder is gone through, for what came into it while it was removed. */
const LOOKS = 3

/** @throws {AppError} `fs.names_unusable`; `request.unavailable` where more and more comes */
async function removeFolder(ctx: AppContext, task: RunningTask, removal: FolderRemoval): Promise<void> {
  const { place, path, failed } = removal
  for (let look = 1; ; look += 1) {
    await removeWhatIsIn(ctx, task, removal)
    if (failed.has(path)) return
    await forgetTold(ctx, nameAt(place))
    const left = await findLeft(place)
    if (left === null) break
    if (left === 'unnamed') throw new AppError(fsErrors.names_unusable)
    if (look === LOOKS) throw new AppError(requestErrors.unavailable)
  }
  task.progress.doneItems += 1
}

async function removeWhatIsIn(
  ctx: AppContext,
  task: RunningTask,
  { place, path, failed }: FolderRemoval,
): Promise<void> {
  const prefix = prefixOf(place)
  for await (const { objects } of walk(place.driver, { prefix, signal: task.signal })) {
    task.signal.throwIfAborted()
    task.progress.totalItems = (task.progress.totalItems ?? 0) + objects.length
    task.progress.current = path
    const faults = await removeKeys(
      ctx,
      place,
      objects.map(({ key }) => key),
    )
    for (const [key, error] of faults) {
      noteFailure({ ctx, task }, pathOfKey(place, key), error)
      failed.set(path, refusalOf(error))
    }
    task.progress.doneItems += objects.length - faults.size
  }
}

/** What is left of a folder of a bucket: things that came meanwhile, or keys that no path can name. */
async function findLeft({ driver, rest }: Place): Promise<'named' | 'unnamed' | null> {
  let hasUnnamed = false
  for await (const { objects, unnamed } of walk(driver, { prefix: `${rest}/` })) {
    if (objects.length > 0) return 'named'
    hasUnnamed ||= unnamed.length > 0
  }
  return hasUnnamed ? 'unnamed' : null
}
