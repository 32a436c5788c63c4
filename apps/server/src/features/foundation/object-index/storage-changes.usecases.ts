import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import * as z from 'zod/mini'
import type { IndexNeeds, Needs } from '../../../context.ts'
import { databaseTrouble } from '../../../db/database.ts'
import { forgetFolders } from '../../../lib/caches.ts'
import { markBehind } from './index-behind.usecases.ts'
import { changeIndex, type StoredObject } from './index-changes.usecases.ts'
import { folderOf } from './object-index.models.ts'
import { objectFoldersRepository } from './object-folders.repository.ts'
import { objectIndexRepository } from './object-index.repository.ts'

export type { StoredObject }

/** A change to a storage, made through any interface of the server. */
export interface StorageChange {
  readonly configId: string
  readonly written?: readonly StoredObject[]
  readonly removed?: readonly string[]
}

/** The last change of each key; `null` for a removal. */
type Changes = ReadonlyMap<string, StoredObject | null>

/** Pending changes to one storage's index. */
interface Batch {
  readonly changes: Map<string, StoredObject | null>
  /** Resolves when the changes have been written to the index, retained for a retry, or dropped. */
  readonly written: Promise<void>
  /** Resolves when the other replicas have also been notified to clear their cached listings of the changed folders. */
  readonly noted: Promise<void>
}

/** Changes that are not yet in a storage's index. */
export interface IndexQueue {
  gathering: Batch | null
  writing: Batch | null
  /** Changes that could not be written, to be retried. */
  behind: Batch['changes']
  /** Whether changes were dropped because there were too many, or because one of them can never be written. */
  isLost: boolean
  isRetryDue: boolean
}

const TOPIC = 'storage.changed'
const NOTICE_MAX_BYTES = 7000
const BATCH = 1000
/** Number of event loop iterations to wait for more changes. */
const GATHER_TURNS = 4
/** Delay before failed writes are retried. The next change also triggers a retry. */
const RETRY_MS = 500
/**
 * Maximum number of changes to retain for a retry. With more changes, the index is not used until the storage has been
 * crawled again.
 */
const BEHIND_MAX = 20_000

const notice = z.object({ configId: z.string(), folders: z.nullable(z.array(z.string())) })

function queueOf({ state }: Needs<'state'>, configId: string): IndexQueue {
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
  ctx: Needs<'clock' | 'database' | 'secrets'>,
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
      // The keys might have changed again since the failed write. So the next listing reads the storage, and data that
      // was read earlier is ignored.
      if (isLate) await objectFoldersRepository(trx).forgetListingsOf(configId, foldersIn(new Map(batch)))
    })
  }
}

/** Stops using the index until the storage has been crawled again. */
const giveUp = (ctx: Needs<'database'>, configId: string): Promise<void> =>
  ctx.database.transaction((trx) => objectIndexRepository(trx).distrust(configId))

/** @returns whether the changes were written; `null` if retrying is pointless. */
async function attempt(
  ctx: Needs<'log'>,
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

/**
 * Writes new and retained changes. Only the last change of each key counts. Never fails. @returns the changes that
 * affect listings
 */
async function writeDue(
  ctx: IndexNeeds & Needs<'secrets'>,
  configId: string,
  changes: Batch['changes'],
): Promise<Changes> {
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
  ctx: Needs<'clock' | 'database' | 'log' | 'secrets'>,
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
  // If a change can never be written, any of the retained changes could be the cause. So all of them are dropped.
  if (due.size > BEHIND_MAX || (isWritten === null && isLate)) queue.isLost = true
  queue.behind = isWritten === null || queue.isLost ? new Map() : due
  return changes
}

function tryAgainSoon(ctx: IndexNeeds & Needs<'secrets'>, configId: string, queue: IndexQueue): void {
  if (queue.isRetryDue) return
  queue.isRetryDue = true
  ctx.jobs.background('search.catch-up', async (signal) => {
    await sleep(RETRY_MS, undefined, { signal, ref: false })
    queue.isRetryDue = false
    await enqueue(ctx, { configId }).noted
  })
}

/**
 * Whether the index lacks changes that could not be written yet. Until they are written, the index is not used for the
 * storage.
 */
export function isBehind(ctx: Needs<'state'>, configId: string): boolean {
  const { behind, isLost } = queueOf(ctx, configId)
  return isLost || behind.size > 0
}

/**
 * Opens a batch. It accepts changes until it is written, which happens after the previous batch is written. Never
 * fails.
 */
function openBatch(ctx: IndexNeeds & Needs<'secrets'>, configId: string, queue: IndexQueue): Batch {
  const changes: Batch['changes'] = new Map()
  const before = queue.writing?.written
  let folders: string[] | null = null
  const writeAfter = async () => {
    await before
    // Collects concurrent changes, because otherwise many small writes would each need a transaction.
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

/**
 * Queues changes for the index. All changes that arrive while a transaction runs are written in the next transaction.
 */
function enqueue(ctx: IndexNeeds & Needs<'secrets'>, change: StorageChange): Batch {
  const queue = queueOf(ctx, change.configId)
  queue.gathering ??= openBatch(ctx, change.configId, queue)
  const batch = queue.gathering
  for (const key of change.removed ?? []) batch.changes.set(key, null)
  for (const object of change.written ?? []) batch.changes.set(object.key, object)
  return batch
}

/** Returns the folders whose listings these changes affect, without parent folders; `null` if there are too many. */
function foldersOf(changes: Changes): string[] | null {
  const folders = foldersIn(changes)
  return Buffer.byteLength(JSON.stringify(folders)) > NOTICE_MAX_BYTES ? null : folders
}

/**
 * Updates the index, and clears the cached listings of the changed folders and their parent folders in all replicas.
 * Called for every change to objects of mounts through the server. Never fails; if the index cannot be written, see
 * {@link isBehind}.
 */
export function noteChange(ctx: IndexNeeds & Needs<'secrets'>, change: StorageChange): Promise<void> {
  return enqueue(ctx, change).noted
}

async function tellReplicas(
  ctx: Needs<'log' | 'notices'>,
  configId: string,
  folders: readonly string[] | null,
) {
  try {
    await ctx.notices.publish({ topic: TOPIC, payload: { configId, folders } })
  } catch (error) {
    ctx.log.warn({ err: error }, 'the other replicas were not notified of a change')
  }
}

/** Clears the caches of a storage, or of some folders and their parents, in all replicas. */
export async function forgetEverywhere(
  ctx: Needs<'caches' | 'log' | 'notices'>,
  configId: string,
  folders: readonly string[] | null,
): Promise<void> {
  forgetFolders(ctx.caches, { configId, folders })
  await tellReplicas(ctx, configId, folders)
}

/** Clears the caches of folders that other replicas report as changed. @returns a function that unsubscribes. */
export function listenToChanges(ctx: Needs<'caches' | 'notices'>): () => void {
  return ctx.notices.subscribe(TOPIC, (payload) => {
    const heard = notice.safeParse(payload)
    if (heard.success) forgetFolders(ctx.caches, heard.data)
  })
}
