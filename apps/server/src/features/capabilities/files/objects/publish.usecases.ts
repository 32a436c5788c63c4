import type { ObjectStat } from '@dropleaf/storage'
import type { AppContext } from '../../../../context.ts'
import { noteChange } from '../../../foundation/object-index/storage-changes.usecases.ts'
import { sharesReplaced } from './shared-objects.usecases.ts'

/**
 * The last stage of every write: tells the shares of objects, then the index and whoever listens to it, what the storage
 * holds now.
 * @param objects `sha256` in hex, where the bytes passed through us and were hashed
 */
export async function publishObjects(
  ctx: AppContext,
  configId: string,
  objects: ReadonlyArray<ObjectStat & { readonly sha256?: string | null }>,
): Promise<void> {
  await sharesReplaced(ctx, { configId, objects })
  await noteChange(ctx, { configId, written: objects })
}
