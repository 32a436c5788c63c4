import { bundleErrors, type ListedBundleItem } from '@dropleaf/contract'
import type { Needs, PlaceNeeds } from '../../../../context.ts'
import { AppError } from '../../../../lib/app-error.ts'
import { toInstant, toInstantOrNull } from '../../../../lib/clock.ts'
import { inferMimeType } from '../../../../lib/mime.ts'
import { openFolder } from '../../fs/listing/listing.usecases.ts'
import {
  type ItemPage,
  joined,
  type ListQuery,
  type LivePlace,
  mountPathOf,
  PAGE_SIZE,
  pageOf,
  presentEntry,
  sortItems,
} from './item-pages.models.ts'
import { entriesOf, type FoundItem } from './item-tree.models.ts'
import { getItem, inBundleTerms, readerOf, type TicketedBundle } from './items.usecases.ts'
import { listPresently } from './present-facts.usecases.ts'
import { searchItems } from './searching-items.usecases.ts'

type ListingNeeds = PlaceNeeds & Needs<'caches' | 'database' | 'log' | 'state'>

function listTree(found: FoundItem & { kind: 'folder' }, query: ListQuery): ItemPage {
  const entries = entriesOf(found).map((entry) => presentEntry(found.path, entry))
  const { page, nextCursor } = pageOf(sortItems(entries, query), query)
  return { path: found.path, items: page, nextCursor, isComplete: true }
}

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
      // Storages already list entries by name. If `sort` is omitted, the first page of a folder that is not indexed
      // requires no listing of the whole folder.
      sort: query.sort === 'name' && query.order === 'asc' ? null : query.sort,
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
      return {
        path,
        items: folder.items.map(({ name }) => folderItem(name, null, null)),
        nextCursor: null,
        isComplete: true,
      }
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
    return { path, items, nextCursor: listing.nextCursor ?? null, isComplete: true }
  })
}

/**
 * Lists a folder of a bundle in pages, or finds files and folders below it by name.
 * @throws {AppError} `bundle.item_not_found`, `bundle.item_kind` for a file, `bundle.item_gone`; `request.invalid` for
 * an invalid cursor
 */
export async function listItems(
  ctx: ListingNeeds,
  bundle: TicketedBundle,
  query: ListQuery,
): Promise<ItemPage> {
  const found = getItem(bundle, query.path)
  if (found.kind === 'file') throw new AppError(bundleErrors.item_kind)
  if (found.kind === 'live' && query.search === null) return listLive(ctx, bundle, { place: found, query })
  const page =
    query.search === null && found.kind === 'folder'
      ? listTree(found, query)
      : await searchItems(ctx, bundle, { found, text: query.search ?? '', query })
  return { ...page, items: await listPresently(ctx, bundle, page.items) }
}
