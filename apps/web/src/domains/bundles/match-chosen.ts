import { isSameFile } from '@dropleaf/uploader'
import type { PickedFile } from '../transfers/uploads/picked-files.ts'
import type { FileFacts } from '../transfers/uploads/upload-store.ts'
import { itemPathOf } from './item-paths.ts'

interface Missing {
  readonly path: string
  readonly file: FileFacts
}

/**
 * Finds missing files among the files that the user has chosen again. Compares path, size and time first, then name,
 * size and time.
 */
export function matchChosen<Item extends Missing>(
  missing: readonly Item[],
  chosen: readonly PickedFile[],
): { readonly found: ReadonlyMap<Item, PickedFile>; readonly others: PickedFile[] } {
  const open = [...missing]
  const found = new Map<Item, PickedFile>()
  const others: PickedFile[] = []
  for (const one of chosen) {
    const same = open.filter(({ file }) => isSameFile(one.file, file))
    const path = itemPathOf({ folder: one.folder, name: one.file.name })
    const item = same.find((candidate) => candidate.path.endsWith(path)) ?? same[0]
    if (!item) {
      others.push(one)
      continue
    }
    open.splice(open.indexOf(item), 1)
    found.set(item, one)
  }
  return { found, others }
}
