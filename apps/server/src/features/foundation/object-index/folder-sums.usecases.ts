import type { Needs } from '../../../context.ts'
import { objectFoldersRepository } from './object-folders.repository.ts'
import { objectIndexRepository } from './object-index.repository.ts'

/** Totals of everything below a folder. */
export interface FolderSums {
  readonly files: number
  readonly folders: number
  readonly bytes: number
}

/**
 * Returns the totals below a folder from the index; `null` until the index covers the whole storage.
 * @param folder empty, or with a trailing slash
 */
export async function indexedSums(
  ctx: Needs<'db'>,
  { configId, folder }: { configId: string; folder: string },
): Promise<FolderSums | null> {
  const index = await objectIndexRepository(ctx.db).findByConfig(configId)
  if (!index || index.completed_at_ms === null) return null
  const repository = objectFoldersRepository(ctx.db)
  const [row] = await repository.findFolders(index.id, [folder])
  if (!row) return { files: 0, folders: 0, bytes: 0 }
  const folders = await repository.countFoldersBelow(index.id, folder)
  return { files: row.tree_objects, folders, bytes: row.tree_bytes }
}
