import type { ListOrder, RealFolder, VirtualFolder } from '@dropleaf/contract'
import type { FileKind } from '../../../domains/preview/kinds/file-kind.ts'
import { findFileKind } from '../../../domains/preview/kinds/file-kind.ts'

/** An entry of a folder. `path` is unique; the path of a folder ends in a slash. */
export interface Entry {
  readonly path: string
  readonly name: string
  readonly isFolder: boolean
  /** Whether the entry is a mount, or a folder above a mount. Such an entry can be neither changed nor shared. */
  readonly isVirtual: boolean
  /** `null` if unknown. */
  readonly sizeBytes: number | null
  readonly modifiedAtMs: number | null
  readonly etag: string
}

export const SORTS = ['name', 'size', 'modified', 'type'] as const
export type Sort = (typeof SORTS)[number]

export interface SortOrder {
  readonly sort: Sort
  readonly order: ListOrder
}

/** The sort order in a URL. */
type SearchOrder = { readonly [Part in keyof SortOrder]?: SortOrder[Part] | undefined }

/**
 * Returns the sort order of a URL. A URL with a sort key but no direction sorts in ascending order. Otherwise, missing
 * parts come from the last chosen sort order.
 */
export const sortingOf = (asked: SearchOrder, last: SortOrder): SortOrder => ({
  sort: asked.sort ?? last.sort,
  order: asked.order ?? (asked.sort ? 'asc' : last.order),
})

type WireItem = (RealFolder | VirtualFolder)['items'][number]

export function toEntry(item: WireItem): Entry {
  const { name, isDirectory: isFolder } = item
  const isVirtual = 'isVirtual' in item && item.isVirtual
  const path = isFolder && !item.path.endsWith('/') ? `${item.path}/` : item.path
  if (isVirtual || !('size' in item))
    return { path, name, isFolder, isVirtual, sizeBytes: null, modifiedAtMs: null, etag: '' }
  return {
    path,
    name,
    isFolder,
    isVirtual,
    sizeBytes: item.size,
    modifiedAtMs: item.modified === null ? null : Date.parse(item.modified),
    etag: 'etag' in item ? item.etag : '',
  }
}

export const kindOf = (entry: Entry): FileKind | 'folder' =>
  entry.isFolder ? 'folder' : findFileKind({ mimetype: '', filename: entry.name })

/** Whether a gallery shows the entry; it shows images, videos and folders. */
export const isForGallery = (entry: Entry): boolean => ['folder', 'image', 'video'].includes(kindOf(entry))

const KEYS: Record<Exclude<Sort, 'name'>, (entry: Entry) => number | string> = {
  size: (entry) => entry.sizeBytes ?? -1,
  modified: (entry) => entry.modifiedAtMs ?? 0,
  type: (entry) => `${kindOf(entry)} ${extensionOf(entry.name)}`,
}

const extensionOf = (name: string) => /\.([^.]+)$/.exec(name)?.[1]?.toLowerCase() ?? ''

const compareKeys = (a: number | string, b: number | string) => (a < b ? -1 : Number(a > b))

/**
 * Sorts folders first, then by the sort order. The sort is stable.
 * @param entries in natural name order, as the server returns them. Sorting 50,000 names again would block the page.
 */
export function sortEntries(entries: readonly Entry[], { sort, order }: SortOrder): readonly Entry[] {
  if (sort === 'name' && order === 'asc') return entries
  const parts = [entries.filter(({ isFolder }) => isFolder), entries.filter(({ isFolder }) => !isFolder)]
  return parts.flatMap((part) => sortPart(part, { sort, order }))
}

function sortPart(part: readonly Entry[], { sort, order }: SortOrder): readonly Entry[] {
  if (sort === 'name') return part.toReversed()
  const keyOf = KEYS[sort]
  const direction = order === 'asc' ? 1 : -1
  return part
    .map((entry) => ({ entry, key: keyOf(entry) }))
    .toSorted((a, b) => direction * compareKeys(a.key, b.key))
    .map(({ entry }) => entry)
}

/** Returns the entries whose names contain every word of the text, ignoring case. */
export function filterEntries(entries: readonly Entry[], text: string): readonly Entry[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean)
  if (words.length === 0) return entries
  return entries.filter(({ name }) => {
    const lower = name.toLowerCase()
    return words.every((word) => lower.includes(word))
  })
}
