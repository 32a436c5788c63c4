import type { Needs } from '../../../context.ts'
import { indexedObjectsRepository } from './indexed-objects.repository.ts'
import { objectIndexRepository } from './object-index.repository.ts'

/** Returns the total size of the given objects. Objects that are not indexed count as 0. */
export async function indexedBytesOf(
  ctx: Needs<'db'>,
  objects: { configId: string; keys: readonly string[] },
): Promise<number> {
  return indexedObjectsRepository(ctx.db).sumSizes(objects)
}

/** Returns the number and total size of a storage's indexed files, without folder markers. */
export async function indexedUsage(
  ctx: Needs<'db'>,
  configId: string,
): Promise<{ objects: number; bytes: number }> {
  const usage = await objectIndexRepository(ctx.db).findUsage(configId)
  return { objects: usage?.tree_objects ?? 0, bytes: usage?.tree_bytes ?? 0 }
}
