import type { ManifestInput, ReferenceMode } from '@dropleaf/contract'
import { itemPathOf, suggestItemPaths } from '../../../domains/bundles/item-paths.ts'

/** A file or folder of a mount that is shared where it is. */
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
  /** Places whose name cannot be used in a bundle. */
  readonly renamed: readonly Renamed[]
}

/** Returns the items of a bundle of files and folders of mounts. Folders are live, whatever the mode. */
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
