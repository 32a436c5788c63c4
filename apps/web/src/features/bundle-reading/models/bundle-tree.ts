import type {
  ListedBundleItem,
  ListOrder,
  ListSort,
  ReadManifest,
  ReadManifestItem,
} from '@dropleaf/contract'

/**
 * Folders of a bundle that its manifest describes. Paths have no slash at either end; the root is empty. The server
 * lists live folders.
 */

export type FileOfBundle = Extract<ReadManifestItem, { kind: 'file' }>

export interface ItemOrder {
  readonly sort: ListSort
  readonly order: ListOrder
}

const NATURAL: ItemOrder = { sort: 'name', order: 'asc' }

const isBelow = (path: string, folder: string) => folder === '' || path.startsWith(`${folder}/`)

export const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1)

/**
 * Returns where the contents of a folder are listed: `tree` for the manifest, `live` for the server; `null` if the
 * bundle has no such folder.
 */
export function placeOf({ items }: ReadManifest, folder: string): 'tree' | 'live' | null {
  if (folder === '') return 'tree'
  for (const { kind, path } of items)
    if (kind === 'folder' && (path === folder || isBelow(folder, path))) return 'live'
  return items.some(({ path }) => isBelow(path, folder)) ? 'tree' : null
}

/** Whether a search below a folder needs a request to the server. */
export const hasLiveBelow = ({ items }: ReadManifest, folder: string): boolean =>
  items.some(({ kind, path }) => kind === 'folder' && isBelow(path, folder))

const ofFile = (item: FileOfBundle): ListedBundleItem => ({
  name: nameOf(item.path),
  path: item.path,
  isDirectory: false,
  size: item.size,
  mimetype: item.mimetype,
  modified: item.modified,
  etag: '',
})

/** Sorts in the same order as the server. */
const collator = new Intl.Collator('en', { numeric: true, sensitivity: 'base' })

const COMPARE: Readonly<Record<ListSort, (a: ListedBundleItem, b: ListedBundleItem) => number>> = {
  name: (a, b) => collator.compare(a.name, b.name),
  size: (a, b) => (a.size ?? 0) - (b.size ?? 0),
  modified: (a, b) => Date.parse(a.modified ?? '1970-01-01') - Date.parse(b.modified ?? '1970-01-01'),
}

/** Sorts folders first, and equal items by name. */
function sorted(items: readonly ListedBundleItem[], { sort, order }: ItemOrder): ListedBundleItem[] {
  const sign = order === 'asc' ? 1 : -1
  return items.toSorted(
    (a, b) =>
      Number(b.isDirectory) - Number(a.isDirectory) || sign * COMPARE[sort](a, b) || COMPARE.name(a, b),
  )
}

/** Lists a folder of the manifest. The size of a folder is unknown if it contains a live folder or an unknown size. */
export function itemsIn(
  { items }: ReadManifest,
  folder: string,
  order: ItemOrder = NATURAL,
): ListedBundleItem[] {
  const start = folder === '' ? 0 : folder.length + 1
  const files: ListedBundleItem[] = []
  const folders = new Map<string, number | null>()
  for (const item of items) {
    if (!isBelow(item.path, folder)) continue
    const below = item.path.slice(start)
    const cut = below.indexOf('/')
    if (cut < 0 && item.kind === 'file') {
      files.push(ofFile(item))
      continue
    }
    const name = cut < 0 ? below : below.slice(0, cut)
    const known = folders.has(name) ? (folders.get(name) ?? null) : 0
    folders.set(
      name,
      item.kind === 'folder' || item.size === null || known === null ? null : known + item.size,
    )
  }
  const found = [...folders].map(([name, size]): ListedBundleItem => ({
    name,
    path: folder === '' ? name : `${folder}/${name}`,
    isDirectory: true,
    size,
    modified: null,
  }))
  return sorted([...found, ...files], order)
}

const fold = (text: string) => text.normalize('NFC').toLowerCase()

/** Finds files below a folder of the manifest by name, ignoring case. */
export function findFiles(
  { items }: ReadManifest,
  folder: string,
  { text, order = NATURAL }: { text: string; order?: ItemOrder },
): ListedBundleItem[] {
  const wanted = fold(text.trim())
  const found = items.flatMap((item) =>
    item.kind === 'file' && isBelow(item.path, folder) && fold(nameOf(item.path)).includes(wanted)
      ? [ofFile(item)]
      : [],
  )
  return sorted(found, order)
}

export interface BundleTotals {
  readonly fileCount: number
  readonly sizeBytes: number
  /** Whether the bundle has live folders. Their files are not counted. */
  readonly hasMore: boolean
}

export function totalsOf({ items }: ReadManifest): BundleTotals {
  const files = items.filter((item) => item.kind === 'file')
  return {
    fileCount: files.length,
    sizeBytes: files.reduce((sum, { size }) => sum + (size ?? 0), 0),
    hasMore: files.length < items.length,
  }
}

/** Returns the only file of a bundle; `null` if the bundle has a page or other items. */
export function onlyFileOf({ page, items }: ReadManifest): FileOfBundle | null {
  const [only] = items
  return page === null && items.length === 1 && only?.kind === 'file' ? only : null
}
