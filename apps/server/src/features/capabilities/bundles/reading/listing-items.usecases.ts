import type { bundleReadingRoutes, ListedBundleItem, ListOrder, ListSort, ParsedOf } from '@dropleaf/contract'
import { bundleErrors, requestErrors } from '@dropleaf/contract'
import type { Needs, PlaceNeeds } from '../../../../context.ts'
import { AppError } from '../../../../lib/app-error.ts'
import { toInstant, toInstantOrNull } from '../../../../lib/clock.ts'
import { inferMimeType } from '../../../../lib/mime.ts'
import { nameOf } from '../../../../lib/object-names.ts'
import { pathBelow, type VirtualPath } from '../../../../lib/paths.ts'
import { foldName } from '../../../foundation/object-index/object-index.models.ts'
import { openFolder } from '../../fs/listing/listing.usecases.ts'
import { searchFiles } from '../../search/search.usecases.ts'
import { type FolderItem, isFolderItem } from '../manifest.models.ts'
import { entriesOf, type FoundItem, type TreeEntry } from './item-tree.models.ts'
import { getItem, inBundleTerms, readerOf, type TicketedBundle } from './items.usecases.ts'

type ListQuery = ParsedOf<typeof bundleReadingRoutes.list, 'query'>

export interface ItemPage {
  readonly path: string
  readonly items: readonly ListedBundleItem[]
  readonly nextCursor: string | null
}

const PAGE_SIZE = 200

export type ListingNeeds = PlaceNeeds & Needs<'caches' | 'database' | 'log' | 'state'>

const joined = (folder: string, name: string): string =>
  [folder, name].filter((part) => part !== '').join('/')

const collator = new Intl.Collator('en', { numeric: true, sensitivity: 'base' })

const sizeOf = (entry: TreeEntry): number =>
  entry.kind === 'file' ? entry.item.size : (entry.sizeBytes ?? 0)
const modifiedOf = (entry: TreeEntry): number => (entry.kind === 'file' ? (entry.item.modifiedAtMs ?? 0) : 0)

const COMPARE: Readonly<Record<ListSort, (a: TreeEntry, b: TreeEntry) => number>> = {
  name: (a, b) => collator.compare(a.name, b.name),
  size: (a, b) => sizeOf(a) - sizeOf(b),
  modified: (a, b) => modifiedOf(a) - modifiedOf(b),
}

/** Sorts folders first, and equal entries by name. */
function sorted(entries: readonly TreeEntry[], { sort, order }: { sort: ListSort; order: ListOrder }) {
  const sign = order === 'asc' ? 1 : -1
  return entries.toSorted(
    (a, b) =>
      Number(b.kind === 'folder') - Number(a.kind === 'folder') ||
      sign * COMPARE[sort](a, b) ||
      COMPARE.name(a, b),
  )
}

function presentEntry(folder: string, entry: TreeEntry): ListedBundleItem {
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

/** Takes one page from a list in memory. The cursor is the number of entries before the page. */
function pageOf<T>(all: readonly T[], { cursor, limit }: Pick<ListQuery, 'cursor' | 'limit'>) {
  const start = cursor === null ? 0 : Number(cursor)
  if (!Number.isInteger(start) || start < 0)
    throw new AppError(requestErrors.invalid, { params: { detail: 'query.cursor' } })
  const end = start + (limit ?? PAGE_SIZE)
  return { page: all.slice(start, end), nextCursor: end < all.length ? String(end) : null }
}

function listTree(found: FoundItem & { kind: 'folder' }, query: ListQuery): ItemPage {
  const { page, nextCursor } = pageOf(sorted(entriesOf(found), query), query)
  return { path: found.path, items: page.map((entry) => presentEntry(found.path, entry)), nextCursor }
}

interface LivePlace {
  /** Path of the live folder in the bundle. */
  readonly item: FolderItem
  readonly rest: string
}

const mountPathOf = ({ item, rest }: LivePlace): string =>
  rest === '' ? item.source.folder.path : `${item.source.folder.path}/${rest}`

async function listLive(
  ctx: ListingNeeds,
  { row }: TicketedBundle,
  { place, query }: { place: LivePlace; query: ListQuery },
): Promise<ItemPage> {
  const reader = await readerOf(ctx, row, place.item.source.folder.path)
  const path = joined(place.item.path, place.rest)
  return inBundleTerms(place.rest === '', async () => {
    const folder = await openFolder(ctx, reader, {
      path: `${mountPathOf(place)}/`,
      limit: query.limit ?? PAGE_SIZE,
      cursor: query.cursor,
      sort: query.sort,
      order: query.order,
      refresh: false,
    })
    const folderItem = (name: string, size: number | null, modified: string | null): ListedBundleItem => ({
      name,
      path: joined(path, name),
      isDirectory: true,
      size,
      modified,
    })
    if (folder.kind === 'virtual')
      return { path, items: folder.items.map(({ name }) => folderItem(name, null, null)), nextCursor: null }
    const listing = await folder.list()
    const items = listing.nested.map(({ name }) => folderItem(name, null, null))
    for await (const entries of listing.entries)
      for (const entry of entries)
        items.push(
          entry.isFolder
            ? folderItem(entry.name, entry.sizeBytes, toInstantOrNull(entry.modifiedAtMs))
            : {
                name: entry.name,
                path: joined(path, entry.name),
                isDirectory: false,
                size: entry.sizeBytes,
                mimetype: inferMimeType(entry.name),
                modified: toInstant(entry.modifiedAtMs ?? 0),
                etag: entry.etag,
              },
        )
    return { path, items, nextCursor: listing.nextCursor ?? null }
  })
}

/** Finds files of a live folder by name. */
async function searchLive(
  ctx: ListingNeeds,
  { row }: TicketedBundle,
  { place, text, limit, offset }: { place: LivePlace; text: string; limit: number; offset: number },
): Promise<{ items: ListedBundleItem[]; hasMore: boolean }> {
  const reader = await readerOf(ctx, row, place.item.source.folder.path)
  return inBundleTerms(place.rest === '', async () => {
    const query = {
      q: text,
      scope: 'directory',
      mount_id: null,
      path: mountPathOf(place),
      limit,
      offset,
    } as const
    const { matches, hasMore } = await searchFiles(ctx, reader, query)
    const items = matches.map(({ name, path, sizeBytes, modifiedAtMs }): ListedBundleItem => ({
      name,
      path: joined(place.item.path, pathBelow(path as VirtualPath, reader.basicPath)),
      isDirectory: false,
      size: sizeBytes,
      mimetype: inferMimeType(name),
      modified: toInstant(modifiedAtMs),
      etag: '',
    }))
    return { items, hasMore }
  })
}

/** Finds files by name below a folder. Returns those of the manifest first, then those of each live folder. */
async function search(
  ctx: ListingNeeds,
  bundle: TicketedBundle,
  { found, text, query }: { found: Exclude<FoundItem, { kind: 'file' }>; text: string; query: ListQuery },
): Promise<ItemPage> {
  const folded = foldName(text)
  const path = found.kind === 'folder' ? found.path : joined(found.item.path, found.rest)
  const items = found.kind === 'folder' ? found.items : []
  const named: ListedBundleItem[] = items.flatMap((item) =>
    isFolderItem(item) || !foldName(nameOf(item.path)).includes(folded)
      ? []
      : [
          presentEntry(item.path.slice(0, -nameOf(item.path).length - 1), {
            kind: 'file',
            name: nameOf(item.path),
            item,
          }),
        ],
  )
  const lives =
    found.kind === 'live' ? [found] : items.filter(isFolderItem).map((item) => ({ item, rest: '' }))
  const start = query.cursor === null ? 0 : Number(query.cursor)
  const end = start + (query.limit ?? PAGE_SIZE)
  const wanted = [...named]
  for (const place of lives) {
    if (wanted.length > end) break
    const { items: more } = await searchLive(ctx, bundle, { place, text, limit: end + 1, offset: 0 })
    wanted.push(...more)
  }
  const { page, nextCursor } = pageOf(wanted, query)
  return { path, items: page, nextCursor }
}

/**
 * Lists a folder of a bundle in pages, or finds files below it by name.
 * @throws {AppError} `bundle.item_not_found`, `bundle.item_kind` for a file, `bundle.item_gone`; `request.invalid` for
 *   a cursor of another list
 */
export async function listItems(
  ctx: ListingNeeds,
  bundle: TicketedBundle,
  query: ListQuery,
): Promise<ItemPage> {
  const found = getItem(bundle, query.path)
  if (found.kind === 'file') throw new AppError(bundleErrors.item_kind)
  if (query.search !== null) return search(ctx, bundle, { found, text: query.search, query })
  return found.kind === 'folder' ? listTree(found, query) : listLive(ctx, bundle, { place: found, query })
}
