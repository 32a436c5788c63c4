import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Needs } from '../../../context.ts'
import { changeIndex, type IndexChange } from './index-changes.usecases.ts'
import { indexedObjectsRepository, type KnownObject } from './indexed-objects.repository.ts'
import { objectFoldersRepository } from './object-folders.repository.ts'
import type { ObjectFolderRow } from './object-index.table.ts'

/** Yields a list in chunks, and lets the event loop run between the chunks. */
export async function* chunksOf<Item>(items: readonly Item[], size: number): AsyncGenerator<Item[]> {
  for (let start = 0; start < items.length; start += size) {
    yield items.slice(start, start + size)
    await nextTurn()
  }
}

export const applyToIndex = (
  ctx: Needs<'clock' | 'database' | 'secrets'>,
  configId: string,
  change: IndexChange,
): Promise<void> => ctx.database.transaction((trx) => changeIndex(ctx, { trx, configId, change }))

/** A key range in one index; see `KeyRange`. */
export interface IndexRange {
  readonly indexId: number
  readonly prefix: string
  readonly after: string | null
  readonly upTo: string | null
}

async function* inPieces<Row extends { key: string }>(
  ctx: Needs<'database'>,
  range: IndexRange,
  read: (range: IndexRange & { limit: number }) => Promise<Row[]>,
): AsyncGenerator<Row[]> {
  const limit = ctx.database.batchRows
  let { after } = range
  for (;;) {
    const rows = await read({ ...range, after, limit })
    if (rows.length > 0) yield rows
    if (rows.length < limit) return
    after = rows.at(-1)?.key ?? null
    await nextTurn()
  }
}

/** Yields the files of a range in key order. Rows can be removed during iteration. */
export const objectsIn = (ctx: Needs<'database' | 'db'>, range: IndexRange): AsyncGenerator<KnownObject[]> =>
  inPieces(ctx, range, (piece) => indexedObjectsRepository(ctx.db).findObjectsInRange(piece))

export const foldersIn = (
  ctx: Needs<'database' | 'db'>,
  range: IndexRange,
): AsyncGenerator<ObjectFolderRow[]> =>
  inPieces(ctx, range, (piece) => objectFoldersRepository(ctx.db).findFoldersInRange(piece))

/** Removes folders that the storage no longer has, deepest first, because only an empty folder is removed. */
export async function dropFolders(
  ctx: Needs<'clock' | 'database' | 'secrets'>,
  { configId, keys, since }: { configId: string; keys: readonly string[]; since: number },
): Promise<void> {
  const deepestFirst = keys.toSorted((a, b) => b.length - a.length)
  for await (const goneFolders of chunksOf(deepestFirst, ctx.database.batchRows))
    await applyToIndex(ctx, configId, { written: [], removed: [], goneFolders, since })
}

/** Removes a folder and everything below it from the index, because the storage no longer has the folder. */
export async function dropTree(
  ctx: Needs<'clock' | 'database' | 'db' | 'secrets'>,
  { configId, indexId, folder, since }: { configId: string; indexId: number; folder: string; since: number },
): Promise<void> {
  const range = { indexId, prefix: folder, after: null, upTo: null }
  for await (const rows of objectsIn(ctx, range))
    await applyToIndex(ctx, configId, { written: [], removed: rows.map(({ key }) => key), since })
  const keys: string[] = []
  for await (const rows of foldersIn(ctx, range)) keys.push(...rows.map(({ key }) => key))
  await dropFolders(ctx, { configId, keys, since })
}
