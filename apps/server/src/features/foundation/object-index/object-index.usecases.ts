import type { AppContext } from '../../../context.ts'
import { indexedObjectsRepository } from './indexed-objects.repository.ts'
import { objectIndexRepository } from './object-index.repository.ts'

/** Bytes of some objects together, as far as the index knows. */
export async function indexedBytesOf(
  ctx: AppContext,
  objects: { configId: string; keys: readonly string[] },
): Promise<number> {
  return indexedObjectsRepository(ctx.db, ctx.database.engine).sumSizes(objects)
}

/** What a storage holds as far as the index knows: files and their bytes, folder markers not counted. */
export async function indexedUsage(
  ctx: AppContext,
  configId: string,
): Promise<{ objects: number; bytes: number }> {
  const usage = await objectIndexRepository(ctx.db).findUsage(configId)
  return { objects: usage?.tree_objects ?? 0, bytes: usage?.tree_bytes ?? 0 }
}
