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
  /** A path in a live folder (see the glossary). `rest` is the path below the folder, empty for the folder itself. */
  | { readonly kind: 'live'; readonly item: FolderItem; readonly rest: string }
  /** The root, or a folder that exists only as part of the paths of items. */
  | { readonly kind: 'folder'; readonly path: string; readonly items: readonly StoredItem[] }

/** Removes one trailing slash. Clients mark folders with a slash. */
const withoutSlash = (path: string): string => path.replace(/\/$/, '')

interface PathIndex {
  readonly items: ReadonlyMap<string, StoredItem>
  /** The items below each folder. These folders exist only as parts of the paths of the items. */
  readonly folders: ReadonlyMap<string, readonly StoredItem[]>
}

/** Returns the folders around a path, the outermost first. */
function foldersAround(path: string): string[] {
  const folders: string[] = []
  for (let cut = path.indexOf('/'); cut >= 0; cut = path.indexOf('/', cut + 1))
    folders.push(path.slice(0, cut))
  return folders
}

/** Indexes of parsed manifests, so that the index of a cached manifest is built only once. */
const indexes = new WeakMap<StoredManifest, PathIndex>()

function indexOf(manifest: StoredManifest): PathIndex {
  const known = indexes.get(manifest)
  if (known) return known
  const items = new Map<string, StoredItem>()
  const folders = new Map<string, StoredItem[]>()
  for (const item of manifest.items) {
    items.set(item.path, item)
    for (const folder of foldersAround(item.path)) {
      const below = folders.get(folder)
      if (below) below.push(item)
      else folders.set(folder, [item])
    }
  }
  const index = { items, folders }
  indexes.set(manifest, index)
  return index
}

/** Resolves a path in a manifest. @returns `undefined` if the manifest has no such path */
export function findItem(manifest: StoredManifest, asked: string): FoundItem | undefined {
  const path = withoutSlash(asked)
  if (path === '') return { kind: 'folder', path, items: manifest.items }
  const { items, folders } = indexOf(manifest)
  const exact = items.get(path)
  if (exact)
    return isFolderItem(exact) ? { kind: 'live', item: exact, rest: '' } : { kind: 'file', item: exact }
  for (const folder of foldersAround(path)) {
    const item = items.get(folder)
    if (item && isFolderItem(item)) return { kind: 'live', item, rest: path.slice(folder.length + 1) }
  }
  const below = folders.get(path)
  return below && { kind: 'folder', path, items: below }
}

/** An entry of a folder of the manifest. */
export type TreeEntry =
  | { readonly kind: 'file'; readonly name: string; readonly item: FileItem }
  | { readonly kind: 'folder'; readonly name: string; readonly sizeBytes: number | null }

/**
 * Lists the entries directly below a folder. The size of a folder is unknown if the folder is or contains a live
 * folder.
 */
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
