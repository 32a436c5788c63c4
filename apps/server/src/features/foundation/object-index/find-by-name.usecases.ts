import type { Needs } from '../../../context.ts'
import { type MatchQuery, type MatchRow, matchesRepository } from './matches.repository.ts'
import { foldName, nameOf } from './object-index.models.ts'
import { objectFoldersRepository } from './object-folders.repository.ts'
import { objectIndexRepository } from './object-index.repository.ts'
import { isBehind } from './storage-changes.usecases.ts'

export type { MatchRow } from './matches.repository.ts'

/**
 * If a folder has at most this many files at any depth, the text is compared with every name. Also the maximum number
 * of folders that are compared.
 */
const LOOKED_AT_MAX = 10_000

/**
 * Finds files below a folder whose folded name contains a text. @returns the matches in the index, whether the index
 * contains no further matches, and whether the index is complete.
 */
export async function findByName(
  ctx: Needs<'db' | 'state'>,
  configId: string,
  { prefix, ...query }: Omit<MatchQuery, 'indexId'>,
): Promise<{ rows: MatchRow[]; isWhole: boolean; isComplete: boolean }> {
  const { db } = ctx
  const index = await objectIndexRepository(db).findByConfig(configId)
  if (!index) return { rows: [], isWhole: true, isComplete: false }
  const isComplete = index.completed_at_ms !== null && !isBehind(ctx, configId)
  const [folder] = await objectFoldersRepository(db).findFolders(index.id, [prefix])
  const filesBelow = folder?.tree_objects ?? 0
  if (filesBelow === 0) return { rows: [], isWhole: true, isComplete }
  const matches = matchesRepository(db)
  const find = filesBelow <= LOOKED_AT_MAX ? matches.findByLooking : matches.findByName
  return { ...(await find({ ...query, prefix, indexId: index.id })), isComplete }
}

export interface FolderMatch {
  /** Key of the folder; ends in `/`. */
  readonly key: string
  /** Total size of the files below. */
  readonly sizeBytes: number
  readonly modifiedAtMs: number | null
}

/**
 * Finds indexed folders below a folder whose folded name contains a text.
 * @returns `isWhole: false` if the storage has no index, or if there are too many folders to look at all of them
 */
export async function findFoldersByName(
  { db }: Needs<'db'>,
  configId: string,
  { prefix, text }: Pick<MatchQuery, 'prefix' | 'text'>,
): Promise<{ folders: FolderMatch[]; isWhole: boolean }> {
  const index = await objectIndexRepository(db).findByConfig(configId)
  if (!index) return { folders: [], isWhole: false }
  const range = { indexId: index.id, prefix, after: prefix, upTo: null, limit: LOOKED_AT_MAX }
  const rows = await objectFoldersRepository(db).findFoldersInRange(range)
  const named = rows.filter(({ key }) => key !== prefix && foldName(nameOf(key)).includes(text))
  return {
    isWhole: rows.length < LOOKED_AT_MAX,
    folders: named.map((row) => ({
      key: row.key,
      sizeBytes: row.tree_bytes,
      modifiedAtMs: row.tree_modified_at_ms ?? row.modified_at_ms,
    })),
  }
}
