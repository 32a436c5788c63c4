import {
  type FileItem,
  type FolderItem,
  isFolderItem,
  type StoredItem,
  type StoredManifest,
} from '../manifest.models.ts'

/** The result of resolving a path in a bundle. */
export type FoundItem =
  | { readonly kind: 'file'; readonly item: FileItem }
  /** A path in a live folder. `rest` is the path below the folder, empty for the folder itself. */
  | { readonly kind: 'live'; readonly item: FolderItem; readonly rest: string }
  /** The root, or a folder that exists only as part of the paths of items. */
  | { readonly kind: 'folder'; readonly path: string; readonly items: readonly StoredItem[] }

/** Removes one trailing slash. Clients mark folders with it. */
const withoutSlash = (path: string): string => path.replace(/\/$/, '')

/** Resolves a path. @returns `undefined` if the manifest has no such path */
export function findItem({ items }: StoredManifest, asked: string): FoundItem | undefined {
  const path = withoutSlash(asked)
  if (path === '') return { kind: 'folder', path, items }
  const exact = items.find((item) => item.path === path)
  if (exact)
    return isFolderItem(exact) ? { kind: 'live', item: exact, rest: '' } : { kind: 'file', item: exact }
  for (const item of items)
    if (isFolderItem(item) && path.startsWith(`${item.path}/`))
      return { kind: 'live', item, rest: path.slice(item.path.length + 1) }
  const below = items.filter((item) => item.path.startsWith(`${path}/`))
  return below.length === 0 ? undefined : { kind: 'folder', path, items: below }
}

/** An entry of a folder of the manifest. */
export type TreeEntry =
  | { readonly kind: 'file'; readonly name: string; readonly item: FileItem }
  | { readonly kind: 'folder'; readonly name: string; readonly sizeBytes: number | null }

/** Lists the entries directly below a folder. The size of a folder is unknown if it contains a live folder. */
export function entriesOf(folder: {
  readonly path: string
  readonly items: readonly StoredItem[]
}): TreeEntry[] {
  const start = folder.path === '' ? 0 : folder.path.length + 1
  const files: TreeEntry[] = []
  const folders = new Map<string, number | null>()
  for (const item of folder.items) {
    const below = item.path.slice(start)
    const cut = below.indexOf('/')
    if (cut < 0 && !isFolderItem(item)) {
      files.push({ kind: 'file', name: below, item })
      continue
    }
    const name = cut < 0 ? below : below.slice(0, cut)
    const known = folders.get(name) ?? (folders.has(name) ? null : 0)
    folders.set(name, isFolderItem(item) || known === null ? null : known + item.size)
  }
  return [
    ...[...folders].map(([name, sizeBytes]) => ({ kind: 'folder' as const, name, sizeBytes })),
    ...files,
  ]
}
