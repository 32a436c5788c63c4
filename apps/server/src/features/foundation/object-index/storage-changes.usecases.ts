import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import * as z from 'zod/mini'
import type { AppContext } from '../../../context.ts'
import { databaseTrouble } from '../../../db/database.ts'
import { forgetFolders } from '../../../lib/caches.ts'
import { markBehind } from './index-behind.usecases.ts'
import { changeIndex, type StoredObject } from './index-changes.usecases.ts'
import { folderOf } from './object-index.models.ts'
import { objectFoldersRepository } from './object-folders.repository.ts'
import { objectIndexRepository } from './object-index.repository.ts'

export type { StoredObject }

/** A change in a storage, through any interface. */
export interface StorageChange {
  readonly configId: string
  readonly written?: readonly StoredObject[]
  readonly removed?: readonly string[]
}

/** The last change of each key. */
type Changes = ReadonlyMap<string, StoredObject | null>

/** Pending changes of one storage's index. */
interface Batch {
  readonly changes: Map<string, StoredObject | null>
  /** Resolves when the index has them, or never will. */
  readonly written: Promise<void>
  /** Resolves when all replicas have also invalidated the caches of their folders. */
  readonly noted: Promise<void>
}

/** Changes that the index of a storage lacks. */
export interface IndexQueue {
  gathering: Batch | null
  writing: Batch | null
  /** Changes that could not be written. */
  behind: Batch['changes']
  /** Whether there were too many to retain. */
  isLost: boolean
  isRetryDue: boolean
}

const TOPIC = 'storage.changed'
const NOTICE_MAX_BYTES = 7000
const BATCH = 1000
/** Turns of the event loop to wait for more changes. */
const GATHER_TURNS = 4
/** Retry delay of failed writes, which are also retried with the next change. */
const RETRY_MS = 500
/**
 * Changes that are retained until they can be written. With more, the index is not used until the storage was crawled
 * again.
 */
const BEHIND_MAX = 20_000

const notice = z.object({ configId: z.string(), folders: z.nullable(z.array(z.string())) })

function queueOf({ state }: Pick<AppContext, 'state'>, configId: string): IndexQueue {
  const queue = state.indexQueues.get(configId) ?? {
    gathering: null,
    writing: null,
    behind: new Map(),
    isLost: false,
    isRetryDue: false,
  }
  state.indexQueues.set(configId, queue)
  return queue
}

const foldersIn = (changes: Changes): string[] => [...new Set(changes.keys().map(folderOf))]

async function write(
  ctx: AppContext,
  configId: string,
  { changes, isLate }: { changes: Changes; isLate: boolean },
): Promise<void> {
  const all = [...changes]
  for (let start = 0; start < all.length; start += BATCH) {
    const batch = all.slice(start, start + BATCH)
    const change = {
      written: batch.flatMap(([, object]) => object ?? []),
      removed: batch.flatMap(([key, object]) => (object === null ? [key] : [])),
      since: null,
    }
    await ctx.database.transaction(async (trx) => {
      await changeIndex(ctx, { trx, configId, change })
      // The same keys may have changed since: the next listing reads the storage, and earlier walks are ignored.
      if (isLate)
        await objectFoldersRepository(trx, ctx.database.engine).forgetListingsOf(
          configId,
          foldersIn(new Map(batch)),
        )
    })
  }
}

/** The index is not used until the storage was crawled again. */
const giveUp = (ctx: AppContext, configId: string): Promise<void> =>
  ctx.database.transaction((trx) => objectIndexRepository(trx).distrust(configId))

/** @returns whether the index was written; `null` if it never can be. */
async function attempt(
  ctx: AppContext,
  configId: string,
  work: () => Promise<void>,
): Promise<boolean | null> {
  try {
    await work()
    return true
  } catch (error) {
    const isPassing = databaseTrouble(error) !== null
    const then = isPassing ? 'it is tried again' : 'a listing will mend it'
    ctx.log.warn({ err: error, config: configId }, `changes did not reach the index; ${then}`)
    return isPassing ? false : null
  }
}

/** Writes new and retained changes: the last change of each key. Never fails. @returns the changes that affect listings */
async function writeDue(ctx: AppContext, configId: string, changes: Batch['changes']): Promise<Changes> {
  const queue = queueOf(ctx, configId)
  const wasBehind = isBehind(ctx, configId)
  const written = await writeOrRetain(ctx, { configId, queue, changes })
  if (isBehind(ctx, configId)) tryAgainSoon(ctx, configId, queue)
  if (isBehind(ctx, configId) !== wasBehind)
    markBehind(
      ctx,
      [...ctx.state.indexQueues.keys()].some((id) => isBehind(ctx, id)),
    )
  return written
}

async function writeOrRetain(
  ctx: AppContext,
  { configId, queue, changes }: { configId: string; queue: IndexQueue; changes: Batch['changes'] },
): Promise<Changes> {
  const isLate = queue.behind.size > 0
  const due = isLate ? queue.behind : changes
  if (isLate) for (const [key, change] of changes) due.set(key, change)
  const work = () => (queue.isLost ? giveUp(ctx, configId) : write(ctx, configId, { changes: due, isLate }))
  const isWritten = await attempt(ctx, configId, work)
  if (isWritten) {
    queue.isLost = false
    queue.behind = new Map()
    return due
  }
  // If a change can never be written, any of them may be the cause.
  if (due.size > BEHIND_MAX || (isWritten === null && isLate)) queue.isLost = true
  queue.behind = isWritten === null || queue.isLost ? new Map() : due
  return changes
}

function tryAgainSoon(ctx: AppContext, configId: string, queue: IndexQueue): void {
  if (queue.isRetryDue) return
  queue.isRetryDue = true
  ctx.jobs.background('search.catch-up', async (signal) => {
    await sleep(RETRY_MS, undefined, { signal, ref: false })
    queue.isRetryDue = false
    await enqueue(ctx, { configId }).noted
  })
}

/** Whether changes could not be written into the index yet: it is not used for that storage until they are. */
export function isBehind(ctx: AppContext, configId: string): boolean {
  const { behind, isLost } = queueOf(ctx, configId)
  return isLost || behind.size > 0
}

/** Opens a batch, which is written after the previous one and then accepts no more changes. Never fails. */
function openBatch(ctx: AppContext, configId: string, queue: IndexQueue): Batch {
  const changes: Batch['changes'] = new Map()
  const before = queue.writing?.written
  let folders: string[] | null = null
  const writeAfter = async () => {
    await before
    // Collects concurrent changes: otherwise each of many small writes would need a transaction.
    for (let turn = 0; turn < GATHER_TURNS; turn += 1) await nextTurn()
    queue.writing = batch
    queue.gathering = null
    folders = foldersOf(await writeDue(ctx, configId, changes))
    forgetFolders(ctx.caches, { configId, folders })
    if (queue.writing === batch) queue.writing = null
  }
  const written = writeAfter()
  const tell = async () => {
    await written
    await tellReplicas(ctx, configId, folders)
  }
  const batch: Batch = { changes, written, noted: tell() }
  return batch
}

/** Queues changes for the index: one transaction for all that arrive while the previous one runs. */
function enqueue(ctx: AppContext, change: StorageChange): Batch {
  const queue = queueOf(ctx, change.configId)
  queue.gathering ??= openBatch(ctx, change.configId, queue)
  const batch = queue.gathering
  for (const key of change.removed ?? []) batch.changes.set(key, null)
  for (const object of change.written ?? []) batch.changes.set(object.key, object)
  return batch
}

/** Folders whose listing these changes affect, without their parents; `null`: too many. */
function foldersOf(changes: Changes): string[] | null {
  const folders = foldersIn(changes)
  return Buffer.byteLength(JSON.stringify(folders)) > NOTICE_MAX_BYTES ? null : folders
}

/**
 * Every write and removal through the server ends here: it updates the index, and clears the cached folders above, in
 * every replica. Never fails its caller: if the index cannot be written, see {@link isBehind}.
 */
export function noteChange(ctx: AppContext, change: StorageChange): Promise<void> {
  return enqueue(ctx, change).noted
}

async function tellReplicas(ctx: AppContext, configId: string, folders: readonly string[] | null) {
  try {
    await ctx.notices.publish({ topic: TOPIC, payload: { configId, folders } })
  } catch (error) {
    ctx.log.warn({ err: error }, 'the other replicas were not notified of a change')
  }
}

/** Invalidates the caches of a storage, or of some folders and their parents, in every replica. */
export async function forgetEverywhere(
  ctx: AppContext,
  configId: string,
  folders: readonly string[] | null,
): Promise<void> {
  forgetFolders(ctx.caches, { configId, folders })
  await tellReplicas(ctx, configId, folders)
}

/** Invalidates caches that other replicas report as changed. @returns a function that unsubscribes. */
export function listenToChanges(ctx: AppContext): () => void {
  return ctx.notices.subscribe(TOPIC, (payload) => {
    const heard = notice.safeParse(payload)
    if (heard.success) forgetFolders(ctx.caches, heard.data)
  })
}
