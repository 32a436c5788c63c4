import { findBundlePathProblems } from '@dropleaf/contract'
import { itemPathOf, suggestItemPaths } from '../../../domains/bundles/item-paths.ts'
import type { SharePick } from '../../../domains/transfers/uploads/share-picks.ts'
import type { PathProblem } from '../components/pick-row.tsx'

/** Paths of chosen files in their bundle, and problems of invalid paths, by the id of the file. */
export interface ItemPaths {
  readonly pathOf: ReadonlyMap<string, string>
  readonly problems: ReadonlyMap<string, PathProblem>
}

export function itemPathsOf(picks: readonly SharePick[]): ItemPaths {
  const paths = picks.map(({ path, folder, file }) => path ?? itemPathOf({ folder, name: file.name }))
  const suggestions = suggestItemPaths(paths)
  const problems = new Map<string, PathProblem>()
  for (const [index, problem] of findBundlePathProblems(paths)) {
    const suggestion = suggestions.get(index)
    const pick = picks[index]
    if (pick && suggestion !== undefined) problems.set(pick.id, { problem, suggestion })
  }
  return { pathOf: new Map(picks.map(({ id }, index) => [id, paths[index] ?? ''])), problems }
}

/** Returns the top-level folder that contains all paths, or `null`. This folder becomes the title of the bundle. */
export function commonFolderOf(paths: readonly string[]): string | null {
  const [first = ''] = paths
  const [folder = '', ...rest] = first.split('/')
  const isCommon = rest.length > 0 && paths.every((path) => path.startsWith(`${folder}/`))
  return isCommon ? folder : null
}
