import type { ListedBundleItem } from '@dropleaf/contract'
import type { Needs, PlaceNeeds } from '../../../../context.ts'
import { AppError } from '../../../../lib/app-error.ts'
import { toInstant, toInstantOrNull } from '../../../../lib/clock.ts'
import { inferMimeType } from '../../../../lib/mime.ts'
import { nameOf, parentOf } from '../../../../lib/object-names.ts'
import { pathBelow, type VirtualPath } from '../../../../lib/paths.ts'
import { foldName } from '../../../foundation/object-index/object-index.models.ts'
import { findBelow } from '../../search/search.usecases.ts'
import { isFolderItem, type StoredItem } from '../manifest.models.ts'
import {
  type ItemPage,
  joined,
  type ListQuery,
  type LivePlace,
  mountPathOf,
  pageOf,
  presentEntry,
  sortItems,
} from './item-pages.models.ts'
import type { FoundItem } from './item-tree.models.ts'
import { inBundleTerms, readerOf, type TicketedBundle } from './items.usecases.ts'

type SearchNeeds = PlaceNeeds & Needs<'log' | 'state'>

const folderItem = (
  path: string,
  facts: { sizeBytes: number | null; modifiedAtMs: number | null },
): ListedBundleItem => ({
  name: nameOf(path),
  path,
  isDirectory: true,
  size: facts.sizeBytes,
  modified: toInstantOrNull(facts.modifiedAtMs),
})

/** Finds files and folders of a live folder by name. */
async function searchLive(
  ctx: SearchNeeds,
  { row }: TicketedBundle,
  { place, text }: { place: LivePlace; text: string },
): Promise<{ items: ListedBundleItem[]; isComplete: boolean }> {
  const reader = await readerOf(ctx, row, place.item.source.folder.path)
  return inBundleTerms(place.rest === '', async () => {
    const { files, folders, isComplete } = await findBelow(ctx, reader, { path: mountPathOf(place), q: text })
    const pathOf = (path: string) => joined(place.item.path, pathBelow(path as VirtualPath, reader.basicPath))
    const found = files.map(({ name, path, sizeBytes, modifiedAtMs }): ListedBundleItem => ({
      name,
      path: pathOf(path),
      isDirectory: false,
      size: sizeBytes,
      mimetype: inferMimeType(name),
      modified: toInstant(modifiedAtMs),
      etag: '',
    }))
    const around = folders.map(({ path, ...facts }) => folderItem(pathOf(path), facts))
    return { items: [...around, ...found], isComplete }
  })
}

/** Finds files and live folders of the manifest by name, and folders that exist only because they contain items. */
function searchTree(
  { path, items }: { path: string; items: readonly StoredItem[] },
  folded: string,
): ListedBundleItem[] {
  const isNamed = (one: string) => foldName(nameOf(one)).includes(folded)
  const folders = new Set<string>()
  const files: ListedBundleItem[] = []
  for (const item of items) {
    if (isFolderItem(item)) folders.add(item.path)
    else if (isNamed(item.path)) {
      const entry = { kind: 'file', name: nameOf(item.path), item } as const
      files.push(presentEntry(parentOf(item.path).slice(0, -1), entry))
    }
    for (
      let folder = parentOf(item.path).slice(0, -1);
      folder.length > path.length && !folders.has(folder);
      folder = parentOf(folder).slice(0, -1)
    )
      folders.add(folder)
  }
  const unknown = { sizeBytes: null, modifiedAtMs: null }
  return [...[...folders].filter(isNamed).map((folder) => folderItem(folder, unknown)), ...files]
}

/**
 * Finds files and folders below a folder by name. Skips live folders in this folder that are missing or cannot be read.
 * If the folder itself is a live folder or is in one, throws the error.
 */
export async function searchItems(
  ctx: SearchNeeds,
  bundle: TicketedBundle,
  { found, text, query }: { found: Exclude<FoundItem, { kind: 'file' }>; text: string; query: ListQuery },
): Promise<ItemPage> {
  const path = found.kind === 'folder' ? found.path : joined(found.item.path, found.rest)
  const items = found.kind === 'folder' ? searchTree(found, foldName(text)) : []
  const lives =
    found.kind === 'live' ? [found] : found.items.filter(isFolderItem).map((item) => ({ item, rest: '' }))
  let isComplete = true
  for (const place of lives) {
    try {
      const part = await searchLive(ctx, bundle, { place, text })
      items.push(...part.items)
      isComplete &&= part.isComplete
    } catch (error) {
      if (found.kind === 'live' || !(error instanceof AppError)) throw error
      isComplete = false
    }
  }
  const { page, nextCursor } = pageOf(sortItems(items, query), query)
  return { path, items: page, nextCursor, isComplete }
}
