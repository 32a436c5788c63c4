import type { TreeRow } from '../../../ui/tree/tree-model.ts'
import { crumbsOf } from './fs-paths.ts'

interface Folder {
  readonly path: string
  readonly name: string
}

interface FolderTree {
  readonly root: Folder
  readonly opened: ReadonlySet<string>
  /** `undefined` while the subfolders load. */
  readonly childrenOf: (path: string) => readonly Folder[] | undefined
  readonly isBusy: (path: string) => boolean
}

/** Returns the visible rows of the folder tree. */
export function folderRows({ root, opened, childrenOf, isBusy }: FolderTree): TreeRow[] {
  const rows: TreeRow[] = []
  const add = (folder: Folder, place: Pick<TreeRow, 'level' | 'position' | 'siblingCount'>) => {
    const isOpen = opened.has(folder.path)
    const inside = isOpen ? childrenOf(folder.path) : undefined
    const isLeaf = childrenOf(folder.path)?.length === 0
    rows.push({
      id: folder.path,
      name: folder.name,
      isOpen,
      isLeaf,
      isBusy: isOpen && isBusy(folder.path),
      ...place,
    })
    for (const [index, child] of (inside ?? []).entries())
      add(child, { level: place.level + 1, position: index + 1, siblingCount: inside?.length ?? 0 })
  }
  add(root, { level: 1, position: 1, siblingCount: 1 })
  return rows
}

/** Returns the folders from `base` to `folder`, both included. */
export const wayTo = (folder: string, base: string): string[] => [
  base,
  ...crumbsOf(folder, base).map(({ path }) => path),
]
