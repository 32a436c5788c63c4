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

/** Each key with the last that happened to it. */
type Changes = ReadonlyMap<string, StoredObject | null>

/** What waits to go into the index of one storage. */
interface Batch {
  readonly changes: Map<string, StoredObject | null>
  /** When the index shows them, or cannot. */
  readonly written: Promise<void>
  /** When all replicas have forgotten what was remembered of their folders, too. */
  readonly noted: Promise<void>
}

/** What the index of a storage does not show yet. */
interface Queue {
  gathering: Batch | null
  writing: Batch | null
  /** What could not be written. */
  behind: Batch['changes']
  /** Whether that was more than can be kept. */
  isLost: boolean
  isRetryDue: boolean
}

const TOPIC = 'storage.changed'
const NOTICE_MAX_BYTES = 7000
const BATCH = 1000
/** Mutex of the event loop. */
const GATHER_TURNS = 4
/** What could not be written is tried again after that, and with whatever comes. */
const RETRY_MS = 500
/**
 * Changes that are retained until they can be written. With more, the index is not used until the storage was crawled
 * again.
 */
const BEHIND_MAX = 20_000

const notice = z.object({ configId: z.string(), folders: z.nullable(z.array(z.string())) })

const queues = new WeakMap<AppContext['database'], Map<string, Queue>>()

function queueOf({ database }: AppContext, configId: string): Queue {
  const known = queues.get(database) ?? new Map<string, Queue>()
  queues.set(database, known)
  const queue = known.get(configId) ?? {
    gathering: null,
    writing: null,
    behind: new Map(),
    isLost: false,
    isRetryDue: false,
  }
  known.set(configId, queue)
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
      // Others may have changed the same since: the next listing asks the storage, and walks that began before say nothing.
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

/** @returns whether the index was written; `null` where it never will be. */
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

/**
 * Writes changes, and those that could not be written before: of each key what happened last, as in every batch. Never fails.
 * @returns the changes of which listings are to know
 */
async function writeDue(ctx: AppContext, configId: string, changes: Batch['changes']): Promise<Changes> {
  const queue = queueOf(ctx, configId)
  const wasBehind = isBehind(ctx, configId)
  const told = await writeOrKeep(ctx, { configId, queue, changes })
  if (isBehind(ctx, configId)) tryAgainSoon(ctx, configId, queue)
  if (isBehind(ctx, configId) !== wasBehind)
    markBehind(
      ctx,
      [...(queues.get(ctx.database)?.keys() ?? [])].some((id) => isBehind(ctx, id)),
    )
  return told
}

async function writeOrKeep(
  ctx: AppContext,
  { configId, queue, changes }: { configId: string; queue: Queue; changes: Batch['changes'] },
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
  // What others wait behind, and is never taken, may be any of them.
  if (due.size > BEHIND_MAX || (isWritten === null && isLate)) queue.isLost = true
  queue.behind = isWritten === null || queue.isLost ? new Map() : due
  return changes
}

function tryAgainSoon(ctx: AppContext, configId: string, queue: Queue): void {
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

/** Begins a batch, which is written after the one before and takes no more changes from then on. Never fails. */
function openBatch(ctx: AppContext, configId: string, queue: Queue): Batch {
  const changes: Batch['changes'] = new Map()
  const before = queue.writing?.written
  let folders: string[] | null = null
  const writeAfter = async () => {
    await before
    // For those who come in the same moment: of many small writes each would have a transaction of its own.
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

/** Puts changes into the index: one transaction for all that came while the one before was at work. */
function enqueue(ctx: AppContext, change: StorageChange): Batch {
  const queue = queueOf(ctx, change.configId)
  queue.gathering ??= openBatch(ctx, change.configId, queue)
  const batch = queue.gathering
  for (const key of change.removed ?? []) batch.changes.set(key, null)
  for (const object of change.written ?? []) batch.changes.set(object.key, object)
  return batch
}

/** Folders whose listing a change of these keys can alter, not counting those around them; `null`: too many to name. */
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
    ctx.log.warn({ err: error }, 'the other replicas were not told of a change')
  }
}

/** Forgets what was remembered of a storage, or of some of its folders and those around them, in every replica. */
export async function forgetEverywhere(
  ctx: AppContext,
  configId: string,
  folders: readonly string[] | null,
): Promise<void> {
  forgetFolders(ctx.caches, { configId, folders })
  await tellReplicas(ctx, configId, folders)
}

/** Forgets what other replicas say has changed. @returns what ends it. */
export function listenToChanges(ctx: AppContext): () => void {
  return ctx.notices.subscribe(TOPIC, (payload) => {
    const heard = notice.safeParse(payload)
    if (heard.success) forgetFolders(ctx.caches, heard.data)
  })
}
