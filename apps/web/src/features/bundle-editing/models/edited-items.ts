import {
  BUNDLE_OBJECTS_MAX,
  type BundlePathProblem,
  findBundlePathProblems,
  type ManifestInput,
  type OwnManifest,
  type OwnManifestItem,
  type ReferenceMode,
} from '@dropleaf/contract'
import { suggestItemPaths } from '../../../domains/bundles/item-paths.ts'

/** An item of a bundle in the editor. */
export interface EditedItem {
  /** Identifies the item in this editor. */
  readonly key: string
  readonly path: string
  readonly source: OwnManifestItem['source']
  /** `null` for a live folder. */
  readonly sizeBytes: number | null
  /** Key of the upload in this tab; `null` if the contents are already published. */
  readonly upload: string | null
}

/** A file whose upload has started. */
export interface AddedFile {
  readonly path: string
  readonly number: number
  readonly sizeBytes: number
  readonly upload: string
}

const keyOf = (path: string) => `item ${path}`

export const itemsOf = (manifest: OwnManifest | null): EditedItem[] =>
  (manifest?.items ?? []).map((item) => ({
    key: keyOf(item.path),
    path: item.path,
    source: item.source,
    sizeBytes: 'size' in item ? item.size : null,
    upload: null,
  }))

export const inputsOf = (items: readonly EditedItem[]): ManifestInput['items'] =>
  items.map(({ path, source }) => ({ path, source }))

/**
 * Returns free numbers for new objects, or `null` if there are too few. The numbers start at a random value, because
 * another tab can add files to the same bundle.
 */
export function freeNumbers(
  used: Iterable<number>,
  count: number,
  random: () => number = Math.random,
): number[] | null {
  const taken = new Set(used)
  const free = Array.from({ length: BUNDLE_OBJECTS_MAX }, (_, number) => number).filter(
    (number) => !taken.has(number),
  )
  if (free.length < count) return null
  const start = Math.floor(random() * free.length)
  return Array.from({ length: count }, (_, index) => free[(start + index) % free.length] ?? 0)
}

/** Returns valid and unique paths for new files. */
export function newPaths(items: readonly EditedItem[], wanted: readonly string[]): string[] {
  const suggested = suggestItemPaths([...items.map(({ path }) => path), ...wanted])
  return wanted.map((path, index) => suggested.get(items.length + index) ?? path)
}

export const withFiles = (items: readonly EditedItem[], files: readonly AddedFile[]): EditedItem[] => [
  ...items,
  ...files.map(({ path, number, sizeBytes, upload }) => ({
    key: upload,
    path,
    source: { object: number },
    sizeBytes,
    upload,
  })),
]

const change = (items: readonly EditedItem[], key: string, changed: Partial<EditedItem>) =>
  items.map((item) => (item.key === key ? { ...item, ...changed } : item))

/** Replaces the file of an item. The item keeps its path and position. */
export const withReplacement = (
  items: readonly EditedItem[],
  key: string,
  { number, sizeBytes, upload }: Omit<AddedFile, 'path'>,
): EditedItem[] => change(items, key, { source: { object: number }, sizeBytes, upload })

export const withPath = (items: readonly EditedItem[], key: string, path: string): EditedItem[] =>
  change(items, key, { path })

export const withMode = (items: readonly EditedItem[], key: string, mode: ReferenceMode): EditedItem[] =>
  items.map((item) =>
    item.key === key && 'ref' in item.source
      ? { ...item, source: { ref: { path: item.source.ref.path, mode } } }
      : item,
  )

export const without = (items: readonly EditedItem[], key: string): EditedItem[] =>
  items.filter((item) => item.key !== key)

/** Moves an item by a number of positions, at most to the start or end of the list. */
export function moved(items: readonly EditedItem[], key: string, by: number): EditedItem[] {
  const from = items.findIndex((item) => item.key === key)
  const item = items[from]
  if (!item) return [...items]
  const rest = items.toSpliced(from, 1)
  return rest.toSpliced(Math.max(0, Math.min(rest.length, from + by)), 0, item)
}

/** Returns why a path is invalid for an item, or `null`. */
export function pathProblem(
  items: readonly EditedItem[],
  key: string,
  path: string,
): BundlePathProblem | null {
  const others = items.filter((item) => item.key !== key).map((item) => item.path)
  const problems = findBundlePathProblems([...others, path])
  const own = problems.get(others.length)
  // The path can equal a folder of another item. `findBundlePathProblems` then reports that other item.
  return own ?? (problems.size > findBundlePathProblems(others).size ? 'below_item' : null)
}
