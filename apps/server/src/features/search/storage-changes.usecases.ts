import { setImmediate as nextTurn } from 'node:timers/promises'
import * as z from 'zod/mini'
import type { AppContext } from '../../context.ts'
import { forgetFolders } from '../../lib/caches.ts'
import { changeIndex, type StoredObject } from './index-changes.usecases.ts'
import { folderOf, foldersAround } from './object-index.models.ts'

export type { StoredObject }

/** What was just changed in a storage, through whatever door. */
export interface StorageChange {
  readonly configId: string
  readonly written?: readonly StoredObject[]
  readonly removed?: readonly string[]
}

/** What waits to go into the index of one storage, each key with the last that happened to it. */
interface Batch {
  readonly changes: Map<string, StoredObject | null>
  /** All that they lie in, and those that are changed themselves: each ends in a slash, but the root. */
  readonly folders: Set<string>
  /** Whether there are some among them that were answered already. */
  isLate: boolean
  /** Takes no more time to gather others. */
  readonly hurry: () => void
  /** When the index shows them, or cannot. */
  readonly written: Promise<void>
  /** When all replicas have forgotten what was remembered of their folders, too. */
  readonly noted: Promise<void>
}

/** The two batches of a storage that the index does not show yet. */
interface Queue {
  gathering: Batch | null
  writing: Batch | null
}

const TOPIC = 'storage.changed'
const NOTICE_MAX_BYTES = 7000
const BATCH = 1000
/** For so long changes that nobody waits for are gathered. */
const GATHER_MS = 100

const notice = z.object({ configId: z.string(), folders: z.nullable(z.array(z.string())) })

const queues = new WeakMap<AppContext['database'], Map<string, Queue>>()

function queueOf({ database }: AppContext, configId: string): Queue {
  const known = queues.get(database) ?? new Map<string, Queue>()
  queues.set(database, known)
  const queue = known.get(configId) ?? { gathering: null, writing: null }
  known.set(configId, queue)
  return queue
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

/** Begins a batch, which is written after the one before and takes no more changes from then on. Never fails. */
function openBatch(ctx: AppContext, configId: string, queue: Queue): Batch {
  const changes: Batch['changes'] = new Map()
  const { promise: isHurried, resolve: hurry } = Promise.withResolvers<void>()
  const enough = setTimeout(hurry, GATHER_MS)
  const before = queue.writing?.written
  const writeAfter = async () => {
    await Promise.all([isHurried, before])
    clearTimeout(enough)
    // For those who come in the same moment.
    await nextTurn()
    queue.writing = batch
    queue.gathering = null
    try {
      await write(ctx, configId, changes)
    } catch (error) {
      ctx.log.warn(
        { err: error, config: configId },
        'changes did not reach the index; a listing will mend it',
      )
    }
    forgetFolders(ctx.caches, { configId, folders: foldersOf(changes) })
    if (queue.writing === batch) queue.writing = null
  }
  const written = writeAfter()
  const tell = async () => {
    await written
    await tellReplicas(ctx, configId, foldersOf(changes))
  }
  const batch: Batch = { changes, folders: new Set(), isLate: false, hurry, written, noted: tell() }
  return batch
}

function addTo({ changes, folders }: Batch, key: string, change: StoredObject | null): void {
  changes.set(key, change)
  if (key.endsWith('/')) folders.add(key)
  const folder = folderOf(key)
  if (folders.has(folder)) return
  for (const around of foldersAround(key)) folders.add(around)
}

/** Puts changes into the index: one transaction for all that came while the one before was at work. */
function enqueue(ctx: AppContext, change: StorageChange): Batch {
  const queue = queueOf(ctx, change.configId)
  queue.gathering ??= openBatch(ctx, change.configId, queue)
  const batch = queue.gathering
  for (const key of change.removed ?? []) addTo(batch, key, null)
  for (const object of change.written ?? []) addTo(batch, object.key, object)
  if (batch.changes.size >= BATCH) batch.hurry()
  return batch
}

/** Folders whose listing a change of these keys can alter, not counting those around them; `null`: too many to name. */
function foldersOf(changes: Batch['changes']): string[] | null {
  const folders = [...new Set(changes.keys().map(folderOf))]
  return Buffer.byteLength(JSON.stringify(folders)) > NOTICE_MAX_BYTES ? null : folders
}

/**
 * Every write and removal that goes through us ends here: the index learns of it, and what was remembered of the folders
 * around is forgotten, in every replica. Never fails its caller: a lost note is mended by the next listing or crawl.
 */
export function noteChange(ctx: AppContext, change: StorageChange): Promise<void> {
  const { hurry, noted } = enqueue(ctx, change)
  hurry()
  return noted
}

/**
 * The same for one of very many changes: it goes into the index a moment later, with others. Every request but those that
 * look at {@link pendingChange} waits for it ({@link settleChanges}). Only for a process that has the database to itself.
 * @returns its end, which need not be waited for. Nothing is made for each change: it would live until that end, long enough to
 *   become old for V8's collector, with the request that it belongs to.
 */
export function noteChangeLater(ctx: AppContext, change: StorageChange): Promise<void> {
  const batch = enqueue(ctx, change)
  if (!batch.isLate) {
    batch.isLate = true
    ctx.jobs.background('search.note', () => batch.noted)
  }
  return batch.noted
}

/** Waits until the index shows what was noted for later; `null` when there is no such thing. */
export function settleChanges(ctx: AppContext): Promise<unknown> | null {
  const late: Promise<void>[] = []
  for (const { gathering, writing } of queues.get(ctx.database)?.values() ?? []) {
    if (writing?.isLate) late.push(writing.written)
    if (!gathering?.isLate) continue
    gathering.hurry()
    late.push(gathering.written)
  }
  return late.length === 0 ? null : Promise.all(late)
}

/**
 * What happened to a file and is not in the index yet: what it is now, or `null` when it was removed; `undefined` for
 * nothing. @returns `'below'` when that lies below the name, as if it were a folder.
 */
export function pendingChange(
  ctx: AppContext,
  configId: string,
  key: string,
): StoredObject | null | undefined | 'below' {
  const { gathering, writing } = queueOf(ctx, configId)
  for (const batch of [gathering, writing]) {
    const change = batch?.changes.get(key)
    if (change !== undefined) return change
  }
  const folder = `${key}/`
  return [gathering, writing].some((batch) => batch?.folders.has(folder)) ? 'below' : undefined
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
