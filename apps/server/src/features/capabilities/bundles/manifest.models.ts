import {
  bundleErrors,
  type ManifestInput,
  type OwnManifest,
  type PasteContentType,
  type ReadManifest,
  type ReferenceMode,
} from '@dropleaf/contract'
import { AppError } from '../../../lib/app-error.ts'
import { toInstantOrNull } from '../../../lib/clock.ts'

/** Properties of a file at the time of publication. */
interface FileFacts {
  readonly path: string
  readonly size: number
  readonly mimetype: string
  readonly modifiedAtMs: number | null
}

/** An uploaded file. */
export interface ObjectItem extends FileFacts {
  readonly source: { readonly object: number }
}

/** A file of a mount. `etag` is its version at publication. A pinned reference shows only this version. */
export interface ReferenceItem extends FileFacts {
  readonly source: {
    readonly ref: { readonly path: string; readonly mode: ReferenceMode; readonly etag: string }
  }
}

/** A folder of a mount. The server lists its current contents for each reader. */
export interface FolderItem {
  readonly path: string
  readonly source: { readonly folder: { readonly path: string } }
}

export type FileItem = ObjectItem | ReferenceItem
export type StoredItem = FileItem | FolderItem

/** The contents of a revision, as its row stores them in JSON. */
export interface StoredManifest {
  readonly title: string | null
  readonly page: { readonly type: PasteContentType; readonly text: string } | null
  readonly items: readonly StoredItem[]
}

export const isObjectItem = (item: StoredItem): item is ObjectItem => 'object' in item.source
export const isReferenceItem = (item: StoredItem): item is ReferenceItem => 'ref' in item.source
/** Whether an item is a reference that shows the current version of its file, not a pinned version. */
export const isFollowed = (item: StoredItem): item is ReferenceItem =>
  isReferenceItem(item) && item.source.ref.mode === 'follow'
export const isFolderItem = (item: StoredItem): item is FolderItem => 'folder' in item.source

const isSealedText = (text: string): boolean => !text.startsWith('{')

/** Returns the manifest of a stored revision, or `null` if it is sealed. */
export const readableManifest = (text: string): StoredManifest | null =>
  isSealedText(text) ? null : (JSON.parse(text) as StoredManifest)

/** Returns the manifest of a stored revision that is not sealed. @throws {AppError} `bundle.is_sealed` */
export function parseManifest(text: string): StoredManifest {
  const manifest = readableManifest(text)
  if (!manifest) throw new AppError(bundleErrors.is_sealed)
  return manifest
}

/** Returns the numbers of the objects in a manifest, in ascending order and without repetition. */
export const objectsNamedBy = ({ items }: Pick<ManifestInput, 'items'> | StoredManifest): number[] => {
  const numbers = items.flatMap(({ source }) => ('object' in source ? [source.object] : []))
  return [...new Set(numbers)].toSorted((a, b) => a - b)
}

const presentFacts = ({ path, size, mimetype, modifiedAtMs }: FileFacts) => ({
  path,
  size,
  mimetype,
  modified: toInstantOrNull(modifiedAtMs),
})

/** Presents a manifest for its owner. */
export const presentOwnManifest = ({ title, page, items }: StoredManifest): OwnManifest => ({
  title,
  page,
  items: items.map((item) => {
    if (isFolderItem(item)) return { path: item.path, source: item.source }
    if (isObjectItem(item)) return { ...presentFacts(item), source: item.source }
    const { path, mode } = item.source.ref
    return { ...presentFacts(item), source: { ref: { path, mode } } }
  }),
})

/** Metadata of a file in a mount at the time of reading. */
export interface PresentFacts {
  readonly sizeBytes: number
  readonly modifiedAtMs: number
}

/**
 * Presents a manifest for readers, without the mount paths of references and folders.
 * @param facts current metadata of references that are not pinned, keyed by the item's path; unknown metadata is absent
 */
export const presentReadManifest = (
  { title, page, items }: StoredManifest,
  facts: ReadonlyMap<string, PresentFacts>,
): ReadManifest => ({
  title,
  page,
  items: items.map((item) => {
    if (isFolderItem(item)) return { kind: 'folder', path: item.path }
    if (!isFollowed(item)) return { kind: 'file', ...presentFacts(item) }
    const known = facts.get(item.path)
    const modified = toInstantOrNull(known?.modifiedAtMs ?? null)
    return { kind: 'file', ...presentFacts(item), size: known?.sizeBytes ?? null, modified }
  }),
})
