import type { TreeRow } from '../tree/virtual-tree.tsx'
import type { ArchiveEntry } from './archive-entry.ts'

export interface ArchiveNode {
  readonly name: string
  readonly path: string
  readonly isFolder: boolean
  /**
   * Whether the path could point outside the target folder, as absolute paths and `../` do. The node then has the whole
   * path as its name.
   */
  readonly isUnusual: boolean
  /** Size in bytes. For a folder, the total size of its content. */
  sizeBytes: number
  readonly entry: ArchiveEntry | null
  readonly children: Map<string, ArchiveNode>
}

export interface ArchiveRow extends TreeRow {
  readonly node: ArchiveNode
}

/** Whether a path is absolute or has `.` or `..` segments. */
const isUnusual = (path: string) => /^[/\\]|^[a-z]:|(?:^|[/\\])\.{1,2}(?:[/\\]|$)/i.test(path)

const newNode = (name: string, path: string, entry: ArchiveEntry | null): ArchiveNode => ({
  name,
  path,
  isFolder: entry?.isFolder ?? true,
  isUnusual: entry !== null && isUnusual(entry.path),
  sizeBytes: 0,
  entry,
  children: new Map(),
})

/** Builds the tree of entries. Folders without an entry are derived from the paths. */
export function toArchiveTree(entries: readonly ArchiveEntry[]): ArchiveNode {
  const root = newNode('', '', null)
  for (const entry of entries) {
    const parts = isUnusual(entry.path) ? [entry.path] : entry.path.split('/').filter((part) => part !== '')
    let node = root
    node.sizeBytes += entry.sizeBytes
    for (const [index, name] of parts.entries()) {
      const isLast = index === parts.length - 1
      const path = `${node.path}/${name}`
      const known = node.children.get(name)
      const next = known && (!isLast || entry.isFolder) ? known : newNode(name, path, isLast ? entry : null)
      node.children.set(name, next)
      next.sizeBytes += entry.sizeBytes
      node = next
    }
  }
  return root
}

function sorted(node: ArchiveNode): readonly ArchiveNode[] {
  const compare = new Intl.Collator(undefined, { numeric: true }).compare
  return [...node.children.values()].toSorted(
    (a, b) => Number(b.isFolder) - Number(a.isFolder) || compare(a.name, b.name),
  )
}

export function archiveRows(root: ArchiveNode, open: ReadonlySet<string>): readonly ArchiveRow[] {
  const rows: ArchiveRow[] = []
  const visit = (node: ArchiveNode, depth: number) => {
    for (const child of sorted(node)) {
      const isOpen = child.children.size === 0 ? null : open.has(child.path)
      rows.push({ id: child.path, depth, isOpen, node: child })
      if (isOpen) visit(child, depth + 1)
    }
  }
  visit(root, 0)
  return rows
}

/**
 * Returns the folders that are open at first. Starting at the top, each folder that is the only entry of its parent
 * is open.
 */
export function openAtFirst(root: ArchiveNode): ReadonlySet<string> {
  const open = new Set<string>()
  let node: ArchiveNode | undefined = root
  while (node && node.children.size === 1) {
    node = [...node.children.values()][0]
    if (node?.isFolder) open.add(node.path)
  }
  return open
}
