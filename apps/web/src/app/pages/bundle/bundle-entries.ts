import type { ListedBundleItem } from '@dropleaf/contract'
import { thumbnailUrl } from '../../../domains/bundles/bundle-urls.ts'
import {
  itemPathOf,
  keyedUrl,
  pagePathOf,
  pageUrl,
  placeState,
  searchFor,
} from '../../../features/bundle-reading/models/bundle-place.ts'
import type { ShownFiles } from '../../../features/bundle-reading/sealed/shown-bundle.ts'
import type { EntryUrls } from '../../../features/fs/components/items/entry-urls.ts'
import type { Entry } from '../../../features/fs/models/entries.ts'

/**
 * Caches the entry of each item, so that loading more items does not render existing rows again. An item belongs to
 * only one list.
 */
const entries = new WeakMap<ListedBundleItem, Entry>()

function toEntry(item: ListedBundleItem, found: string | null): Entry {
  const { isDirectory, size, modified } = item
  const path = pagePathOf(item)
  return {
    path,
    name: found === null ? item.name : path.slice(found.length),
    isFolder: isDirectory,
    isVirtual: false,
    sizeBytes: size,
    modifiedAtMs: modified === null ? null : Date.parse(modified),
    etag: isDirectory ? '' : item.etag,
  }
}

/**
 * Converts the items of a list.
 * @param found folder of the search that found the items, whose names are then paths below that folder; `null` for the
 * contents of a folder
 */
export function entriesOf(items: readonly ListedBundleItem[], found: string | null): readonly Entry[] {
  return items.map((item) => {
    const known = entries.get(item)
    if (known) return known
    const made = toEntry(item, found)
    entries.set(item, made)
    return made
  })
}

/** Returns the URLs of the entries of a bundle. */
export const entryUrlsOf = (opened: ShownFiles): EntryUrls => {
  const { slug, decrypted } = opened
  return {
    hrefOf: (entry, parent) =>
      decrypted
        ? keyedUrl(slug, decrypted.linkKey)
        : pageUrl(
            slug,
            entry.isFolder ? searchFor(entry.path) : searchFor(parent, entry.path.slice(parent.length)),
          ),
    thumbnailOf: ({ path }, edgePx) =>
      decrypted ? decrypted.thumbnailOf(itemPathOf(path)) : thumbnailUrl(opened, itemPathOf(path), edgePx),
    folderLink: (path) =>
      decrypted
        ? { to: '/s/$slug', params: { slug }, search: {}, hash: true, state: placeState(searchFor(path)) }
        : { to: '/s/$slug', params: { slug }, search: searchFor(path) },
  }
}
