import {
  type ParsedOf,
  requestErrors,
  authErrors,
  SEARCH_MATCHES_MAX,
  SEARCH_PAGE_MAX,
  type searchRoutes,
} from '@dropleaf/contract'
import type { Needs } from '../../../context.ts'
import { AppError } from '../../../lib/app-error.ts'
import { searchKey } from '../../../lib/caches.ts'
import type { VirtualPath } from '../../../lib/paths.ts'
import { creatorOf, type PathActor } from '../../foundation/identity/actor.models.ts'
import { shareObjectsAmong } from '../../foundation/share-objects/share-objects.usecases.ts'
import { mayRead, requireAccess } from '../fs/places/access.models.ts'
import { asStored } from '../fs/places/name-forms.usecases.ts'
import type { MountRow } from '../../foundation/mounts/mounts.table.ts'
import { visibleMounts } from '../../foundation/mounts/mounts.usecases.ts'
import { driverOf, getConfig } from '../../foundation/storage-configs/storage-configs.usecases.ts'
import { findLive } from './live-search.usecases.ts'
import {
  findByName,
  findFoldersByName,
  type FolderMatch,
  type MatchRow,
} from '../../foundation/object-index/find-by-name.usecases.ts'
import { foldName, nameOf } from '../../foundation/object-index/object-index.models.ts'
import { type Match, rankMatches, type Target, targetOf } from './search.models.ts'

export type SearchQuery = ParsedOf<typeof searchRoutes.search, 'query'>

export interface SearchAnswer {
  readonly matches: readonly Match[]
  readonly total: number
  readonly hasMore: boolean
  readonly isComplete: boolean
  readonly limit: number
  readonly mountsSearched: number
}

const CACHE_MS = 300_000

function invalid(detail: string): AppError {
  return new AppError(requestErrors.invalid, { params: { detail } })
}

/** Identifies a caller in cache keys. */
const callerOf = (actor: PathActor): string =>
  actor.kind === 'reader' ? `reader:${actor.id}` : creatorOf(actor)

/** Returns the mounts to search, and paths that limit the search, such as the base path of an API key. */
function limitsOf(actor: PathActor, query: SearchQuery, mounts: readonly MountRow[]) {
  const base = actor.kind === 'admin' ? [] : [actor.basicPath]
  if (query.scope === 'mount' && query.mount_id === null) throw invalid('query.mount_id')
  if (query.scope === 'directory' && query.path === null) throw invalid('query.path')
  const isOfMount = query.scope === 'mount' || (query.scope === 'directory' && query.mount_id !== null)
  const chosen = isOfMount ? mounts.filter(({ id }) => id === query.mount_id) : mounts
  if (isOfMount && chosen.length === 0) throw new AppError(authErrors.path_forbidden)
  if (query.scope !== 'directory') return { chosen, within: base }
  return { chosen, within: [...base, requireAccess(actor, query.path ?? '/', 'navigate').path] }
}

const toMatch = ({ mount }: Target, row: MatchRow): Match => ({
  mount,
  path: `${mount.mount_path}/${row.key}`,
  name: nameOf(row.key),
  key: row.key,
  folded: row.folded,
  sizeBytes: row.size_bytes,
  modifiedAtMs: row.modified_at_ms,
})

/**
 * Searches one target.
 * @returns the distinct matches, whether the target's index is complete (`isComplete`), and whether further matches can
 * exist because of a limit (`isCut`).
 */
async function findInTarget(
  ctx: Needs<'db' | 'log' | 'secrets' | 'state' | 'storage'>,
  target: Target,
  text: string,
): Promise<{ matches: Match[]; isComplete: boolean; isCut: boolean }> {
  const { configId, prefix } = target
  const indexed = await findByName(ctx, configId, { text, prefix, limit: SEARCH_MATCHES_MAX })
  const { isComplete } = indexed
  const found = new Map<string, MatchRow>(indexed.rows.map((row) => [row.key, row]))
  if (!isComplete) for (const row of await findLive(ctx, target, text)) found.set(row.key, row)
  const ofShares = await shareObjectsAmong(ctx, { db: ctx.db, configId }, [...found.keys()])
  const rows = [...found.values()].filter(
    ({ key }) => !ofShares.has(key) && !target.hiddenFolders.some((folder) => key.startsWith(folder)),
  )
  const isCut = !indexed.isWhole || found.size >= SEARCH_MATCHES_MAX
  return { matches: rows.map((row) => toMatch(target, row)), isComplete, isCut }
}

interface Found {
  readonly matches: readonly Match[]
  readonly isComplete: boolean
}

async function findAll(
  ctx: Needs<'db' | 'log' | 'secrets' | 'state' | 'storage'>,
  actor: PathActor,
  { targets, text }: { targets: readonly Target[]; text: string },
) {
  const parts = await Promise.all(targets.map((target) => findInTarget(ctx, target, text)))
  const matches = parts
    .flatMap((part) => part.matches)
    .filter(({ path }) => mayRead(actor, path as VirtualPath))
  return { matches: rankMatches(matches, text), isComplete: parts.every((part) => part.isComplete) }
}

/** Converts the folder of a target to the Unicode form that exists in the storage. */
async function asStoredTarget(ctx: Needs<'db' | 'storage'>, target: Target): Promise<Target> {
  if (target.prefix === '') return target
  const driver = await driverOf(ctx, await getConfig(ctx, target.configId))
  return { ...target, prefix: `${await asStored(driver, target.prefix.slice(0, -1))}/` }
}

/** Returns the targets of a search, and the paths that limit the search. @throws {AppError} as {@link searchFiles} */
async function targetsOf(
  ctx: Needs<'clock' | 'db' | 'storage'>,
  actor: PathActor,
  query: SearchQuery,
): Promise<{ targets: Target[]; within: VirtualPath[] }> {
  const mounts = await visibleMounts(ctx, actor)
  const { chosen, within } = limitsOf(actor, query, mounts)
  const asked = chosen.flatMap((mount) => targetOf(mount, { mounts, within }) ?? [])
  return { targets: await Promise.all(asked.map((target) => asStoredTarget(ctx, target))), within }
}

/** A folder whose name matches, at a path that the caller can see. */
export interface FoundFolder extends Pick<FolderMatch, 'sizeBytes' | 'modifiedAtMs'> {
  readonly path: string
}

/**
 * Finds files and folders below a folder by name, in no order. Stops after about {@link SEARCH_MATCHES_MAX} files of
 * each storage. Finds no folders in a storage whose index is incomplete.
 * @returns `isComplete`: whether the result contains all matches
 * @throws {AppError} as {@link searchFiles}
 */
export async function findBelow(
  ctx: Needs<'clock' | 'db' | 'log' | 'secrets' | 'state' | 'storage'>,
  actor: PathActor,
  { path, q }: { path: string; q: string },
): Promise<{ files: Match[]; folders: FoundFolder[]; isComplete: boolean }> {
  const query = { q, scope: 'directory', mount_id: null, path, limit: SEARCH_PAGE_MAX, offset: 0 } as const
  const { targets } = await targetsOf(ctx, actor, query)
  const text = foldName(q)
  const isSeen = ({ path: found }: { path: string }) => mayRead(actor, found as VirtualPath)
  const parts = await Promise.all(
    targets.map(async (target) => {
      const { matches, isComplete, isCut } = await findInTarget(ctx, target, text)
      if (!isComplete) return { files: matches, folders: [], isAll: false }
      const { folders, isWhole } = await findFoldersByName(ctx, target.configId, { ...target, text })
      const shown = folders
        .filter(({ key }) => !target.hiddenFolders.some((hidden) => key.startsWith(hidden)))
        .map(({ key, ...facts }) => ({ path: `${target.mount.mount_path}/${key.slice(0, -1)}`, ...facts }))
      return { files: matches, folders: shown, isAll: isWhole && !isCut }
    }),
  )
  return {
    files: parts.flatMap(({ files }) => files).filter(isSeen),
    folders: parts.flatMap(({ folders }) => folders).filter(isSeen),
    isComplete: parts.every(({ isAll }) => isAll),
  }
}

/**
 * Searches file names in the mounts that the caller can see, below the caller's base path.
 * @throws {AppError} `auth.path_forbidden` for a mount or folder that the caller cannot see; `request.invalid`;
 * `fs.path_invalid`
 */
export async function searchFiles(
  ctx: Needs<'caches' | 'clock' | 'db' | 'log' | 'secrets' | 'state' | 'storage'>,
  actor: PathActor,
  query: SearchQuery,
): Promise<SearchAnswer> {
  const { targets, within } = await targetsOf(ctx, actor, query)
  const text = foldName(query.q)
  const limit = Math.min(query.limit, SEARCH_PAGE_MAX)
  const configIds = [...new Set(targets.map(({ configId }) => configId))]
  const mountIds = targets.map(({ mount }) => mount.id)
  const paths = targets.map((target) => [target.mount.mount_path, target.prefix, target.hiddenFolders])
  const key = searchKey({ mountIds, configIds }, [callerOf(actor), within, paths, text, limit, query.offset])
  const nowMs = ctx.clock.nowMs()
  const known = ctx.caches.search.get(key, nowMs) as SearchAnswer | undefined
  if (known) return known
  const versions = configIds.map((id) => ctx.caches.versionOf(id))
  const { matches, isComplete }: Found = await findAll(ctx, actor, { targets, text })
  const end = query.offset + limit
  const answer = {
    matches: matches.slice(query.offset, end),
    total: matches.length,
    hasMore: matches.length > end,
    isComplete,
    limit,
    mountsSearched: targets.length,
  }
  const isCurrent = configIds.every((id, index) => ctx.caches.versionOf(id) === versions[index])
  if (isComplete && isCurrent) ctx.caches.search.set(key, answer, nowMs + CACHE_MS)
  return answer
}
