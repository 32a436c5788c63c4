import {
  type bundleReadingRoutes,
  type ListedBundleItem,
  type ListOrder,
  type ListSort,
  type ParsedOf,
  requestErrors,
} from '@dropleaf/contract'
import { AppError } from '../../../../lib/app-error.ts'
import { toInstantOrNull } from '../../../../lib/clock.ts'
import type { FolderItem } from '../manifest.models.ts'
import type { TreeEntry } from './item-tree.models.ts'

export type ListQuery = ParsedOf<typeof bundleReadingRoutes.list, 'query'>

export interface ItemPage {
  readonly path: string
  readonly items: readonly ListedBundleItem[]
  readonly nextCursor: string | null
  /** `false` if a search may have missed entries, for example in a live folder that cannot be read. */
  readonly isComplete: boolean
}

export const PAGE_SIZE = 200

export const joined = (folder: string, name: string): string =>
  [folder, name].filter((part) => part !== '').join('/')

export function presentEntry(folder: string, entry: TreeEntry): ListedBundleItem {
  const place = { name: entry.name, path: joined(folder, entry.name) }
  if (entry.kind === 'folder') return { ...place, isDirectory: true, size: entry.sizeBytes, modified: null }
  const { size, mimetype, modifiedAtMs } = entry.item
  return {
    ...place,
    isDirectory: false,
    size,
    mimetype,
    modified: toInstantOrNull(modifiedAtMs),
    etag: '',
  }
}

/**
 * Cuts a page of a list in memory. The cursor is the number of entries before the page.
 * @throws {AppError} `request.invalid` for an invalid cursor
 */
export function pageOf<T>(all: readonly T[], { cursor, limit }: Pick<ListQuery, 'cursor' | 'limit'>) {
  const start = cursor === null ? 0 : Number(cursor)
  if (!Number.isInteger(start) || start < 0)
    throw new AppError(requestErrors.invalid, { params: { detail: 'query.cursor' } })
  const end = start + (limit ?? PAGE_SIZE)
  return { page: all.slice(start, end), nextCursor: end < all.length ? String(end) : null }
}

export interface LivePlace {
  readonly item: FolderItem
  readonly rest: string
}

export const mountPathOf = ({ item, rest }: LivePlace): string =>
  rest === '' ? item.source.folder.path : `${item.source.folder.path}/${rest}`

const collator = new Intl.Collator('en', { numeric: true, sensitivity: 'base' })

const timeOf = ({ modified }: ListedBundleItem): number => (modified === null ? 0 : Date.parse(modified))

const COMPARE: Readonly<Record<ListSort, (a: ListedBundleItem, b: ListedBundleItem) => number>> = {
  name: (a, b) => collator.compare(a.name, b.name),
  size: (a, b) => (a.size ?? 0) - (b.size ?? 0),
  modified: (a, b) => timeOf(a) - timeOf(b),
}

/** Sorts folders before files. Sorts entries with an equal sort value by name, then by path. */
export function sortItems(
  items: readonly ListedBundleItem[],
  { sort, order }: { sort: ListSort; order: ListOrder },
): ListedBundleItem[] {
  const sign = order === 'asc' ? 1 : -1
  return items.toSorted(
    (a, b) =>
      Number(b.isDirectory) - Number(a.isDirectory) ||
      sign * COMPARE[sort](a, b) ||
      COMPARE.name(a, b) ||
      collator.compare(a.path, b.path),
  )
}
