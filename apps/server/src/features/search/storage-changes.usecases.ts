import { setImmediate as nextTurn } from 'node:timers/promises'
import * as z from 'zod/mini'
import type { AppContext } from '../../context.ts'
import { forgetFolders } from '../../lib/caches.ts'
import { changeIndex, type StoredObject } from './index-changes.usecases.ts'
import { folderOf } from './object-index.models.ts'

export type { StoredObject }

/** What was just changed in a storage, through whatever door. */
export interface StorageChange {
  readonly configId: string
  readonly written?: readonly StoredObject[]
  readonly removed?: readonly string[]
}

/** What waits to go into the index of one storage, each key with the last that happened to it. */
interface Waiting {
  readonly changes: Map<string, StoredObject | null>
  readonly done: Promise<void>
}

const TOPIC = 'storage.changed'
const NOTICE_MAX_BYTES = 7000
const BATCH = 1000

const notice = z.object({ configId: z.string(), folders: z.nullable(z.array(z.string())) })

const waiting = new WeakMap<AppContext, Map<string, Waiting>>()
const writing = new WeakMap<AppContext, Map<string, Promise<void>>>()

const mapOf = <Value>(maps: WeakMap<AppContext, Map<string, Value>>, ctx: AppContext): Map<string, Value> => {
  const known = maps.get(ctx) ?? new Map<string, Value>()
  maps.set(ctx, known)
  return known
}

async function write(ctx: AppContext, configId: string, changes: ReadonlyMap<string, StoredObject | null>) {
  const all = [...changes]
  for (let start = 0; start < all.length; start += BATCH) {
    const batch = all.slice(start, start + BATCH)
    const change = {
      written: batch.flatMap(([, object]) => object ?? []),
      removed: batch.flatMap(([key, object]) => (object === null ? [key] : [])),
      since: null,
    }
    await ctx.database.transaction((trx) => changeIndex(ctx, { trx, configId, change }))
  }
}

/** Waits for the batch before and for those who come in the same moment, then writes one that takes no more changes. */
async function writeNext(ctx: AppContext, configId: string, changes: Waiting['changes']): Promise<void> {
  await mapOf(writing, ctx).get(configId)
  await nextTurn()
  mapOf(waiting, ctx).delete(configId)
  await write(ctx, configId, changes)
}

/** Puts changes into the index: one transaction for all that came while the one before was at work. */
function enqueue(ctx: AppContext, change: StorageChange): Promise<void> {
  const queues = mapOf(waiting, ctx)
  const { configId } = change
  let queue = queues.get(configId)
  if (!queue) {
    const changes: Waiting['changes'] = new Map()
    queue = { changes, done: writeNext(ctx, configId, changes) }
    queues.set(configId, queue)
    mapOf(writing, ctx).set(
      configId,
      queue.done.catch(() => undefined),
    )
  }
  for (const key of change.removed ?? []) queue.changes.set(key, null)
  for (const object of change.written ?? []) queue.changes.set(object.key, object)
  return queue.done
}

/** Folders whose listing a change of these keys can alter, not counting those around them; `null`: too many to name. */
function foldersOf(change: StorageChange): string[] | null {
  const keys = [...(change.removed ?? []), ...(change.written ?? []).map(({ key }) => key)]
  const folders = [...new Set(keys.map(folderOf))]
  return Buffer.byteLength(JSON.stringify(folders)) > NOTICE_MAX_BYTES ? null : folders
}

/**
 * Every write and removal that goes through us ends here: the index learns of it, and what was remembered of the folders
 * around is forgotten, in every replica. Never fails its caller: a lost note is mended by the next listing or crawl.
 */
export async function noteChange(ctx: AppContext, change: StorageChange): Promise<void> {
  try {
    await enqueue(ctx, change)
  } catch (error) {
    ctx.log.warn(
      { err: error, config: change.configId },
      'a change did not reach the index; a listing will mend it',
    )
  }
  await forgetEverywhere(ctx, change.configId, foldersOf(change))
}

/** Forgets what was remembered of a storage, or of some of its folders and those around them, in every replica. */
export async function forgetEverywhere(
  ctx: AppContext,
  configId: string,
  folders: readonly string[] | null,
): Promise<void> {
  forgetFolders(ctx.caches, { configId, folders })
  try {
    await ctx.notices.publish({ topic: TOPIC, payload: { configId, folders } })
  } catch (error) {
    ctx.log.warn({ err: error }, 'the other replicas were not told of a change')
  }
}

/** Forgets what other replicas say has changed. @returns what ends it. */
export function listenToChanges(ctx: AppContext): () => void {
  return ctx.notices.subscribe(TOPIC, (payload) => {
    const heard = notice.safeParse(payload)
    if (heard.success) forgetFolders(ctx.caches, heard.data)
  })
}
