import type { Needs } from '../../../context.ts'
import { type MatchQuery, type MatchRow, matchesRepository } from './matches.repository.ts'
import { objectFoldersRepository } from './object-folders.repository.ts'
import { objectIndexRepository } from './object-index.repository.ts'
import { isBehind } from './storage-changes.usecases.ts'

export type { MatchRow } from './matches.repository.ts'

/** Below a folder with at most this many files, every name is compared. */
const LOOKED_AT_MAX = 10_000

/**
 * Finds files below a folder whose folded name contains a text. @returns the indexed matches, and whether the index is
 * complete.
 */
export async function findByName(
  ctx: Needs<'db' | 'state'>,
  configId: string,
  { prefix, ...query }: Omit<MatchQuery, 'indexId'>,
): Promise<{ rows: MatchRow[]; isComplete: boolean }> {
  const { db } = ctx
  const index = await objectIndexRepository(db).findByConfig(configId)
  if (!index) return { rows: [], isComplete: false }
  const isComplete = index.completed_at_ms !== null && !isBehind(ctx, configId)
  const [folder] = await objectFoldersRepository(db).findFolders(index.id, [prefix])
  const filesBelow = folder?.tree_objects ?? 0
  if (filesBelow === 0) return { rows: [], isComplete }
  const matches = matchesRepository(db)
  const find = filesBelow <= LOOKED_AT_MAX ? matches.findByLooking : matches.findByName
  return { rows: await find({ ...query, prefix, indexId: index.id }), isComplete }
}
