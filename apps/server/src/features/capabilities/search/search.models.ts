import { isAtOrBelow, pathBelow, type VirtualPath } from '../../../lib/paths.ts'
import type { MountRow } from '../../foundation/mounts/mounts.table.ts'

/** A matching file at a path that the caller can see. */
export interface Match {
  readonly mount: MountRow
  readonly path: string
  readonly name: string
  readonly key: string
  readonly folded: string
  readonly sizeBytes: number
  readonly modifiedAtMs: number
}

/** A part of a storage to search, as shown by one mount. */
export interface Target {
  readonly mount: MountRow
  readonly configId: string
  /** Key of the folder to search in: empty, or with a trailing slash. */
  readonly prefix: string
  /** Folders that are hidden by another mount. */
  readonly hiddenFolders: readonly string[]
}

const folderBelow = (path: VirtualPath, mount: MountRow): string => {
  const rest = pathBelow(path, mount.mount_path as VirtualPath)
  return rest === '' ? '' : `${rest}/`
}

/**
 * Returns the part of a mount that is below all given paths and not hidden by an inner mount.
 * @returns `undefined` if there is none.
 */
export function targetOf(
  mount: MountRow,
  { mounts, within }: { mounts: readonly MountRow[]; within: readonly VirtualPath[] },
): Target | undefined {
  let start = mount.mount_path as VirtualPath
  for (const path of within) {
    if (isAtOrBelow(start, path)) continue
    if (!isAtOrBelow(path, start)) return undefined
    start = path
  }
  const inner = mounts
    .map((other) => other.mount_path as VirtualPath)
    .filter((path) => path !== mount.mount_path && isAtOrBelow(path, mount.mount_path as VirtualPath))
  if (mount.storage_config_id === null || inner.some((path) => isAtOrBelow(start, path))) return undefined
  return {
    mount,
    configId: mount.storage_config_id,
    prefix: folderBelow(start, mount),
    hiddenFolders: inner.map((path) => folderBelow(path, mount)),
  }
}

const rankOf = (match: Match, text: string): number => {
  if (match.folded === text) return 0
  return match.folded.startsWith(text) ? 1 : 2
}

/**
 * Sorts matches: exact names first, then names that start with the text, then the others. Matches of equal rank are
 * sorted by time, newest first, then by path.
 */
export function rankMatches(matches: readonly Match[], text: string): Match[] {
  const ranked = matches.map((match) => ({ match, rank: rankOf(match, text) }))
  return ranked
    .sort(
      (a, b) =>
        a.rank - b.rank ||
        b.match.modifiedAtMs - a.match.modifiedAtMs ||
        (a.match.path < b.match.path ? -1 : 1),
    )
    .map(({ match }) => match)
}
