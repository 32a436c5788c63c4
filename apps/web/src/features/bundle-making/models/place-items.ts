import type { ManifestInput, ReferenceMode } from '@dropleaf/contract'
import { itemPathOf, suggestItemPaths } from '../../../domains/bundles/item-paths.ts'

/** A file or folder of a mount to share. */
export interface SharedPlace {
  readonly path: string
  readonly name: string
  readonly isFolder: boolean
}

interface Renamed {
  readonly from: string
  readonly to: string
}

interface PlaceItems {
  readonly items: ManifestInput['items']
  /** Files and folders that get another name in the bundle, because their own names are invalid or taken there. */
  readonly renamed: readonly Renamed[]
}

/** Returns bundle items for files and folders of mounts. Folders are always live, in either mode. */
export function itemsOfPlaces(places: readonly SharedPlace[], mode: ReferenceMode): PlaceItems {
  const names = places.map(({ name }) => itemPathOf({ folder: '', name }))
  const suggested = suggestItemPaths(names)
  const paths = names.map((name, index) => suggested.get(index) ?? name)
  const items = places.map(({ path, isFolder }, index) => ({
    path: paths[index] ?? '',
    source: isFolder ? { folder: { path } } : { ref: { path, mode } },
  }))
  const renamed = [...suggested].map(([index, to]) => ({ from: names[index] ?? '', to }))
  return { items, renamed }
}
