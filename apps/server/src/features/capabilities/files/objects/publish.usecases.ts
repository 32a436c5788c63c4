import type { ObjectStat } from '@dropleaf/storage'
import type { IndexNeeds, Needs } from '../../../../context.ts'
import { noteChange } from '../../../foundation/object-index/storage-changes.usecases.ts'
import { sharesReplaced } from './shared-objects.usecases.ts'

/**
 * Updates shares and the index, and notifies the listeners of the index. Called after objects of mounts were written.
 * @param objects `sha256` in hex, if the bytes passed through the server and were hashed
 */
export async function publishObjects(
  ctx: IndexNeeds & Needs<'db' | 'secrets'>,
  configId: string,
  objects: ReadonlyArray<ObjectStat & { readonly sha256?: string | null }>,
): Promise<void> {
  await sharesReplaced(ctx, { configId, objects })
  await noteChange(ctx, { configId, written: objects })
}
